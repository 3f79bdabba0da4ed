/**
 * A project's server signs its users' tokens with this secret (docs/identity.md). It is stored encrypted with
 * AES-256-GCM under a project key of the hash secret; the id is authenticated.
 *
 *   nonce 12 | ciphertext | tag 16 as base64
 */

import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { IdentitySecret } from '../domain/project.ts';
import { keyedHash } from './derive.ts';

export const IDENTITY_SECRET_BYTES = 32;
export const IDENTITY_SECRET_ID_BYTES = 6;
export const IDENTITY_NONCE_BYTES = 12;
const TAG_BYTES = 16;

const sealingKey = (hashSecret: Uint8Array, projectId: string): Buffer =>
  keyedHash(hashSecret, 'identity-secret', projectId, '');

/** @param nonce 12 random bytes, new for every call */
export function sealIdentitySecret(
  hashSecret: Uint8Array,
  projectId: string,
  { id, secret, nonce }: { readonly id: string; readonly secret: string; readonly nonce: Uint8Array },
): string {
  const cipher = createCipheriv('aes-256-gcm', sealingKey(hashSecret, projectId), nonce).setAAD(
    Buffer.from(id),
  );
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
}

/** The HMAC key: the UTF-8 bytes of the printed secret. */
export function openIdentitySecret(
  hashSecret: Uint8Array,
  projectId: string,
  { id, sealed }: Pick<IdentitySecret, 'id' | 'sealed'>,
): Uint8Array {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    sealingKey(hashSecret, projectId),
    bytes.subarray(0, IDENTITY_NONCE_BYTES),
    { authTagLength: TAG_BYTES },
  )
    .setAAD(Buffer.from(id))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IDENTITY_NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
