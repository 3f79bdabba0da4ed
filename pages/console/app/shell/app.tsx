/** The frame of the console: whose it is, where one is, who looks, and in the middle the screen. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import type * as z from 'zod/mini';
import type { surveysReply } from '../../../../shared/contract/results-schemas.ts';
import { Ended, Entrance, Leaving } from '../session/entrance.tsx';
import { SessionProvider } from '../session/session.tsx';
import { PROJECT } from '../session/tab.ts';
import type { Opening } from '../session/use-session.ts';
import { useOpening } from '../session/use-session.ts';
import { Problem } from './notice.tsx';
import { hrefOf, type Route, useRoute } from './route.ts';
import { CurrentScreen } from './screens.tsx';

interface Shown {
  /** Undefined until it is known. */
  readonly id?: string;
  readonly name: string;
  readonly accent: string | null;
}

const UNKNOWN: Shown = { name: 'Surveys', accent: null };

/** The project as people are shown it: as its sign-in says, else as somebody with a key reads it. */
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

/** Links of the frame, and the screens that they stand for. */
const PLACES: readonly { readonly words: string; readonly route: Route; readonly of: readonly string[] }[] = [
  { words: 'Surveys', route: { screen: 'overview' }, of: ['overview', 'survey', 'edit', 'new', 'order'] },
  { words: 'Survey file', route: { screen: 'yaml' }, of: ['yaml'] },
  { words: 'Help', route: { screen: 'help' }, of: ['help'] },
];

export function App() {
  const opening = useOpening();
  const route = useRoute();
  const { credentials, ended, offered, open, isWaiting, ask, mayEdit } = opening;
  const project = useProject(opening);
  const session = useMemo(() => ({ ask, mayEdit }), [ask, mayEdit]);
  useEffect(() => {
    document.title = `Surveys · ${project.name}`;
  }, [project.name]);
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
                <button type="button" class="quiet" onClick={opening.forget}>
                  Sign out
                </button>
              </div>
            </>
          )}
        </div>
      </header>
      {offered !== undefined && (
        <div class="banner" role="alert">
          <p>The link contains a key. Use it instead of your current sign-in?</p>
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
          <p class="waiting about" role="status">
            Signing in
          </p>
        ) : credentials === undefined ? (
          <Entrance opening={opening} />
        ) : project.id !== undefined && project.id !== PROJECT ? (
          <Problem
            words={`This key is for another project, ${project.name}. Use a key for this project.`}
            action={{ words: 'Use another key', run: opening.forget }}
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
