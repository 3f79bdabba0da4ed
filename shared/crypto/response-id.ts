/**
 * A response id locates its row without a look-up: the token id, then the respondent hash masked with a pad keyed by
 * that token id, so two ids of one person have nothing in common. It does not depend on token-key rotation.
 */

import { keyedHash } from './derive.ts';

const TOKEN_ID_BYTES = 16;
const RESPONDENT_HASH_BYTES = 16;

export interface ResponseLocation {
  /** Lower-case hex. */
  readonly tokenId: string;
  /** Lower-case hex. */
  readonly respondentHash: string;
}

function mask(secret: Uint8Array, projectId: string, tokenId: Buffer, bytes: Buffer): Buffer {
  const pad = keyedHash(secret, 'response-id', projectId, tokenId);
  const masked = Buffer.alloc(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) {
    masked[index] = bytes.readUInt8(index) ^ pad.readUInt8(index);
  }
  return masked;
}

/** @returns 43 URL-safe characters */
export function responseId(secret: Uint8Array, projectId: string, location: ResponseLocation): string {
  const tokenId = Buffer.from(location.tokenId, 'hex');
  const hash = Buffer.from(location.respondentHash, 'hex');
  return Buffer.concat([tokenId, mask(secret, projectId, tokenId, hash)]).toString('base64url');
}

/** Where a response id points within the caller's project, or undefined when it cannot be one. */
export function locateResponse(
  secret: Uint8Array,
  projectId: string,
  id: string,
): ResponseLocation | undefined {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length !== TOKEN_ID_BYTES + RESPONDENT_HASH_BYTES || bytes.toString('base64url') !== id)
    return undefined;
  const tokenId = bytes.subarray(0, TOKEN_ID_BYTES);
  const hash = mask(secret, projectId, tokenId, bytes.subarray(TOKEN_ID_BYTES));
  return { tokenId: tokenId.toString('hex'), respondentHash: hash.toString('hex') };
}
