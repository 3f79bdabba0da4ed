import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { DefinitionsReply } from '../../../../shared/contract/definition-schemas.ts';
import { personWords } from '../../rules/field-words.ts';
import {
  decideOrder,
  isMoved,
  isOrdering,
  meetOrder,
  moved,
  type Ordering,
} from '../../rules/survey-order.ts';
import type { Side } from '../../rules/two-people.ts';
import {
  type Ask,
  DEFINITIONS,
  type Definitions,
  messageOf,
  putDefinitions,
  Refused,
  readDefinitions,
} from '../session/ask.ts';
import { useOver, useSession } from '../session/session.tsx';
import { keep, recallAs } from '../session/tab.ts';
import { Problem, Waiting } from '../shell/notice.tsx';
import { hrefOf } from '../shell/route.ts';

/** Null if the change was not recorded, or is too old. */
async function whoReordered(ask: Ask): Promise<string | null> {
  const { log = [] } = await ask<DefinitionsReply>(DEFINITIONS, { query: { limit: '1', log: 'true' } });
  return log.find(({ reordered }) => reordered)?.changedBy ?? null;
}

const KEPT_AS = 'typed/order';

export function useOrdering() {
  const { ask } = useSession();
  const isOver = useOver();
  const [kept] = useState(() => recallAs(KEPT_AS, isOrdering));
  const [ordering, setOrdering] = useState<Ordering>(kept ?? { base: [], mine: [] });
  const latest = useRef(ordering);
  const [definitions, setDefinitions] = useState<Definitions>();
  const [theirsBy, setTheirsBy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const [note, setNote] = useState('');
  const [isOffered, setOffered] = useState(kept !== undefined);
  const { mine: order } = ordering;

  const change = useCallback(
    (next: Ordering): void => {
      // The next screen may store an order of its own.
      if (isOver()) return;
      latest.current = next;
      keep(KEPT_AS, isMoved(next) ? JSON.stringify(next) : null);
      setOrdering(next);
    },
    [isOver],
  );
  /** Returns whether the service answered. */
  const read = async (): Promise<boolean> => {
    setProblem(undefined);
    try {
      const found = await readDefinitions(ask);
      const meet = () => meetOrder(latest.current, found.order);
      const by = meet().theirs === undefined ? null : await whoReordered(ask).catch(() => null);
      setDefinitions(found);
      setTheirsBy(by);
      // Includes moves that were made during the requests.
      change(meet());
      return true;
    } catch (error) {
      setProblem(messageOf(error));
      return false;
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: read when the screen opens, and after a new sign-in
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
      const { revision } = await putDefinitions(ask, { revision: definitions.revision, surveys: [], order });
      // The service would have refused any other change.
      setDefinitions({ ...definitions, order: [...order], revision });
      change({ base: order, mine: latest.current.mine });
      setOffered(false);
      setNote('The order is saved.');
    } catch (error) {
      const isFirst = error instanceof Refused && error.code === 'surveys_changed';
      // Shows the message together with the order that it describes.
      if (!isFirst) setProblem(messageOf(error));
      else if (await read()) setProblem(`${messageOf(error)} Review the order, and then save it again.`);
    }
  };
  const decide = (side: Side): void => {
    change(decideOrder(ordering, side));
    setNote(
      side === 'theirs'
        ? 'You chose their order. There is nothing to save.'
        : 'You kept your order. Save it to apply it.',
    );
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

export function Order() {
  const { mayEdit } = useSession();
  const { definitions, ordering, theirsBy, problem, note, isKept, ...actions } = useOrdering();
  const { mine: order, theirs } = ordering;
  const noted = useRef<HTMLParagraphElement>(null);
  /** The pressed button disappears. */
  const andFocus = (act: () => void) => () => {
    act();
    noted.current?.focus();
  };

  if (definitions === undefined)
    return problem === undefined ? (
      <Waiting />
    ) : (
      <Problem words={problem} action={{ words: 'Try again', run: actions.read }} />
    );
  const seen = (slugs: readonly string[]) =>
    slugs.flatMap((slug) =>
      definitions.surveys.filter((survey) => survey.slug === slug && survey.status !== 'archived'),
    );
  const shown = seen(order);
  const isSame = definitions.order.join() === order.join();
  return (
    <section class="order">
      <header class="screen-top">
        <div>
          <nav aria-label="Breadcrumb" class="about">
            <a href={hrefOf({ screen: 'overview' })}>Surveys</a>
          </nav>
          <h1>Survey order</h1>
        </div>
      </header>
      <p class="about">
        If a person qualifies for several surveys, the first one in this list is shown. The others wait until
        the quiet period ends. A survey with a higher priority always comes first.
      </p>
      {problem !== undefined && <Problem words={problem} />}
      {isKept && (
        <p>
          You have unsaved changes to the order. They stay in this tab until you close it.{' '}
          <button type="button" class="link" onClick={andFocus(actions.discard)}>
            Discard changes
          </button>
        </p>
      )}
      {theirs !== undefined && (
        <fieldset class="card theirs">
          <legend>The order was changed by {personWords(theirsBy)}</legend>
          <p>
            Their order:{' '}
            {seen(theirs)
              .map(({ slug }) => slug)
              .join(', ')}
            .
          </p>
          <p>The list below shows your order. Choose which order to keep.</p>
          <button type="button" onClick={andFocus(() => actions.decide('theirs'))}>
            Use their order
          </button>{' '}
          <button type="button" onClick={andFocus(() => actions.decide('mine'))}>
            Keep my order
          </button>
        </fieldset>
      )}
      <p role="status" class="about" tabIndex={-1} ref={noted}>
        {note}
      </p>
      <ol class="card">
        {shown.map(({ slug, question, trigger, priority = 0 }, at) => (
          <li key={slug}>
            <div>
              <bdi>{question}</bdi>
              <p class="about">
                {slug}
                {priority !== 0 && ` · priority ${priority}`}
                {trigger === 'person' && ' · opened by the person'}
              </p>
            </div>
            {mayEdit && (
              <div>
                <button
                  type="button"
                  aria-label={`Move ${slug} up`}
                  aria-disabled={at === 0}
                  onClick={() => at > 0 && actions.move(slug, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  aria-label={`Move ${slug} down`}
                  aria-disabled={at === shown.length - 1}
                  onClick={() => at < shown.length - 1 && actions.move(slug, 1)}
                >
                  ↓
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {mayEdit && (
        <button type="button" class="main" disabled={isSame || theirs !== undefined} onClick={actions.store}>
          Save order
        </button>
      )}
    </section>
  );
}
