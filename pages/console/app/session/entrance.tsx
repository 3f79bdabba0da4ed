/** Where nobody is signed in: how to come in, with a key. */

import { useState } from 'preact/hooks';
import { keyIn, keyProblem } from '../../../results/script/reader-key.ts';
import type { Credentials } from './credentials.ts';

interface EntranceProps {
  readonly problem: string | undefined;
  readonly open: (credentials: Credentials) => void;
}

export function KeyForm({ open }: Pick<EntranceProps, 'open'>) {
  const [problem, setProblem] = useState<string>();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field =
      event.currentTarget instanceof HTMLFormElement && event.currentTarget.elements.namedItem('key');
    if (!(field instanceof HTMLInputElement)) return;
    const key = keyIn(field.value);
    const wrong = keyProblem(key);
    setProblem(wrong);
    if (wrong === undefined) open({ kind: 'key', key });
  };
  return (
    <form class="key-form" autocomplete="off" onSubmit={submit}>
      <label for="key">Your key</label>
      <input id="key" name="key" type="password" required spellcheck={false} aria-describedby="key-about" />
      <p class="about" id="key-about">
        It begins with svc_ek_ where you may change things, and with svc_rk_ where you look. Paste it, or the
        whole link: it stays in this tab.
      </p>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      <button class="main" type="submit">
        Open
      </button>
    </form>
  );
}

export function Entrance({ problem, open }: EntranceProps) {
  return (
    <section class="entrance card">
      <h2>Open the console</h2>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      <KeyForm open={open} />
    </section>
  );
}
