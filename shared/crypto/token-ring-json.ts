/**
 * How the token ring is stored: `{"initial"?, "keys": [{"id", "secret" (base64), "activeFrom" (milliseconds)}]}`.
 * `initial` is the random text with which the secret was generated; the first key is made of it, so that a deployment
 * has a key before the first rotation.
 */

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { once } from '../domain/once.ts';
import type { TokenKey, TokenRing } from './token-ring.ts';

const INITIAL_KEY_ID = '00000000';

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
