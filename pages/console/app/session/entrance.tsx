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
        Editor keys start with svc_ek_, and reader keys start with svc_rk_. Paste the key or the whole link.
        The key is stored only in this tab.
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

export function Leaving({ opening }: { readonly opening: Opening }) {
  return (
    <div class="banner" role="alert">
      <p>You have unsaved changes in this tab. If you sign out, you lose them.</p>
      <button type="button" onClick={opening.leave}>
        Sign out and lose them
      </button>
      <button type="button" onClick={opening.stay}>
        Stay signed in
      </button>
    </div>
  );
}
