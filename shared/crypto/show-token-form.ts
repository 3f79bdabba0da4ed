/**
 * What a show-token looks like from outside, before it is opened:
 *
 *   version 2 | key id 4 | salt 12 | token id 16 | ciphertext | tag 16                                as base64url
 *   version 3 | key id 4 | salt 12 | token id 16 | length 1 | project | ciphertext | tag 16           of a link
 *
 * Version 1 had no salt: its key and nonce were derived from the token id. Such tokens still open. One that a model may
 * answer to begins with a head that is not sealed, and a dot; what is sealed says the same.
 */

import type { TokenKey } from './token-ring.ts';

const VERSION = 2;
const VERSION_OF_LINKS = 3;
const VERSION_WITHOUT_SALT = 1;
const KEY_ID_END = 5;
export const SALT_BYTES = 12;
const TOKEN_ID_BYTES = 16;
export const TAG_BYTES = 16;
/** Most characters of a show-token, its head included (docs/contract.md §7.1). */
const MOST_CHARACTERS = 1_024;

/** `{"amr":true}` (docs/contract.md §7.5). */
const MODEL_REQUESTED_HEAD = `${Buffer.from('{"amr":true}').toString('base64url')}.`;

/** What the headers of all tokens of one request begin with. */
export function composeHead(key: TokenKey, salt: Uint8Array, isLink: boolean): Buffer {
  const version = isLink ? VERSION_OF_LINKS : VERSION;
  return Buffer.concat([Buffer.of(version), Buffer.from(key.id, 'hex'), salt]);
}

/**
 * What precedes the ciphertext: readable, and authenticated.
 * @param projectId of a link, which comes with no key that would name it
 */
export function composeHeader(head: Buffer, tokenId: Buffer, projectId: string | undefined): Buffer {
  if (projectId === undefined) return Buffer.concat([head, tokenId]);
  const project = Buffer.from(projectId);
  return Buffer.concat([head, tokenId, Buffer.of(project.length), project]);
}

/** The text of a token; undefined when it would be too long. */
export function composeShowToken(bytes: Buffer, mayBeModelRequested: boolean): string | undefined {
  const text = `${mayBeModelRequested ? MODEL_REQUESTED_HEAD : ''}${bytes.toString('base64url')}`;
  return text.length > MOST_CHARACTERS ? undefined : text;
}

export interface SealedShowToken {
  readonly keyId: string;
  readonly header: Buffer;
  /** Absent in version 1. */
  readonly salt: Buffer | undefined;
  readonly tokenId: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
  /** What a link says, not authenticated yet; undefined for other tokens. */
  readonly projectId: string | undefined;
  /** What its head says, not authenticated. */
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
  if (version !== VERSION && version !== VERSION_OF_LINKS && version !== VERSION_WITHOUT_SALT)
    return undefined;
  const idStart = KEY_ID_END + (version === VERSION_WITHOUT_SALT ? 0 : SALT_BYTES);
  const idEnd = idStart + TOKEN_ID_BYTES;
  const isLink = version === VERSION_OF_LINKS;
  const headerEnd = isLink ? idEnd + 1 + (bytes[idEnd] ?? 0) : idEnd;
  if (bytes.length <= headerEnd + TAG_BYTES) return undefined;
  return {
    keyId: bytes.toString('hex', 1, KEY_ID_END),
    header: bytes.subarray(0, headerEnd),
    salt: version === VERSION_WITHOUT_SALT ? undefined : bytes.subarray(KEY_ID_END, idStart),
    tokenId: bytes.subarray(idStart, idEnd),
    ciphertext: bytes.subarray(headerEnd, -TAG_BYTES),
    tag: bytes.subarray(-TAG_BYTES),
    projectId: isLink ? bytes.toString('utf8', idEnd + 1, headerEnd) : undefined,
    saysModelRequested,
  };
}
