import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf } from '../../../../shared/domain/results/difference.ts';
import { computeScore } from '../../../../shared/domain/results/score.ts';
import {
  adjustedWald,
  agrestiCoull,
  type Distribution,
  type Interval,
  studentT,
  tInterval,
} from '../../../../shared/domain/results/statistics.ts';
import { hasScale, SURVEY_TYPES, TYPES } from '../../../../shared/domain/surveys/survey.ts';
import { createRandom } from '../../../support/random.ts';
import { drawSample, NPS_SHAPES, SCALE_SHAPES, SHARES } from '../../../support/samples.ts';

const SIZES = [10, 30, 100, 1_000, 5_000] as const;
const SAMPLES = 2_000;

/** How often an interval of a sample contains the true value, in percent. */
function coverage(
  weights: readonly number[],
  size: number,
  truth: number,
  of: (counts: number[]) => Interval,
) {
  const random = createRandom(size + weights.length);
  let held = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const { low, high } = of(drawSample(weights, size, random));
    if (low <= truth && truth <= high) held += 1;
  }
  return (100 * held) / SAMPLES;
}

const shapesOf = (shapes: object) =>
  SIZES.flatMap((size) => Object.keys(shapes).map((shape) => ({ size, shape })));

const toDistribution = (counts: readonly number[], first: number): Distribution =>
  new Map(counts.map((count, index) => [first + index, count]));

describe('an interval of 95 % contains the true value in 95 ± 2 % of samples', () => {
  it.each(shapesOf(NPS_SHAPES))(
    'with adjusted Wald for the NPS of $size answers, $shape',
    ({ size, shape }) => {
      const weights = NPS_SHAPES[shape as keyof typeof NPS_SHAPES];
      const [down = 0, , up = 0] = weights;
      const held = coverage(weights, size, up - down, ([downs = 0, , ups = 0]) =>
        adjustedWald(ups, downs, size),
      );
      expect(Math.abs(held - 95)).toBeLessThanOrEqual(2);
    },
  );

  // Shares of few answers have few possible values, so Agresti–Coull intervals reach 95 % only on average over all true
  // shares.
  it.each(shapesOf(SHARES))('with Agresti–Coull for a share of $size answers, $shape', ({ size, shape }) => {
    const share = SHARES[shape as keyof typeof SHARES];
    const held = coverage([1 - share, share], size, share, ([, count = 0]) => agrestiCoull(count, size));
    expect(held).toBeGreaterThanOrEqual(93);
    expect(held).toBeLessThanOrEqual(size <= 100 ? 98.5 : 97);
  });

  // The mean of ten ratings near one end of the scale is not yet normal, so coverage is slightly lower.
  it.each(shapesOf(SCALE_SHAPES))(
    "with Student's t for a mean of $size answers, $shape",
    ({ size, shape }) => {
      const weights = SCALE_SHAPES[shape as keyof typeof SCALE_SHAPES];
      const truth = weights.reduce((sum, weight, index) => sum + weight * (index + 1), 0);
      const held = coverage(weights, size, truth, (counts) =>
        tInterval(toDistribution(counts, 1), { min: 1, max: 7 }),
      );
      const skewed = size === 10 && (shape === 'easy' || shape === 'hard');
      expect(held).toBeGreaterThanOrEqual(skewed ? 92 : 93);
      expect(held).toBeLessThanOrEqual(97);
    },
  );
});

describe('intervals', () => {
  it.each([
    [1, 12.7062],
    [2, 4.3027],
    [3, 3.1824],
    [4, 2.7764],
    [9, 2.2622],
    [29, 2.0452],
    [99, 1.9842],
    [999, 1.9623],
  ])("use the tabulated value of Student's t with %i degrees of freedom", (freedom, quantile) => {
    expect(studentT(freedom)).toBeCloseTo(quantile, 4);
  });

  it('equal a manual calculation of Agresti–Coull for 7 of 10', () => {
    const { low, high } = agrestiCoull(7, 10);
    expect(low).toBeCloseTo(0.3923, 4);
    expect(high).toBeCloseTo(0.8967, 4);
  });

  it('equal a manual calculation of adjusted Wald for 6 promoters and 2 detractors of 10', () => {
    // Smoothed: 6.75 and 2.75 of 13, which is 0.51923 and 0.21154; the difference is 0.30769, the variance 0.63609.
    const { low, high } = adjustedWald(6, 2, 10);
    expect((low + high) / 2).toBeCloseTo(0.30769, 5);
    expect((high - low) / 2).toBeCloseTo(1.959964 * Math.sqrt(0.63609 / 13), 4);
  });

  it('stay within the range of the metric', () => {
    expect(agrestiCoull(3, 3).high).toBe(1);
    expect(agrestiCoull(0, 3).low).toBe(0);
    expect(adjustedWald(2, 0, 2).high).toBe(1);
    expect(adjustedWald(0, 2, 2).low).toBe(-1);
    expect(
      tInterval(
        new Map([
          [1, 1],
          [7, 1],
        ]),
        { min: 1, max: 7 },
      ),
    ).toEqual({ low: 1, high: 7 });
  });

  it('contain the score of every survey type, however few answers there are', () => {
    for (const type of SURVEY_TYPES.filter(hasScale)) {
      const { min, max } = TYPES[type].scale;
      const several = fc.array(fc.integer({ min, max }), { minLength: 1, maxLength: 12 });
      const counted = several.map((ratings) =>
        ratings.reduce((counts, rating) => counts.set(rating, (counts.get(rating) ?? 0) + 1), new Map()),
      );
      fc.assert(
        fc.property(counted, counted, (one, other) => {
          for (const found of [computeScore(type, one), differenceOf(type, one, other)]) {
            const { low, value, high } = found ?? { low: 0, value: Number.NaN, high: 0 };
            expect(low).toBeLessThanOrEqual(value);
            expect(high).toBeGreaterThanOrEqual(value);
          }
        }),
      );
    }
    expect(computeScore('nps', new Map([[10, 1]]))).toMatchObject({ value: 100, high: 100 });
  });

  it('cover the whole scale for one rating', () => {
    expect(tInterval(new Map([[4, 1]]), { min: 1, max: 7 })).toEqual({ low: 1, high: 7 });
  });
});
