// The element must exist before the results script loads.
import './results-element.ts';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Asker, Refused } from '../../../results/script/ask.ts';
import type { Surveys } from '../../../results/script/controls.ts';
import { closeView, followAddress, openView } from '../../../results/script/results-view.ts';
import { readView, type View, writeView } from '../../../results/view.ts';
import { type Ask, Refused as ConsoleRefused } from '../session/ask.ts';
import { useReply, useSession } from '../session/session.tsx';
import { keep, recall } from '../session/tab.ts';
import { Problem, Status } from '../shell/notice.tsx';
import { hrefOf } from '../shell/route.ts';
import { putAway, takeIn } from './results-element.ts';

putAway();

const nameOf = (form: Element): string => `typed/note/${form instanceof HTMLElement ? form.dataset.id : ''}`;

/** @param list of contacts that the results script draws */
function keepNotes(list: Element): () => void {
  const type = ({ target }: Event): void => {
    const form = target instanceof HTMLInputElement && target.closest('form.handle');
    if (form) keep(nameOf(form), target.value === '' ? null : target.value);
  };
  const drawn = new MutationObserver(() => {
    for (const form of list.querySelectorAll('form.handle')) {
      const field = form.querySelector('input');
      if (field === null) keep(nameOf(form), null);
      else if (field.value === '') field.value = recall(nameOf(form)) ?? '';
    }
  });
  list.addEventListener('input', type);
  drawn.observe(list, { childList: true, subtree: true });
  return () => {
    list.removeEventListener('input', type);
    drawn.disconnect();
  };
}

const readAddress = (hash: string, survey: string): View => ({
  ...readView(hash.slice(hash.indexOf('?') + 1 || hash.length)),
  survey,
  project: undefined,
});

function writeAddress(view: View, slug: string): string {
  const said = writeView({ ...view, survey: undefined, project: undefined }).slice(1);
  return hrefOf({ screen: 'survey', slug }) + (said === '' ? '' : `?${said}`);
}

/** A valid key without access to comments gets a 401. */
const OF_PEOPLE: readonly string[] = ['/v1/results/comments', '/v1/contacts'];

function retold(error: unknown): never {
  throw error instanceof ConsoleRefused ? new Refused(error.status, error.message) : error;
}

const consoleAsker = (ask: Ask): Asker => ({
  ask: <Reply,>(path: string, query = {}) =>
    ask<Reply>(path, { query, isOptional: OF_PEOPLE.includes(path) }).catch(retold),
  put: (path, body) => ask<unknown>(path, { method: 'PUT', body }).catch(retold),
});

function Results({ slug, surveys }: { readonly slug: string; readonly surveys: Surveys['surveys'] }) {
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
      // The console shows its own banner.
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

const readSurveys = (ask: Ask) => ask<Surveys>('/v1/surveys');

export function Survey({ slug }: { readonly slug: string }) {
  const { mayEdit } = useSession();
  const { reply, problem, again } = useReply(readSurveys);
  const survey = reply?.surveys.find((each) => each.slug === slug);
  return (
    <>
      <header class="screen-top">
        <div>
          <nav aria-label="Breadcrumb" class="about">
            <a href={hrefOf({ screen: 'overview' })}>Surveys</a>
          </nav>
          <h1 class="titled">
            <bdi>{slug}</bdi>
            {survey !== undefined && <Status of={survey.status} />}
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
          <h2>Survey not found</h2>
          <p>Someone removed it, or the address is wrong.</p>
        </section>
      )}
      {reply !== undefined && survey !== undefined && <Results slug={slug} surveys={reply.surveys} />}
    </>
  );
}
