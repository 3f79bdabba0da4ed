/** The frame of the console: who it is about, where one is, who looks, and in the middle the screen. */

import { useEffect } from 'preact/hooks';
import { Entrance, KeyForm } from '../session/entrance.tsx';
import { SessionProvider } from '../session/session.tsx';
import { PROJECT } from '../session/tab.ts';
import { useOpening } from '../session/use-session.ts';
import { hrefOf, type Route, useRoute } from './route.ts';
import { CurrentScreen } from './screens.tsx';

/** Links of the frame. An editor's are those that change something. */
const PLACES: readonly { readonly words: string; readonly route: Route }[] = [
  { words: 'Surveys', route: { screen: 'overview' } },
];

export function App() {
  const opening = useOpening();
  const route = useRoute();
  const { credentials, hasEnded, offered, open } = opening;
  const projectName = PROJECT;
  useEffect(() => {
    document.title = `Surveys · ${PROJECT}`;
  }, []);
  return (
    <>
      <header class="top">
        <div>
          <a class="project" href={hrefOf({ screen: 'overview' })}>
            <bdi>{projectName}</bdi>
          </a>
          {credentials !== undefined && (
            <nav aria-label="Console">
              {PLACES.map((place) => (
                <a
                  key={place.words}
                  href={hrefOf(place.route)}
                  {...(place.route.screen === route.screen && { 'aria-current': 'page' })}
                >
                  {place.words}
                </a>
              ))}
            </nav>
          )}
          {credentials !== undefined && (
            <button type="button" class="quiet" onClick={opening.forget}>
              {credentials.kind === 'key' ? 'Forget the key' : 'Sign out'}
            </button>
          )}
        </div>
      </header>
      {offered !== undefined && (
        <div class="banner" role="alert">
          <p>The address brought a key. Use it in place of the sign-in of this tab?</p>
          <button type="button" onClick={() => open({ kind: 'key', key: offered })}>
            Use the key
          </button>
          <button type="button" onClick={opening.keepCurrent}>
            Keep what is there
          </button>
        </div>
      )}
      {credentials !== undefined && hasEnded && (
        <div class="banner" role="alert">
          <p>
            Your key opens nothing any more: it has ended or was revoked. What you typed is kept: paste
            another key.
          </p>
          <KeyForm open={open} />
        </div>
      )}
      <main>
        {credentials === undefined ? (
          <Entrance problem={opening.problem} open={open} />
        ) : (
          <SessionProvider value={{ ...opening.session, projectName }}>
            <CurrentScreen route={route} />
          </SessionProvider>
        )}
      </main>
    </>
  );
}
