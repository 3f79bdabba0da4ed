/**
 * AES-256-GCM under a key for this purpose and project. The authenticated version differs from every show-token's. A
 * project may have 2^32 preview tokens (NIST SP 800-38D §8.3, random nonces).
 *
 *   version 1 | nonce 12 | ciphertext 22 | tag 16 as base64url: 68 characters
 */

import { createCipheriv, createDecipheriv } from 'node:crypto';
import { keyedHash } from './derive.ts';

/** Show-tokens use the versions 1 to 5. */
const VERSION = Buffer.of(0x80);
export const PREVIEW_NONCE_BYTES = 12;
export const PREVIEW_ID_BYTES = 16;
const TIME_BYTES = 6;
const TAG_BYTES = 16;
const NONCE_END = VERSION.length + PREVIEW_NONCE_BYTES;
const TOKEN_BYTES = NONCE_END + PREVIEW_ID_BYTES + TIME_BYTES + TAG_BYTES;

export interface PreviewClaims {
  readonly draftId: string;
  readonly expiresAt: number;
}

const sealingKey = (hashSecret: Uint8Array, projectId: string): Buffer =>
  keyedHash(hashSecret, 'preview', projectId, '');

/** @param nonce 12 random bytes, new for every call */
export function sealPreview(
  hashSecret: Uint8Array,
  projectId: string,
  { draftId, expiresAt, nonce }: PreviewClaims & { readonly nonce: Uint8Array },
): string {
  const plain = Buffer.alloc(PREVIEW_ID_BYTES + TIME_BYTES);
  plain.write(draftId, 'hex');
  plain.writeUIntBE(expiresAt, PREVIEW_ID_BYTES, TIME_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(hashSecret, projectId), nonce).setAAD(VERSION);
  const sealed = [VERSION, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** Callers must check the expiry. */
export function openPreview(
  hashSecret: Uint8Array,
  projectId: string,
  token: string,
): PreviewClaims | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return undefined;
  if (bytes[0] !== VERSION[0]) return undefined;
  const nonce = bytes.subarray(VERSION.length, NONCE_END);
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(hashSecret, projectId), nonce, {
    authTagLength: TAG_BYTES,
  })
    .setAAD(VERSION)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = decipher.update(bytes.subarray(NONCE_END, -TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return {
    draftId: plain.toString('hex', 0, PREVIEW_ID_BYTES),
    expiresAt: plain.readUIntBE(PREVIEW_ID_BYTES, TIME_BYTES),
  };
}
