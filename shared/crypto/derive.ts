/** Keyed hashes under the deployment's hash secret. Every purpose has a label of its own. */

import { createHmac } from 'node:crypto';
import { toKeyObject } from './key-object.ts';

/** What a keyed hash is for; two purposes never share a value. */
export type Purpose =
  | 'access-key'
  | 'address'
  | 'respondent'
  | 'email'
  | 'response-id'
  | 'cursor'
  | 'import'
  | 'session'
  | 'observation'
  | 'identity-secret';

/**
 * HMAC-SHA-256 over purpose, scope and value, separated by NUL. Purpose and scope never contain one, so no two
 * triples meet.
 * @returns 32 bytes
 */
export function keyedHash(
  secret: Uint8Array,
  purpose: Purpose,
  scope: string,
  value: string | Uint8Array,
): Buffer {
  return createHmac('sha256', toKeyObject(secret)).update(`${purpose}\0${scope}\0`).update(value).digest();
}
