import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorScope, openCursor, sealCursor } from '../../../shared/crypto/cursor.ts';

const SECRET = new Uint8Array(32).fill(1);
const SCOPE: CursorScope = { projectId: 'p1', purpose: 'pending-scores', query: { includeFailed: false } };

const scope = fc.record({
  projectId: fc.stringMatching(/^[a-z0-9]{1,8}$/),
  purpose: fc.constantFrom('pending-scores', 'export'),
  query: fc.dictionary(
    fc.string({ maxLength: 4 }),
    fc.option(fc.oneof(fc.string(), fc.boolean()), { nil: undefined }),
    {
      maxKeys: 3,
    },
  ),
});

/** The filters, regardless of their order and without absent ones. */
const essence = ({ projectId, purpose, query }: CursorScope) =>
  JSON.stringify([
    projectId,
    purpose,
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  ]);

describe('cursor', () => {
  it('opens in its own scope and is URL-safe', () => {
    fc.assert(
      fc.property(scope, fc.string({ unit: 'grapheme' }), (own, position) => {
        const cursor = sealCursor(SECRET, own, position);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(openCursor(SECRET, own, cursor)).toBe(position);
      }),
    );
  });

  it('does not open for another project, purpose or query', () => {
    fc.assert(
      fc.property(scope, scope, fc.string(), (own, other, position) => {
        fc.pre(essence(own) !== essence(other));
        expect(openCursor(SECRET, other, sealCursor(SECRET, own, position))).toBeUndefined();
      }),
    );
  });

  it('ignores the order of filters, and absent ones', () => {
    const sealed = sealCursor(SECRET, { ...SCOPE, query: { a: 'x', b: true, c: undefined } }, 'here');
    expect(openCursor(SECRET, { ...SCOPE, query: { b: true, a: 'x' } }, sealed)).toBe('here');
  });

  it('does not open under another secret', () => {
    expect(openCursor(new Uint8Array(32), SCOPE, sealCursor(SECRET, SCOPE, 'here'))).toBeUndefined();
  });

  it('does not open with any bit changed, cut short, extended, or in a non-canonical encoding', () => {
    const bytes = Buffer.from(sealCursor(SECRET, SCOPE, '2026-11-20T09:30:00.000Z#id'), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(openCursor(SECRET, SCOPE, forged.toString('base64url'))).toBeUndefined();
    }
    for (let length = 0; length < bytes.length; length += 1)
      expect(openCursor(SECRET, SCOPE, bytes.toString('base64url', 0, length))).toBeUndefined();
    expect(openCursor(SECRET, SCOPE, `${bytes.toString('base64url')}AA`)).toBeUndefined();
    expect(openCursor(SECRET, SCOPE, `${bytes.toString('base64url')}=`)).toBeUndefined();
    expect(openCursor(SECRET, SCOPE, ' ')).toBeUndefined();
  });
});
