/** In which order surveys are asked where several may be. */

import { useEffect, useState } from 'preact/hooks';
import { decideOrder, isMoved, isOrdering, moved, type Ordering } from '../../../surveys/survey-order.ts';
import type { Definitions } from '../editor/definitions.ts';
import { Refused } from '../session/ask.ts';
import { useKept } from '../session/kept.ts';
import { useSession } from '../session/session.tsx';
import { Problem } from '../shell/notice.tsx';
import { readOrder, storeOrder } from './stored-order.ts';

const messageOf = (error: unknown): string => (error instanceof Refused ? error.message : String(error));

const KEPT = {
  name: 'order',
  initial: { base: [], mine: [] },
  isValue: isOrdering,
  isWorthKeeping: isMoved,
} satisfies Parameters<typeof useKept<Ordering>>[0];

export function Order() {
  const { ask, mayEdit } = useSession();
  const [definitions, setDefinitions] = useState<Definitions>();
  const { value: ordering, change, latest, wasKept } = useKept<Ordering>(KEPT);
  const { mine: order, theirs } = ordering;
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
      change({ ...latest(), base: order });
      await read();
      setNote('The order is stored.');
    } catch (error) {
      if (error instanceof Refused && error.code === 'surveys_changed') await read();
      setProblem(messageOf(error));
    }
  };

  if (definitions === undefined)
    return problem === undefined ? (
      <p class="waiting about">Reading the surveys</p>
    ) : (
      <Problem words={problem} action={{ words: 'Try again', run: read }} />
    );
  const seen = (slugs: readonly string[]) =>
    slugs.flatMap((slug) =>
      definitions.surveys.filter((survey) => survey.slug === slug && survey.status !== 'archived'),
    );
  const shown = seen(order);
  const isSame = definitions.order.join() === order.join();
  return (
    <section class="order">
      <h1>Order</h1>
      <p class="about">
        Where several surveys may be asked, the first one is; the others wait for the quiet period to end. A
        survey with a higher priority comes before all of this.
      </p>
      {problem !== undefined && <Problem words={`${problem} Look at the order again, and store it.`} />}
      {wasKept && isMoved(ordering) && (
        <p>
          You moved surveys before and have not stored it. It was kept in this tab.{' '}
          <button
            type="button"
            class="link"
            onClick={() => change({ base: definitions.order, mine: definitions.order })}
          >
            Discard it
          </button>
        </p>
      )}
      {theirs !== undefined && (
        <fieldset class="card theirs">
          <legend>{theirsBy ?? 'Somebody else'} changed the order meanwhile</legend>
          <p>
            Theirs:{' '}
            {seen(theirs)
              .map(({ slug }) => slug)
              .join(', ')}
            .
          </p>
          <p>Below it is as you have it. Nothing is stored before you decide.</p>
          <button type="button" onClick={() => change(decideOrder(ordering, 'theirs'))}>
            Take theirs
          </button>{' '}
          <button type="button" onClick={() => change(decideOrder(ordering, 'mine'))}>
            Keep mine
          </button>
        </fieldset>
      )}
      <p role="status" class="about">
        {note}
      </p>
      <ol class="card">
        {shown.map(({ slug, question, priority = 0 }, at) => (
          <li key={slug}>
            <div>
              <bdi>{question}</bdi>
              <p class="about">
                {slug}
                {priority !== 0 && ` · priority ${priority}`}
              </p>
            </div>
            {mayEdit && (
              <div>
                <button
                  type="button"
                  aria-label={`${slug}: earlier`}
                  aria-disabled={at === 0}
                  onClick={() => at > 0 && move(slug, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  aria-label={`${slug}: later`}
                  aria-disabled={at === shown.length - 1}
                  onClick={() => at < shown.length - 1 && move(slug, 1)}
                >
                  ↓
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {mayEdit && (
        <button type="button" class="main" disabled={isSame || theirs !== undefined} onClick={store}>
          Store this order
        </button>
      )}
    </section>
  );
}
