/**
 * Paging cursors: a position, authenticated under the hash secret and bound to project, purpose and query, so that one
 * issued elsewhere or for another question does not open. Rotation of token keys does not touch them.
 *
 *   mac 16 | position as UTF-8        as base64url
 */

import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from './derive.ts';

const MAC_BYTES = 16;

/** What a cursor is good for. The page size is not part of it: every page may have another. */
export interface CursorScope {
  readonly projectId: string;
  /** The walk it belongs to, such as `pending-scores`; without NUL. */
  readonly purpose: string;
  /** The filters of the query; one that is absent differs from every value it could have. */
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
  // JSON text holds no NUL, so purpose, filters and position cannot run into one another.
  const bound = Buffer.concat([Buffer.from(`${purpose}\0${JSON.stringify(filters)}\0`), position]);
  return keyedHash(secret, 'cursor', projectId, bound).subarray(0, MAC_BYTES);
}

/** @param position where the next page begins; the holder of the cursor can read it, so nothing secret */
export function sealCursor(secret: Uint8Array, scope: CursorScope, position: string): string {
  const bytes = Buffer.from(position);
  return Buffer.concat([computeMac(secret, scope, bytes), bytes]).toString('base64url');
}

/** The position, or undefined when the cursor is malformed or was not issued for exactly this scope. */
export function openCursor(secret: Uint8Array, scope: CursorScope, cursor: string): string | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length < MAC_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const position = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), computeMac(secret, scope, position))) return undefined;
  return position.toString();
}
