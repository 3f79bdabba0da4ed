import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { toKeyObject } from '../../../shared/crypto/derive.ts';

it('hashes like the raw bytes and is made once', () => {
  const secret = new Uint8Array(32).fill(5);
  const digest = (key: Parameters<typeof createHmac>[1]) =>
    createHmac('sha256', key).update('x').digest('hex');
  expect(digest(toKeyObject(secret))).toBe(digest(secret));
  expect(toKeyObject(secret)).toBe(toKeyObject(secret));
});
