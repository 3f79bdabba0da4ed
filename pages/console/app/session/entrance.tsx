/** Where nobody is in: how to come in, with the company's account or with a key. */

import { useState } from 'preact/hooks';
import { keyIn, keyProblem } from '../../../results/script/reader-key.ts';
import type { Opening } from './use-session.ts';

export function KeyForm({ open }: Pick<Opening, 'open'>) {
  const [problem, setProblem] = useState<string>();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const field = form instanceof HTMLFormElement && form.elements.namedItem('key');
    if (!(field instanceof HTMLInputElement)) return;
    const key = keyIn(field.value);
    const wrong = keyProblem(key);
    setProblem(wrong);
    if (wrong === undefined) open({ kind: 'key', key });
  };
  return (
    <form class="key-form" autocomplete="off" onSubmit={submit}>
      <label for="key">Your key</label>
      <div class="field">
        <input
          id="key"
          name="key"
          type="password"
          required
          spellcheck={false}
          aria-describedby="key-about"
          aria-invalid={problem !== undefined}
        />
        <button type="submit">Open</button>
      </div>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      <p class="about" id="key-about">
        Keys for editing start with svc_ek_. Read-only keys start with svc_rk_. Paste the key or the whole
        link. It is stored in this tab only.
      </p>
    </form>
  );
}

export function Entrance({ opening }: { readonly opening: Opening }) {
  const { offer, problem, open, signIn } = opening;
  return (
    <section class="entrance card">
      <h1>Open the console</h1>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      {offer !== undefined && (
        <>
          <button class="main" type="button" onClick={signIn}>
            Sign in
          </button>
          <p class="about">
            Use your account at {URL.parse(offer.issuer)?.host}. The people who manage your surveys decide who
            has access.
          </p>
          <hr />
        </>
      )}
      <KeyForm open={open} />
    </section>
  );
}

/** What was there has ended; the screens are still shown below. */
export function Ended({ opening, words }: { readonly opening: Opening; readonly words: string }) {
  const { credentials, offer, open, signIn } = opening;
  return (
    <div class="banner" role="alert">
      <p>{words}</p>
      {credentials?.kind === 'person' && offer !== undefined ? (
        <button class="main" type="button" onClick={signIn}>
          Sign in again
        </button>
      ) : (
        <KeyForm open={open} />
      )}
    </div>
  );
}

/** Leaving would lose what was typed. */
export function Leaving({ opening }: { readonly opening: Opening }) {
  return (
    <div class="banner" role="alert">
      <p>You have unsaved changes in this tab. If you sign out, they are lost.</p>
      <button type="button" onClick={opening.leave}>
        Sign out and lose them
      </button>
      <button type="button" onClick={opening.stay}>
        Stay
      </button>
    </div>
  );
}
