import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  IDENTITY_NONCE_BYTES,
  openIdentitySecret,
  sealIdentitySecret,
} from '../../../shared/crypto/identity-secret.ts';

const HASH_SECRET = randomBytes(64);
const secret = randomBytes(32).toString('base64url');
const seal = () =>
  sealIdentitySecret(HASH_SECRET, 'p1', { id: 'a', secret, nonce: randomBytes(IDENTITY_NONCE_BYTES) });

describe('a sealed identity secret', () => {
  it('opens to the bytes of the printed secret', () => {
    const key = openIdentitySecret(HASH_SECRET, 'p1', { id: 'a', sealed: seal() });
    expect(Buffer.from(key).toString()).toBe(secret);
    expect(key.length).toBeGreaterThanOrEqual(32);
  });

  it('differs each time, and reveals nothing of the secret', () => {
    expect(seal()).not.toBe(seal());
    expect(Buffer.from(seal(), 'base64').includes(secret)).toBe(false);
  });

  it('does not open for another project, id or hash secret, or after a change', () => {
    const sealed = seal();
    const bytes = Buffer.from(sealed, 'base64');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    expect(() => openIdentitySecret(HASH_SECRET, 'p2', { id: 'a', sealed })).toThrow();
    expect(() => openIdentitySecret(HASH_SECRET, 'p1', { id: 'b', sealed })).toThrow();
    expect(() => openIdentitySecret(randomBytes(64), 'p1', { id: 'a', sealed })).toThrow();
    expect(() =>
      openIdentitySecret(HASH_SECRET, 'p1', { id: 'a', sealed: bytes.toString('base64') }),
    ).toThrow();
  });
});
