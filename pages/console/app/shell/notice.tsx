/** What went wrong, or is waited for, in words, with what can be done about it. */

import { hrefOf } from './route.ts';

interface Action {
  readonly words: string;
  readonly run: () => void;
}

export function Problem({ words, action }: { readonly words: string; readonly action?: Action | undefined }) {
  return (
    <div class="problem card" role="alert">
      <p>{words}</p>
      {action !== undefined && (
        <button type="button" onClick={action.run}>
          {action.words}
        </button>
      )}
    </div>
  );
}

/** An address that is none of the console's. */
export function Unknown() {
  return (
    <section class="card empty">
      <h1>Page not found</h1>
      <p>The console has no page at this address.</p>
      <a class="button" href={hrefOf({ screen: 'overview' })}>
        All surveys
      </a>
    </section>
  );
}
