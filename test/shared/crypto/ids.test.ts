import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateResponse, responseId } from '../../../shared/crypto/ids.ts';

const SECRET = randomBytes(32);
const hex = () =>
  fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const location = fc.record({ tokenId: hex(), respondentHash: hex() });

describe('a response id', () => {
  it('locates its row, is stable, and has 43 URL-safe characters', () => {
    fc.assert(
      fc.property(location, (where) => {
        const id = responseId(SECRET, 'p1', where);
        expect(id).toMatch(/^[\w-]{43}$/);
        expect(responseId(SECRET, 'p1', where)).toBe(id);
        expect(locateResponse(SECRET, 'p1', id)).toEqual(where);
      }),
    );
  });

  it('reveals no respondent to another project or under another secret', () => {
    fc.assert(
      fc.property(location, (where) => {
        const id = responseId(SECRET, 'p1', where);
        expect(locateResponse(SECRET, 'p2', id)?.respondentHash).not.toBe(where.respondentHash);
        expect(locateResponse(randomBytes(32), 'p1', id)?.respondentHash).not.toBe(where.respondentHash);
        expect(responseId(SECRET, 'p2', where)).not.toBe(id);
      }),
    );
  });

  it('shares no block with another id of the same person', () => {
    fc.assert(
      fc.property(hex(), hex(), hex(), (respondentHash, first, second) => {
        fc.pre(first !== second);
        const [one = '', two = ''] = [first, second].map((tokenId) =>
          Buffer.from(responseId(SECRET, 'p1', { tokenId, respondentHash }), 'base64url').toString('hex', 16),
        );
        expect(one).not.toBe(respondentHash);
        for (let at = 0; at + 8 <= 32; at += 2) expect(two).not.toContain(one.slice(at, at + 8));
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it.each([
    ['empty', ''],
    ['too short', 'A'.repeat(42)],
    ['too long', 'A'.repeat(44)],
    ['padded', `${'A'.repeat(43)}=`],
    ['a twin with unused bits set', `${'A'.repeat(42)}B`],
    ['standard base64', `${'+/'.repeat(21)}A`],
    ['with a space', ` ${'A'.repeat(43)}`],
  ])('rejects %s', (_, id) => {
    expect(locateResponse(SECRET, 'p1', id)).toBeUndefined();
  });
});
