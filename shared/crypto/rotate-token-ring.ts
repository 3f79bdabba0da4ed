/** Rotating the ring under which show-tokens are sealed (docs/contract.md §7.2: a token stays good for its lifetime). */

import { DAY, MINUTE } from '../domain/duration.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../domain/project.ts';
import type { TokenKey, TokenRing } from './token-ring.ts';

/** Functions read the ring every five minutes: after twice that, each of them knows a new key. */
const DISTRIBUTION_MS = 10 * MINUTE;
/** An instance that cannot read the ring goes on sealing under the key it knows. */
const MARGIN_MS = DAY;

/** 4 random bytes. */
export const TOKEN_KEY_ID_RANDOM_BYTES = 4;
/** 32 random bytes. */
export const TOKEN_KEY_SECRET_BYTES = 32;

export interface TokenKeyState {
  readonly key: TokenKey;
  /** `next` is distributed and not yet used; `active` seals; `retired` still opens. */
  readonly state: 'next' | 'active' | 'retired';
  /** Milliseconds since the epoch; from then on no live token was sealed under a retired key. */
  readonly uselessFrom?: number;
}

/** The keys of a ring, oldest first, as they stand now. */
export function describeRing(ring: TokenRing, now: number): TokenKeyState[] {
  const byAge = [...ring].sort((a, b) => a.activeFrom - b.activeFrom);
  return byAge.map((key, index) => {
    const successor = byAge[index + 1];
    if (successor !== undefined && successor.activeFrom <= now) {
      const uselessFrom = successor.activeFrom + TOKEN_LIFETIME_RANGE_MS.max + MARGIN_MS;
      return { key, state: 'retired', uselessFrom };
    }
    return { key, state: index === 0 || key.activeFrom <= now ? 'active' : 'next' };
  });
}

/** The ring with a new key that is used once every function knows it, and without keys that no live token needs. */
export function rotateTokenRing(
  ring: TokenRing,
  { id, secret }: Omit<TokenKey, 'activeFrom'>,
  now: number,
): TokenRing {
  const needed = describeRing(ring, now).filter(
    ({ uselessFrom = Number.POSITIVE_INFINITY }) => now < uselessFrom,
  );
  return [...needed.map(({ key }) => key), { id, secret, activeFrom: now + DISTRIBUTION_MS }];
}
