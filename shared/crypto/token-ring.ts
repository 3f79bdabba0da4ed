/** Keeps retired keys for the longest token lifetime (docs/contract.md §7.2). */

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { DAY, MINUTE } from '../domain/duration.ts';
import { once } from '../domain/memory.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../domain/project.ts';

export interface TokenKey {
  readonly id: string;
  readonly secret: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly activeFrom: number;
}

export type TokenRing = readonly TokenKey[];

/** The latest active key, or the earliest if none is active yet. */
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

/** The first key derives from the generated `initial`, so a deployment has a key before its first rotation. */
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

/** @throws Error whose message does not quote the secret */
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

/** Twice the interval at which functions read the ring. */
const DISTRIBUTION_MS = 10 * MINUTE;
/** An instance that cannot read the ring continues to use its old key. */
const MARGIN_MS = DAY;

export const TOKEN_KEY_ID_RANDOM_BYTES = 4;
export const TOKEN_KEY_SECRET_BYTES = 32;

export interface TokenKeyState {
  readonly key: TokenKey;
  readonly state: 'next' | 'active' | 'retired';
  /** Milliseconds since the epoch. */
  readonly uselessFrom?: number;
}

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

/** The new key becomes active once every function has read it. */
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
