/** The screen of the order without its looks: what is moved, what is stored, and what somebody else has stored. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type {
  DefinitionsReply,
  PutDefinitionsReply,
} from '../../../../shared/contract/definition-schemas.ts';
import {
  decideOrder,
  isMoved,
  isOrdering,
  meetOrder,
  moved,
  type Ordering,
} from '../../rules/survey-order.ts';
import type { Side } from '../../rules/two-people.ts';
import { type Definitions, readDefinitions } from '../editor/definitions.ts';
import { Refused } from '../session/ask.ts';
import type { Session } from '../session/session.tsx';
import { useOver, useSession } from '../session/session.tsx';
import { keep, recall } from '../session/tab.ts';

const PATH = '/v1/surveys/definitions';

interface FoundOrder {
  readonly definitions: Definitions;
  readonly ordering: Ordering;
  /** Who stored the order that is to be decided about; null where that was not noted, or is long ago. */
  readonly theirsBy: string | null;
}

async function whoReordered(ask: Session['ask']): Promise<string | null> {
  const { log = [] } = await ask<DefinitionsReply>(PATH, { query: { limit: '1', log: 'true' } });
  return log.find(({ reordered }) => reordered)?.changedBy ?? null;
}

/**
 * @param latest what somebody has moved by then stays so
 * @throws Refused
 */
async function readOrder(ask: Session['ask'], latest: () => Ordering): Promise<FoundOrder> {
  const definitions = await readDefinitions(ask);
  const meet = () => meetOrder(latest(), definitions.order);
  const theirsBy = meet().theirs === undefined ? null : await whoReordered(ask).catch(() => null);
  return { definitions, ordering: meet(), theirsBy };
}

/**
 * Stores it as it was shown.
 * @param revision that was shown
 * @throws Refused: `surveys_changed` where somebody was first
 */
const storeOrder = (
  ask: Session['ask'],
  revision: number,
  order: readonly string[],
): Promise<PutDefinitionsReply> =>
  ask<PutDefinitionsReply>(PATH, { method: 'PUT', body: { revision, surveys: [], order } });

const nameOf = (name: string): string => `typed/${name}`;

function read<Value>(name: string, isValue: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(recall(nameOf(name)) ?? 'null');
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Keeping<Value> {
  /** Of what is kept: `order`. */
  readonly name: string;
  readonly initial: Value;
  /** What an earlier release kept may have another shape. */
  readonly isValue: (value: unknown) => value is Value;
  /** Whether it would be missed. */
  readonly isWorthKeeping: (value: Value) => boolean;
}

interface Kept<Value> {
  readonly value: Value;
  readonly change: (value: Value) => void;
  /** As it is by now, for what has waited for the service. */
  readonly latest: () => Value;
  /** Whether it was kept from before. */
  readonly wasKept: boolean;
}

/** State that outlives the page within its tab, as long as it would be missed. */
function useKept<Value>({ name, initial, isValue, isWorthKeeping }: Keeping<Value>): Kept<Value> {
  const [kept] = useState(() => read(name, isValue));
  const [value, setValue] = useState<Value>(kept ?? initial);
  const current = useRef(value);
  const isOver = useOver();
  const change = useCallback(
    (next: Value): void => {
      // Another screen may keep it by now.
      if (isOver()) return;
      current.current = next;
      keep(nameOf(name), isWorthKeeping(next) ? JSON.stringify(next) : null);
      setValue(next);
    },
    [name, isWorthKeeping, isOver],
  );
  const latest = useCallback(() => current.current, []);
  return { value, change, latest, wasKept: kept !== undefined };
}

const messageOf = (error: unknown): string => (error instanceof Refused ? error.message : String(error));

const KEPT = {
  name: 'order',
  initial: { base: [], mine: [] },
  isValue: isOrdering,
  isWorthKeeping: isMoved,
} satisfies Parameters<typeof useKept<Ordering>>[0];

export function useOrdering() {
  const { ask } = useSession();
  const [definitions, setDefinitions] = useState<Definitions>();
  const { value: ordering, change, latest, wasKept } = useKept<Ordering>(KEPT);
  const { mine: order } = ordering;
  const [theirsBy, setTheirsBy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const [note, setNote] = useState('');
  const [isOffered, setOffered] = useState(wasKept);

  /** @returns whether the service has answered */
  const read = async (): Promise<boolean> => {
    setProblem(undefined);
    try {
      const found = await readOrder(ask, latest);
      setDefinitions(found.definitions);
      setTheirsBy(found.theirsBy);
      change(found.ordering);
      return true;
    } catch (error) {
      setProblem(messageOf(error));
      return false;
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when the screen opens, and with another sign-in
  useEffect(() => void read(), [ask]);

  const move = (slug: string, by: -1 | 1): void => {
    const passed = new Set(
      definitions?.surveys.filter(({ status }) => status === 'archived').map((survey) => survey.slug),
    );
    const next = moved(order, slug, by, passed);
    change({ ...ordering, mine: next });
    setNote(`${slug} is now number ${next.filter((each) => !passed.has(each)).indexOf(slug) + 1}.`);
  };
  const store = async (): Promise<void> => {
    if (definitions === undefined) return;
    setProblem(undefined);
    setNote('');
    try {
      const { revision } = await storeOrder(ask, definitions.revision, order);
      // Nobody was between, or it were refused: what is there is known.
      setDefinitions({ ...definitions, order: [...order], revision });
      change({ base: order, mine: latest().mine });
      setOffered(false);
      setNote('The order is saved.');
    } catch (error) {
      const isFirst = error instanceof Refused && error.code === 'surveys_changed';
      // The order that is shown is not the one that somebody else has stored, unless that was read.
      if (!isFirst || (await read())) setProblem(messageOf(error));
    }
  };
  const decide = (side: Side): void => {
    change(decideOrder(ordering, side));
    setNote(side === 'theirs' ? 'Their order was kept.' : 'Your order was kept. It is not saved yet.');
  };
  const discard = (): void => {
    if (definitions === undefined) return;
    change({ base: definitions.order, mine: definitions.order });
    setOffered(false);
    setNote('Your changes were discarded.');
  };
  return {
    ...{ definitions, ordering, theirsBy, problem, note },
    isKept: isOffered && isMoved(ordering),
    ...{ read, move, store, decide, discard },
  };
}
