/** Where the secret key comes from: a text, or a function that reads it, such as from a secret that is rotated. */

import { checkSecretKey } from './address-and-key.ts';

export interface KeySource {
  /** The key; of a function, what it said last. */
  read(): string | Promise<string>;
  /** The key after this one was refused: a function is asked once more, unless somebody else's call has done so. */
  readAgain(refused: string): string | Promise<string>;
}

/** @throws TypeError when a text is no secret key; what a function reads is checked when it is read */
export function createKeySource(given: unknown): KeySource {
  if (typeof given !== 'function') {
    const key = checkSecretKey(given);
    return { read: () => key, readAgain: () => key };
  }
  let last: Promise<string> | undefined;
  const ask = (): Promise<string> => {
    const asked: Promise<string> = (async () => checkSecretKey(await given()))();
    last = asked;
    // What failed is asked for again by the next call.
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
