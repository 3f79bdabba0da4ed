/** In which order surveys are asked where several may be. */

import { useRef } from 'preact/hooks';
import { useSession } from '../session/session.tsx';
import { Problem } from '../shell/notice.tsx';
import { hrefOf } from '../shell/route.ts';
import { useOrdering } from './use-ordering.ts';

export function Order() {
  const { mayEdit } = useSession();
  const { definitions, ordering, theirsBy, problem, note, isKept, ...deeds } = useOrdering();
  const { mine: order, theirs } = ordering;
  const said = useRef<HTMLParagraphElement>(null);
  /** The button that is pressed goes: the focus moves to what was done. */
  const andGo = (deed: () => void) => () => {
    deed();
    said.current?.focus();
  };

  if (definitions === undefined)
    return problem === undefined ? (
      <p class="waiting about">Reading the surveys</p>
    ) : (
      <Problem words={problem} action={{ words: 'Try again', run: deeds.read }} />
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
          <nav aria-label="Where this is" class="about">
            <a href={hrefOf({ screen: 'overview' })}>Surveys</a>
          </nav>
          <h1>Order</h1>
        </div>
      </header>
      <p class="about">
        Where several surveys may be asked, the first one is, and the others wait for the quiet period to end.
        A survey with a higher priority comes before all of these.
      </p>
      {problem !== undefined && <Problem words={`${problem} Look at the order again, and save it.`} />}
      {isKept && (
        <p>
          You moved surveys before and have not saved it. It was kept in this tab.{' '}
          <button type="button" class="link" onClick={andGo(deeds.discard)}>
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
          <p>Below it is as you have it. Nothing is saved before you decide.</p>
          <button type="button" onClick={andGo(() => deeds.decide('theirs'))}>
            Take theirs
          </button>{' '}
          <button type="button" onClick={andGo(() => deeds.decide('mine'))}>
            Keep mine
          </button>
        </fieldset>
      )}
      <p role="status" class="about" tabIndex={-1} ref={said}>
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
                  onClick={() => at > 0 && deeds.move(slug, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  aria-label={`${slug}: later`}
                  aria-disabled={at === shown.length - 1}
                  onClick={() => at < shown.length - 1 && deeds.move(slug, 1)}
                >
                  ↓
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {mayEdit && (
        <button type="button" class="main" disabled={isSame || theirs !== undefined} onClick={deeds.store}>
          Save this order
        </button>
      )}
    </section>
  );
}
