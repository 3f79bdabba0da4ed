/** Finds the reader's key: in the address, pasted, or stored on request. */

const STORED_AS = 'canvass-reader-key';

export const EDITOR_KEY_IN_ADDRESS =
  'This link contains an editor key. It was not used, because anyone with the link could make changes. Paste the key here instead.';

/** Only a local run may put an editor key into the address, because other addresses may be shared. */
export const isLocal = (): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

export const isEditorKey = (key: string): boolean => /^[a-z0-9]+_ek_/.test(key);

export const EDITOR_KEYS_END = 'Editor keys expire after 12 hours by default. Ask for a new one.';

/** Accepts the whole link. */
export function keyIn(pasted: string): string {
  const [, inLink] = /[#&]key=([^&\s]+)/.exec(pasted) ?? [];
  return inLink ?? pasted.trim();
}

/** Undefined if the service has to decide. */
export function keyProblem(key: string): string | undefined {
  if (/^[a-z0-9]+_sk_/.test(key))
    return 'This is a secret key, which is for servers only. Paste an editor or reader key instead.';
  if (/^[a-z0-9]+_rk_/.test(key) || isEditorKey(key)) return undefined;
  return 'This is not a valid key. Editor keys contain “_ek_”, and reader keys “_rk_”. Paste the whole key or link.';
}

export interface TakenKey {
  readonly key?: string | undefined;
  readonly problem?: string | undefined;
}

export const hasKey = (): boolean => new URLSearchParams(location.hash.slice(1)).has('key');

/** Takes the key out of the address, which keeps its other parameters, or returns the stored one. */
export function takeKey(): TakenKey {
  const given = new URLSearchParams(location.hash.slice(1));
  const key = given.get('key');
  const kept = sessionStorage.getItem(STORED_AS) ?? localStorage.getItem(STORED_AS) ?? undefined;
  if (key === null) return { key: kept };
  given.delete('key');
  const rest = given.toString();
  history.replaceState(null, '', location.pathname + location.search + (rest && `#${rest}`));
  return isEditorKey(key) && !isLocal() ? { key: kept, problem: EDITOR_KEY_IN_ADDRESS } : { key };
}

export const keepKey = (key: string): void => sessionStorage.setItem(STORED_AS, key);

export const isRemembered = (key: string): boolean => localStorage.getItem(STORED_AS) === key;

export function remember(key: string, wanted: boolean): void {
  if (wanted) localStorage.setItem(STORED_AS, key);
  else localStorage.removeItem(STORED_AS);
}

/** @param refused forgets only this key; defaults to all */
export function forgetKey(refused?: string): void {
  for (const storage of [sessionStorage, localStorage])
    if (refused === undefined || storage.getItem(STORED_AS) === refused) storage.removeItem(STORED_AS);
}
