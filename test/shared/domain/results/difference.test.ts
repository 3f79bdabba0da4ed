import { describe, expect, it } from 'vitest';
import {
  agrestiCaffo,
  comparedWith,
  differenceOf,
  npsDifference,
  welch,
} from '../../../../shared/domain/results/difference.ts';
import type { Distribution } from '../../../../shared/domain/results/statistics.ts';

const shares = (count: number, n: number): Distribution =>
  new Map([
    [0, n - count],
    [1, count],
  ]);
const isUp = (rating: number) => rating === 1;
const npsOf = (promoters: number, passives: number, detractors: number): Distribution =>
  new Map([
    [10, promoters],
    [8, passives],
    [0, detractors],
  ]);
const of = (...ratings: number[]): Distribution =>
  ratings.reduce((counts, rating) => counts.set(rating, (counts.get(rating) ?? 0) + 1), new Map());

const closeTo = ({ low, high }: { low: number; high: number }) => ({
  low: expect.closeTo(low, 4),
  high: expect.closeTo(high, 4),
});

describe('a manual calculation', () => {
  it('equals Agresti–Caffo for 7 of 10 and 4 of 8', () => {
    // 8/12 and 5/10: 0.166667 ± 1.959964 √(0.2222/12 + 0.25/10).
    expect(agrestiCaffo([shares(7, 10), shares(4, 8)], isUp)).toEqual(
      closeTo({ low: -0.242203, high: 0.575537 }),
    );
  });

  it('equals the difference of the NPS of 5, 3 and 2 of 10, and of 2, 4 and 6 of 12', () => {
    // Smoothed: 5.75 − 2.75 of 13 and 2.75 − 6.75 of 15; the variances are 0.600592 and 0.562222.
    const value = 3 / 13 + 4 / 15;
    const margin = 1.959964 * Math.sqrt(0.6005917 / 13 + 0.5622222 / 15);
    expect(npsDifference([npsOf(5, 3, 2), npsOf(2, 4, 6)])).toEqual(
      closeTo({ low: value - margin, high: value + margin }),
    );
  });

  it("equals Welch's t for two samples", () => {
    // Means 5 and 3, variances 2 and 1, sizes 4 and 3: s² = 0.5 + 0.3333, with 5 degrees of freedom.
    const margin = 2.570582 * Math.sqrt(0.5 + 1 / 3);
    expect(welch([of(3, 5, 6, 6), of(2, 3, 4)], 6)).toEqual(closeTo({ low: 2 - margin, high: 2 + margin }));
  });

  it("equals Student's t of the other sample if one does not vary", () => {
    const margin = 4.302653 * Math.sqrt(1 / 3);
    expect(welch([of(2, 3, 4), of(2, 2, 2)], 6)).toEqual(closeTo({ low: 1 - margin, high: 1 + margin }));
  });
});

describe('a difference', () => {
  it.each([
    ['nps', npsOf(50, 30, 20), npsOf(20, 30, 50), 60],
    ['csat', of(4, 5, 5, 1), of(1, 4), 25],
    ['ces', of(2, 4, 6), of(1, 2, 6), 1],
    ['pmf', of(2, 2, 0, 1), of(0, 1, 2, 2, 2), -10],
    ['thumbs', of(1, 1), of(0, 1), 50],
  ] as const)(
    'of %s is the difference of the scores, and changes sign with their order',
    (type, one, other, value) => {
      const [forth, back] = [differenceOf(type, one, other), differenceOf(type, other, one)];
      expect(forth?.value).toBeCloseTo(value);
      expect(back?.value).toBeCloseTo(-value);
      expect([back?.low, back?.high]).toEqual([
        expect.closeTo(-(forth?.high ?? 0)),
        expect.closeTo(-(forth?.low ?? 0)),
      ]);
    },
  );

  it.each([
    ['thumbs', of(1, 1), of(0, 0), { low: -100, high: 100 }],
    ['ces', of(7, 7, 6), of(1, 1, 2), { low: -6, high: 6 }],
  ] as const)('of %s stays within the range of a difference', (type, one, other, { low, high }) => {
    const difference = differenceOf(type, one, other);
    expect(difference?.low).toBeGreaterThanOrEqual(low);
    expect(difference?.high).toBe(high);
    expect(differenceOf(type, other, one)?.low).toBe(low);
  });

  it.each([
    [of(4), of(1, 2, 3)],
    [of(1, 2, 3), of(4)],
    [of(4, 4, 4), of(5, 5)],
  ])('of means without a known variance may have any value', (one, other) => {
    expect(differenceOf('ces', one, other)).toMatchObject({ low: -6, high: 6 });
  });

  it('is null if either side has no answers', () => {
    for (const type of ['nps', 'csat', 'ces', 'pmf', 'thumbs'] as const) {
      expect(differenceOf(type, of(1), of())).toBeNull();
      expect(differenceOf(type, of(), of(1))).toBeNull();
    }
  });
});

it('returns the number of answers, the score and the difference of the compared side', () => {
  const bar = (ratings: number[]) => ({
    responses: ratings.length,
    distribution: [...of(...ratings)].map(([rating, count]) => ({ rating, count })),
    score: null,
  });
  expect(comparedWith('thumbs', bar([1, 1, 0, 1]), bar([0, 1]))).toEqual({
    responses: 2,
    score: null,
    difference: { value: 25, low: expect.any(Number), high: expect.any(Number) },
  });
});
