/** The screen of the order without its looks: what is moved, what is stored, and what somebody else has stored. */

import { useEffect, useState } from 'preact/hooks';
import { decideOrder, isMoved, isOrdering, moved, type Ordering } from '../../../surveys/survey-order.ts';
import type { Side } from '../../../surveys/two-people.ts';
import type { Definitions } from '../editor/definitions.ts';
import { Refused } from '../session/ask.ts';
import { useKept } from '../session/kept.ts';
import { useSession } from '../session/session.tsx';
import { readOrder, storeOrder } from './stored-order.ts';

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

  const read = async (): Promise<void> => {
    setProblem(undefined);
    try {
      const found = await readOrder(ask, latest);
      setDefinitions(found.definitions);
      setTheirsBy(found.theirsBy);
      change(found.ordering);
    } catch (error) {
      setProblem(messageOf(error));
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
    try {
      await storeOrder(ask, definitions.revision, order);
      change({ base: order, mine: latest().mine });
      await read();
      setNote('The order is saved.');
    } catch (error) {
      if (error instanceof Refused && error.code === 'surveys_changed') await read();
      setProblem(messageOf(error));
    }
  };
  const decide = (side: Side): void => change(decideOrder(ordering, side));
  const discard = (): void => {
    if (definitions !== undefined) change({ base: definitions.order, mine: definitions.order });
  };
  return {
    ...{ definitions, ordering, theirsBy, problem, note },
    isKept: wasKept && isMoved(ordering),
    ...{ read, move, store, decide, discard },
  };
}
