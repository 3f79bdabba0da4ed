/** One survey: what was answered, what people wrote, and who wants to be contacted. */

import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Surveys } from '../../../results/script/controls.ts';
import { useSession } from '../session/session.tsx';
import { useAsked } from '../session/use-asked.ts';
import { Problem } from '../shell/notice.tsx';
import { hrefOf } from '../shell/route.ts';
import { consoleAsker } from './console-asker.ts';
import { keepNotes } from './kept-notes.ts';
import { closeView, followAddress, openView, putAway, takeIn } from './shown-results.ts';
import { readAddress, writeAddress } from './survey-address.ts';

interface ResultsProps {
  readonly slug: string;
  readonly surveys: Surveys['surveys'];
}

function Results({ slug, surveys }: ResultsProps) {
  const { ask, mayEdit } = useSession();
  const asker = useMemo(() => consoleAsker(ask), [ask]);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stopKeeping = keepNotes(takeIn(place.current));
    addEventListener('popstate', followAddress);
    openView({
      asker,
      mayHandle: mayEdit,
      surveys,
      read: () => readAddress(location.hash, slug),
      write: (view) => writeAddress(view, slug),
      tellTitle: () => undefined,
      // The frame says so.
      end: () => undefined,
    });
    return () => {
      removeEventListener('popstate', followAddress);
      stopKeeping();
      closeView();
      putAway();
    };
  }, [asker, mayEdit, slug, surveys]);
  return <div ref={place} />;
}

export function Survey({ slug }: { readonly slug: string }) {
  const { mayEdit } = useSession();
  const { reply, problem, again } = useAsked<Surveys>('/v1/surveys');
  const survey = reply?.surveys.find((each) => each.slug === slug);
  return (
    <>
      <header class="screen-top">
        <div>
          <nav aria-label="Where this is" class="about">
            <a href={hrefOf({ screen: 'overview' })}>Surveys</a>
          </nav>
          <h1 class="titled">
            <bdi>{slug}</bdi>
            {survey !== undefined && <span class={`status ${survey.status}`}>{survey.status}</span>}
          </h1>
        </div>
        {mayEdit && survey !== undefined && (
          <a class="button" href={hrefOf({ screen: 'edit', slug })}>
            Edit
          </a>
        )}
      </header>
      {problem !== undefined && <Problem words={problem} action={{ words: 'Try again', run: again }} />}
      {reply !== undefined && survey === undefined && (
        <section class="card empty">
          <h2>There is no such survey</h2>
          <p>It was removed, or the address has a mistake.</p>
        </section>
      )}
      {reply !== undefined && survey !== undefined && <Results slug={slug} surveys={reply.surveys} />}
    </>
  );
}
