import { type ComponentType, render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type * as z from 'zod/mini';
import type { surveysReply } from '../../../shared/contract/results-schemas.ts';
import { Ended, Entrance, Leaving } from './session/entrance.tsx';
import { SessionProvider } from './session/session.tsx';
import { PROJECT } from './session/tab.ts';
import { type Opening, useOpening } from './session/use-session.ts';
import { Problem, Unknown, Waiting } from './shell/notice.tsx';
import { hrefOf, type Route, useRoute } from './shell/route.ts';

interface Shown {
  readonly id?: string;
  readonly name: string;
  readonly accent: string | null;
}

const UNKNOWN: Shown = { name: 'Surveys', accent: null };

/** The name comes from the sign-in settings or, with a key, from the surveys. */
function useProject({ offer, credentials, ask }: Opening): Shown {
  const [read, setRead] = useState<Shown>();
  useEffect(() => {
    setRead(undefined);
    if (credentials?.kind !== 'key') return;
    ask<z.output<ReturnType<typeof surveysReply>>>('/v1/surveys').then(
      ({ project }) => setRead(project),
      () => undefined,
    );
  }, [credentials, ask]);
  return read ?? (credentials?.kind === 'key' ? UNKNOWN : (offer?.project ?? UNKNOWN));
}

type Screen = ComponentType<{ readonly slug: string }>;

/** Each screen is a chunk that loads when it is first opened. */
const SCREENS: Readonly<Partial<Record<Route['screen'], () => Promise<Screen>>>> = {
  overview: () => import('./overview/overview.tsx').then(({ Overview }) => Overview),
  yaml: () => import('./yaml.tsx').then(({ Yaml }) => Yaml),
  help: () => import('./help.tsx').then(({ Help }) => Help),
  survey: () => import('./survey/survey.tsx').then(({ Survey }) => Survey),
  edit: () => import('./editor/editor.tsx').then(({ Editor }) => Editor),
  order: () => import('./order/order.tsx').then(({ Order }) => Order),
  new: () => import('./editor/editor.tsx').then(({ Editor }) => Editor),
};

const loaded = new Map<Route['screen'], Screen>();

async function load(screen: Route['screen']): Promise<void> {
  loaded.set(screen, loaded.get(screen) ?? (await (SCREENS[screen]?.() ?? Unknown)));
}

/** Loads all screens while the browser is idle, because the next deployment deletes their files. */
function readAhead(): () => void {
  const read = () => {
    for (const screen of Object.values(SCREENS)) screen().catch(() => undefined);
  };
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(read, 2_000);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(read, { timeout: 5_000 });
  return () => cancelIdleCallback(id);
}

function CurrentScreen({ route }: { readonly route: Route }) {
  const { screen } = route;
  const [, redraw] = useState(0);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isOver = false;
    setMissing(false);
    load(screen).then(
      () => !isOver && redraw((count) => count + 1),
      () => !isOver && setMissing(true),
    );
    return () => {
      isOver = true;
    };
  }, [screen]);
  useEffect(readAhead, []);
  if (isMissing)
    return (
      <Problem
        words="The console has been updated since you opened this tab. Reload the page. Your changes stay in this tab until you close it."
        action={{ words: 'Reload', run: () => location.reload() }}
      />
    );
  const Shown = loaded.get(screen);
  const slug = 'slug' in route ? route.slug : '';
  return Shown === undefined ? <Waiting /> : <Shown key={slug} slug={slug} />;
}

const PLACES: readonly { readonly words: string; readonly route: Route; readonly of: readonly string[] }[] = [
  { words: 'Surveys', route: { screen: 'overview' }, of: ['overview', 'survey', 'edit', 'new', 'order'] },
  { words: 'Survey file', route: { screen: 'yaml' }, of: ['yaml'] },
  { words: 'Help', route: { screen: 'help' }, of: ['help'] },
];

function App() {
  const opening = useOpening();
  const route = useRoute();
  const { credentials, ended, offered, open, isWaiting, ask, mayEdit } = opening;
  const project = useProject(opening);
  const session = useMemo(() => ({ ask, mayEdit }), [ask, mayEdit]);
  const { words: place = 'Surveys' } = PLACES.find(({ of }) => of.includes(route.screen)) ?? {};
  const title = ['slug' in route ? `${route.slug} · ${place}` : place, project.name].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <header class="top">
        <div>
          <a
            class={project.accent === null ? 'project' : 'project coloured'}
            href={hrefOf({ screen: 'overview' })}
          >
            {project.accent !== null && <span class="accent" style={{ background: project.accent }} />}
            <bdi>{project.name}</bdi>
          </a>
          {credentials !== undefined && (
            <>
              <nav aria-label="Console">
                {PLACES.map((place) => (
                  <a
                    key={place.words}
                    href={hrefOf(place.route)}
                    {...(place.of.includes(route.screen) && { 'aria-current': 'page' })}
                  >
                    {place.words}
                  </a>
                ))}
              </nav>
              <div class="who">
                {credentials.kind === 'person' && <bdi class="about">{credentials.name}</bdi>}
                <button type="button" class="quiet" onClick={opening.signOut}>
                  Sign out
                </button>
              </div>
            </>
          )}
        </div>
      </header>
      {offered !== undefined && (
        <div class="banner" role="alert">
          <p>The link contains a key. Do you want to use it instead of your current sign-in?</p>
          <button type="button" onClick={() => open({ kind: 'key', key: offered })}>
            Use the key
          </button>
          <button type="button" onClick={opening.keepCurrent}>
            Keep the current sign-in
          </button>
        </div>
      )}
      {opening.isLeaving && <Leaving opening={opening} />}
      {ended !== undefined && <Ended opening={opening} words={ended} />}
      <main>
        {isWaiting ? (
          <Waiting words="Signing in…" />
        ) : credentials === undefined ? (
          <Entrance opening={opening} />
        ) : project.id !== undefined && project.id !== PROJECT ? (
          <Problem
            words={`This key is for another project, ${project.name}. Use a key for this project.`}
            action={{ words: 'Use another key', run: opening.signOut }}
          />
        ) : (
          <SessionProvider value={session}>
            <CurrentScreen route={route} />
          </SessionProvider>
        )}
      </main>
    </>
  );
}

const root = document.getElementById('console');
if (root !== null) render(<App />, root);
