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
      <p class="waiting about">Loading surveys</p>
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
          <nav aria-label="Breadcrumb" class="about">
            <a href={hrefOf({ screen: 'overview' })}>Surveys</a>
          </nav>
          <h1>Order</h1>
        </div>
      </header>
      <p class="about">
        When more than one survey fits, the first one in this list is shown. The others wait until the quiet
        period ends. A survey with a higher priority always goes first.
      </p>
      {problem !== undefined && <Problem words={`${problem} Review the order and save it again.`} />}
      {isKept && (
        <p>
          You changed the order and did not save it. It was kept in this tab.{' '}
          <button type="button" class="link" onClick={andGo(deeds.discard)}>
            Discard it
          </button>
        </p>
      )}
      {theirs !== undefined && (
        <fieldset class="card theirs">
          <legend>{theirsBy ?? 'Someone else'} changed the order</legend>
          <p>
            Theirs:{' '}
            {seen(theirs)
              .map(({ slug }) => slug)
              .join(', ')}
            .
          </p>
          <p>The list below shows your order. Nothing is saved until you choose.</p>
          <button type="button" onClick={andGo(() => deeds.decide('theirs'))}>
            Use theirs
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
                  aria-label={`${slug}: move up`}
                  aria-disabled={at === 0}
                  onClick={() => at > 0 && deeds.move(slug, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  aria-label={`${slug}: move down`}
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
          Save order
        </button>
      )}
    </section>
  );
}
