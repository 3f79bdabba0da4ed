/**
 * The ring of keys under which show-tokens are sealed. It holds every key retired within the longest token lifetime;
 * a new key is distributed before it is used (`activeFrom`).
 */

export interface TokenKey {
  /** 8 lower-case hex digits. */
  readonly id: string;
  /** 32 bytes. */
  readonly secret: Uint8Array;
  /** Milliseconds since the epoch from which on tokens are sealed under it. */
  readonly activeFrom: number;
}

export type TokenRing = readonly TokenKey[];

/**
 * The key to seal under now: the latest that is active, or the earliest of the ring when none is yet.
 * @throws RangeError when the ring is empty
 */
export function sealingKey(ring: TokenRing, now: number): TokenKey {
  const byAge = [...ring].sort((a, b) => a.activeFrom - b.activeFrom);
  const chosen = byAge.findLast((key) => key.activeFrom <= now) ?? byAge[0];
  if (chosen === undefined) throw new RangeError('the token ring holds no key');
  return chosen;
}

export function findKey(ring: TokenRing, id: string): TokenKey | undefined {
  return ring.find((key) => key.id === id);
}
