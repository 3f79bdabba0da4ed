import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stickyHash } from '../../../sdk/browser/sampling.ts';

/** FNV-1a by the book, in exact arithmetic. */
function reference(text: string): number {
  let hash = 0x811c9dc5n;
  for (let at = 0; at < text.length; at++)
    hash = ((hash ^ BigInt(text.charCodeAt(at))) * 0x01000193n) % 2n ** 32n;
  return Number(hash);
}

describe('the sticky hash', () => {
  it.each([
    ['ann', 'sv_1', 414026045],
    ['', 'sv_1', 4139928270],
    ['Zoë', 'sv_ü', 1183533647],
    ['🙂', 'sv_1', 2613282459],
  ])('of %s and %s is the same in every client', (respondent, survey, hash) => {
    expect(stickyHash(respondent, survey)).toBe(hash);
  });

  it('is FNV-1a over the UTF-16 code units of respondent, NUL, survey', () => {
    expect(reference('foobar')).toBe(0xbf9cf968);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (respondent, survey) => {
        expect(stickyHash(respondent, survey)).toBe(reference(`${respondent}\0${survey}`));
      }),
    );
  });

  it('spreads people evenly over the hundred', () => {
    const counts = new Array<number>(100).fill(0);
    for (let person = 0; person < 50_000; person++) {
      const bucket = stickyHash(`user-${person}`, 'sv_1') % 100;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(350);
    expect(Math.max(...counts)).toBeLessThan(650);
  });
});
