/** Errors must not contain keys or passwords. */

const EXAMPLE = 'https://surveys.example.com';

function described(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value !== 'string') return `a ${typeof value}`;
  if (value === '') return 'empty text';
  return /_sk_|@/.test(value) ? 'a text that may contain a secret' : JSON.stringify(value);
}

/** Without slashes and `/v1` at its end. @throws TypeError */
export function checkAddress(baseUrl: unknown): string {
  const wrong = (what: string) => new TypeError(`baseUrl must be an http(s) URL like ${EXAMPLE}, ${what}`);
  if (typeof baseUrl !== 'string' || !/^\s*https?:\/\//i.test(baseUrl)) {
    throw wrong(`not ${described(baseUrl)}`);
  }
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw wrong('but this one is not a URL');
  }
  if (url.username + url.password !== '') throw wrong('without a user or a password');
  if (/[?#]/.test(url.href)) throw wrong('without a query or a fragment');
  return url.href.replace(/(\/v1)?\/*$/, '');
}

function checkSecretKey(secretKey: unknown): string {
  const wrong = (what: string) => new TypeError(`secretKey must be a secret key, ${what}`);
  if (typeof secretKey !== 'string' || secretKey === '') throw wrong(`not ${described(secretKey)}`);
  if (!/^[\x21-\x7e]+$/.test(secretKey)) {
    throw wrong('without blanks, line breaks or other characters that no key has');
  }
  if (/^[a-z0-9]+_pk_/.test(secretKey)) throw wrong('not a publishable key');
  if (!/^[a-z0-9]+_sk_./.test(secretKey)) throw wrong('which begins with svc_sk_');
  return secretKey;
}

export interface KeySource {
  read(): string | Promise<string>;
  /** Reads the key again after a refusal. Concurrent calls share one call of the function. */
  readAgain(refused: string): string | Promise<string>;
}

/** @throws TypeError if a text is not a secret key; a key from a function is checked when it is read */
export function createKeySource(given: unknown): KeySource {
  if (typeof given !== 'function') {
    const key = checkSecretKey(given);
    return { read: () => key, readAgain: () => key };
  }
  let last: Promise<string> | undefined;
  const ask = (): Promise<string> => {
    const asked: Promise<string> = (async () => checkSecretKey(await given()))();
    last = asked;
    // After a failure, the next call reads the key again.
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
