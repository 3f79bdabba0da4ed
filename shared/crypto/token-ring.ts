/**
 * The ring of keys under which show-tokens are sealed, how it is stored, and its rotation. It holds every key retired
 * within the longest token lifetime (docs/contract.md §7.2); a new key is distributed before it is used (`activeFrom`).
 */

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { DAY, MINUTE } from '../domain/duration.ts';
import { once } from '../domain/memory.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../domain/project.ts';

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

const INITIAL_KEY_ID = '00000000';

/**
 * How the ring is stored. `secret` is base64, `activeFrom` milliseconds. `initial` is the random text with which the
 * secret was generated; the first key is made of it, so that a deployment has a key before the first rotation.
 */
const storedRing = once(() =>
  z.object({
    initial: z.exactOptional(z.string().check(z.minLength(32))),
    keys: z.array(
      z.object({
        id: z.string().check(z.regex(/^[0-9a-f]{8}$/)),
        secret: z.string().check(z.minLength(43)),
        activeFrom: z.number(),
      }),
    ),
  }),
);

/** @throws Error when the text is not a ring; the message quotes nothing of it */
export function parseTokenRing(json: string): TokenRing {
  const parsed = z.safeParse(storedRing(), readJson(json));
  if (!parsed.success) throw new Error('the stored token ring is malformed');
  const { initial, keys } = parsed.data;
  const ring: TokenKey[] = keys.map((key) => ({ ...key, secret: Buffer.from(key.secret, 'base64') }));
  if (initial !== undefined) {
    ring.unshift({
      id: INITIAL_KEY_ID,
      secret: createHash('sha256').update(initial).digest(),
      activeFrom: 0,
    });
  }
  return ring;
}

function readJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export function formatTokenRing(ring: TokenRing): string {
  const keys = ring.map(({ id, secret, activeFrom }) => ({
    id,
    secret: Buffer.from(secret).toString('base64'),
    activeFrom,
  }));
  return JSON.stringify({ keys });
}

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
