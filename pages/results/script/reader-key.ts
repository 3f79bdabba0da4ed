/** The reader key of this tab: from the address, which then forgets it, or pasted. */

const STORED_AS = 'canvass-reader-key';

/** What is wrong with a key, for the person who gave it; undefined when the service should be asked. */
export function keyProblem(key: string): string | undefined {
  if (/^[a-z0-9]+_sk_/.test(key))
    return 'This is a secret key. It belongs on a server: use a reader key here.';
  if (/^[a-z0-9]+_rk_/.test(key)) return undefined;
  return 'This is not a reader key; one begins with svc_rk_.';
}

/** The key in the address, taken out of it, or the one that the tab kept. */
export function takeKey(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (given === null) return sessionStorage.getItem(STORED_AS) ?? undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return given;
}

export const keepKey = (key: string): void => sessionStorage.setItem(STORED_AS, key);

export const forgetKey = (): void => sessionStorage.removeItem(STORED_AS);
