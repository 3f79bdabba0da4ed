/**
 * What a show-token looks like from outside, before it is opened:
 *
 *   version 2 | key id 4 | salt 12 | token id 16 | ciphertext | tag 16        as base64url
 *
 * Version 1 had no salt: its key and nonce were derived from the token id. Such tokens still open. One that a model may
 * answer to begins with a head that anybody can read, and a dot; what is sealed says the same.
 */

import type { TokenKey } from './token-ring.ts';

const VERSION = 2;
const VERSION_WITHOUT_SALT = 1;
const KEY_ID_END = 5;
export const SALT_BYTES = 12;
const TOKEN_ID_BYTES = 16;
export const TAG_BYTES = 16;
/** Most characters of a show-token, its head included (docs/contract.md §7.1). */
const MOST_CHARACTERS = 1_024;

/** `{"amr":true}` (docs/contract.md §7.5). */
const MODEL_REQUESTED_HEAD = `${Buffer.from('{"amr":true}').toString('base64url')}.`;

/** Version, key and salt: what the tokens of one request have in common. */
export function composePrefix({ id }: TokenKey, salt: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(id, 'hex'), salt]);
}

/** The text of a token. */
export function composeShowToken(bytes: Buffer, mayBeModelRequested: boolean): string {
  return `${mayBeModelRequested ? MODEL_REQUESTED_HEAD : ''}${bytes.toString('base64url')}`;
}

export interface SealedShowToken {
  readonly keyId: string;
  readonly header: Buffer;
  /** Absent in version 1. */
  readonly salt: Buffer | undefined;
  readonly tokenId: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
  /** What its head says, which anybody may have put there. */
  readonly saysModelRequested: boolean;
}

/** Splits a token without trusting it; undefined when it is malformed, a non-canonical encoding included. */
export function parseShowToken(token: string): SealedShowToken | undefined {
  if (token.length > MOST_CHARACTERS) return undefined;
  const saysModelRequested = token.startsWith(MODEL_REQUESTED_HEAD);
  const text = saysModelRequested ? token.slice(MODEL_REQUESTED_HEAD.length) : token;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) return undefined;
  const [version] = bytes;
  if (version !== VERSION && version !== VERSION_WITHOUT_SALT) return undefined;
  const idStart = KEY_ID_END + (version === VERSION ? SALT_BYTES : 0);
  const headerEnd = idStart + TOKEN_ID_BYTES;
  if (bytes.length <= headerEnd + TAG_BYTES) return undefined;
  return {
    keyId: bytes.toString('hex', 1, KEY_ID_END),
    header: bytes.subarray(0, headerEnd),
    salt: version === VERSION ? bytes.subarray(KEY_ID_END, idStart) : undefined,
    tokenId: bytes.subarray(idStart, headerEnd),
    ciphertext: bytes.subarray(headerEnd, -TAG_BYTES),
    tag: bytes.subarray(-TAG_BYTES),
    saysModelRequested,
  };
}
