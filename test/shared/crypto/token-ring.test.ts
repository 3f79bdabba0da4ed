import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { composeTokenId } from '../../../shared/crypto/ids.ts';
import {
  formatTokenRing,
  parseTokenRing,
  sealingKey,
  type TokenKey,
} from '../../../shared/crypto/token-ring.ts';

const aKey = (id: string, activeFrom: number): TokenKey => ({ id, secret: randomBytes(32), activeFrom });

describe('the sealing key', () => {
  const [old, current, next] = [aKey('00000001', 0), aKey('00000002', 100), aKey('00000003', 200)];

  it.each([
    [0, '00000001'],
    [99, '00000001'],
    [100, '00000002'],
    [199, '00000002'],
    [200, '00000003'],
  ])('is chosen at %i as %s, in any order of the ring', (now, id) => {
    expect(sealingKey([old, current, next], now).id).toBe(id);
    expect(sealingKey([next, old, current], now).id).toBe(id);
  });

  it('is the earliest if none is active yet, and an empty ring is an error', () => {
    expect(sealingKey([next, current], 0).id).toBe('00000002');
    expect(() => sealingKey([], 0)).toThrow(RangeError);
  });
});

describe('a stored ring', () => {
  it('reads back as written', () => {
    const ring = [aKey('0000000a', 0), aKey('0000000b', 1_795_000_000_000)];
    expect(parseTokenRing(formatTokenRing(ring))).toEqual(ring);
  });

  it('starts with a stable key derived from the generated text', () => {
    const text = JSON.stringify({ initial: 'x'.repeat(32), keys: [] });
    const [first] = parseTokenRing(text);
    expect(first).toMatchObject({ id: '00000000', activeFrom: 0 });
    expect(first?.secret).toHaveLength(32);
    expect(parseTokenRing(text)).toEqual(parseTokenRing(text));
  });

  it.each([
    ['no JSON', 'canary'],
    ['no ring', '{"canary":1}'],
    ['a short secret', '{"keys":[{"id":"0000000a","secret":"canary","activeFrom":0}]}'],
    ['a bad id', `{"keys":[{"id":"canary","secret":"${'A'.repeat(44)}","activeFrom":0}]}`],
    ['a short initial text', '{"initial":"canary","keys":[]}'],
  ])('rejects %s without quoting it', (_, text) => {
    expect(() => parseTokenRing(text)).toThrow(/^the stored token ring is malformed$/);
  });
});

describe('a token id', () => {
  it('sorts by time as text, and keeps every random bit', () => {
    const moments = [0, 1, 255, 256, Date.parse('2026-11-20'), 2 ** 48 - 1];
    const ids = moments.map((moment) => composeTokenId(moment, new Uint8Array(10).fill(0xab)));
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}(ab){10}$/);
  });
});
