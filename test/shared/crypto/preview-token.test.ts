import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  openPreview,
  PREVIEW_ID_BYTES,
  PREVIEW_NONCE_BYTES,
  sealPreview,
} from '../../../shared/crypto/preview-token.ts';
import { parseShowToken } from '../../../shared/crypto/show-token-seal.ts';

const HASH_SECRET = randomBytes(64);
const claims = {
  draftId: randomBytes(PREVIEW_ID_BYTES).toString('hex'),
  expiresAt: Date.parse('2026-11-20T10:30:00Z'),
};
const seal = () => sealPreview(HASH_SECRET, 'p1', { ...claims, nonce: randomBytes(PREVIEW_NONCE_BYTES) });

describe('a sealed preview', () => {
  it('opens to what was sealed, and reveals nothing', () => {
    const token = seal();
    expect(token).toMatch(/^[\w-]{68}$/);
    expect(openPreview(HASH_SECRET, 'p1', token)).toEqual(claims);
    expect(seal()).not.toBe(token);
    expect(Buffer.from(token, 'base64url').toString('hex')).not.toContain(claims.draftId);
  });

  it('does not open in another project or under another hash secret', () => {
    expect(openPreview(HASH_SECRET, 'p2', seal())).toBeUndefined();
    expect(openPreview(randomBytes(64), 'p1', seal())).toBeUndefined();
  });

  it('does not open after any change, cut or addition', () => {
    const bytes = Buffer.from(seal(), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(openPreview(HASH_SECRET, 'p1', changed.toString('base64url'))).toBeUndefined();
    }
    const token = bytes.toString('base64url');
    for (const other of ['', token.slice(1), token.slice(0, -4), `${token}AAAA`, `${token}=`, `${token} `])
      expect(openPreview(HASH_SECRET, 'p1', other)).toBeUndefined();
  });

  it('is not a show-token', () => {
    expect(parseShowToken(seal())).toBeUndefined();
  });
});
