/** The reader or editor key of this tab: from the address, which then forgets it, or pasted. */

const STORED_AS = 'canvass-reader-key';

/** What is wrong with a key, for the person who gave it; undefined when the service should be asked. */
export function keyProblem(key: string): string | undefined {
  if (/^[a-z0-9]+_sk_/.test(key))
    return 'This is a secret key. It belongs on a server: use a reader key here.';
  if (/^[a-z0-9]+_[re]k_/.test(key)) return undefined;
  return 'This is not a reader key; one begins with svc_rk_.';
}

/** An address is passed on, and an editor key is not: only a service on this machine may give one so. */
const mayStandInAddress = (key: string): boolean =>
  !/^[a-z0-9]+_ek_/.test(key) || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);

/** The key in the address, taken out of it, or the one that the tab kept. */
export function takeKey(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  const kept = sessionStorage.getItem(STORED_AS) ?? undefined;
  if (given === null) return kept;
  history.replaceState(null, '', location.pathname + location.search);
  return mayStandInAddress(given) ? given : kept;
}

export const keepKey = (key: string): void => sessionStorage.setItem(STORED_AS, key);

export const forgetKey = (): void => sessionStorage.removeItem(STORED_AS);
