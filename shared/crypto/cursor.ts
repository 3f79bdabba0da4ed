/**
 * Cursors are authenticated with the hash secret, so rotating token keys does not invalidate them.
 *
 *   mac 16 | position as UTF-8 as base64url
 */

import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from './derive.ts';

const MAC_BYTES = 16;

/** Excludes the page size, which may change between pages. */
export interface CursorScope {
  readonly projectId: string;
  /** A name without NUL, such as `pending-scores`. */
  readonly purpose: string;
  /** An absent filter differs from every value. */
  readonly query: Readonly<Record<string, string | boolean | undefined>>;
}

function computeMac(
  secret: Uint8Array,
  { projectId, purpose, query }: CursorScope,
  position: Buffer,
): Buffer {
  const filters = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  // JSON contains no NUL, so the parts cannot run together.
  const bound = Buffer.concat([Buffer.from(`${purpose}\0${JSON.stringify(filters)}\0`), position]);
  return keyedHash(secret, 'cursor', projectId, bound).subarray(0, MAC_BYTES);
}

/** @param position plain text that the holder of the cursor can read */
export function sealCursor(secret: Uint8Array, scope: CursorScope, position: string): string {
  const bytes = Buffer.from(position);
  return Buffer.concat([computeMac(secret, scope, bytes), bytes]).toString('base64url');
}

export function openCursor(secret: Uint8Array, scope: CursorScope, cursor: string): string | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length < MAC_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const position = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), computeMac(secret, scope, position))) return undefined;
  return position.toString();
}
