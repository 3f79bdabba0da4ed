/** The secret key: a text, or a function that reads it, such as from a secret that is rotated. */

import { checkSecretKey } from './address-and-key.ts';

export interface KeySource {
  /** The key, or the function's latest result. */
  read(): string | Promise<string>;
  /** Called after the key was refused. Calls the function once for all concurrent calls. */
  readAgain(refused: string): string | Promise<string>;
}

/** @throws TypeError if a text is not a secret key; a function's key is checked when it is read */
export function createKeySource(given: unknown): KeySource {
  if (typeof given !== 'function') {
    const key = checkSecretKey(given);
    return { read: () => key, readAgain: () => key };
  }
  let last: Promise<string> | undefined;
  const ask = (): Promise<string> => {
    const asked: Promise<string> = (async () => checkSecretKey(await given()))();
    last = asked;
    // The next call retries after a failure.
    asked.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked;
  };
  return {
    read: () => last ?? ask(),
    async readAgain(refused) {
      const known = await last?.catch(() => undefined);
      return known === undefined || known === refused ? ask() : known;
    },
  };
}
