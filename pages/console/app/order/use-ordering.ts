/** The screen of the order without its looks: what is moved, what is stored, and what somebody else has stored. */

import { useEffect, useState } from 'preact/hooks';
import { decideOrder, isMoved, isOrdering, moved, type Ordering } from '../../rules/survey-order.ts';
import type { Side } from '../../rules/two-people.ts';
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
    setNote(side === 'theirs' ? 'The order is as they have it.' : 'Your order is kept, and not saved yet.');
  };
  const discard = (): void => {
    if (definitions === undefined) return;
    change({ base: definitions.order, mine: definitions.order });
    setOffered(false);
    setNote('Your moves are discarded.');
  };
  return {
    ...{ definitions, ordering, theirsBy, problem, note },
    isKept: isOffered && isMoved(ordering),
    ...{ read, move, store, decide, discard },
  };
}
