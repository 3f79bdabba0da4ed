import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { differenceOf } from '../../../../shared/domain/results/difference.ts';
import type { Distribution } from '../../../../shared/domain/results/statistics.ts';
import type { SurveyType } from '../../../../shared/domain/surveys/survey.ts';
import { IS_WHOLE } from '../../../support/depth.ts';
import { createRandom } from '../../../support/random.ts';
import { drawSample, NPS_SHAPES, SCALE_SHAPES, SHARES } from '../../../support/samples.ts';

interface Shape {
  readonly weights: readonly number[];
  readonly ratings: readonly number[];
  readonly truth: number;
}

/** `thumbs` represents every share. */
const SHAPES: Readonly<Partial<Record<SurveyType, readonly Shape[]>>> = {
  nps: Object.values(NPS_SHAPES).map((weights) => ({
    weights,
    ratings: [0, 8, 10],
    truth: 100 * ((weights[2] ?? 0) - (weights[0] ?? 0)),
  })),
  thumbs: Object.values(SHARES).map((share) => ({
    weights: [1 - share, share],
    ratings: [0, 1],
    truth: 100 * share,
  })),
  ces: Object.values(SCALE_SHAPES).map((weights) => ({
    weights,
    ratings: weights.map((_, index) => index + 1),
    truth: weights.reduce((sum, weight, index) => sum + weight * (index + 1), 0),
  })),
};

/** Percentages of samples whose interval contains the true value. */
interface Coverage {
  readonly mean: number;
  readonly lowest: number;
}

/** The seed depends only on the sample sizes. */
function differenceCoverage(
  type: 'nps' | 'thumbs' | 'ces',
  [size, otherSize]: readonly [number, number],
  samples: number,
): Coverage {
  const random = createRandom(size * 7 + otherSize);
  const shapes = SHAPES[type] ?? [];
  const draw = ({ weights, ratings }: Shape, people: number): Distribution[] =>
    Array.from({ length: samples }, () => {
      const counts = drawSample(weights, people, random);
      return new Map(ratings.map((rating, index) => [rating, counts[index] ?? 0]));
    });
  const ones = shapes.map((shape) => draw(shape, size));
  const others = shapes.map((shape) => draw(shape, otherSize));
  const held = shapes.flatMap((one, first) =>
    shapes.map((other, second) => {
      const truth = one.truth - other.truth;
      const holds = (ones[first] ?? []).filter((sample, nth) => {
        const difference = differenceOf(type, sample, others[second]?.[nth] ?? new Map());
        return difference !== null && difference.low <= truth && truth <= difference.high;
      });
      return (100 * holds.length) / samples;
    }),
  );
  return { mean: held.reduce((sum, each) => sum + each, 0) / held.length, lowest: Math.min(...held) };
}

const SAMPLES = IS_WHOLE ? 2_000 : 500;
/** Percentage points by which the lowest of 25 coverages may differ from a measurement with 20,000 samples. */
const NOISE = IS_WHOLE ? 1.2 : 3;
const METRICS = ['thumbs', 'nps', 'ces'] as const;

type Sizes = readonly [number, number];
const LARGE: readonly Sizes[] = IS_WHOLE
  ? [
      [100, 100],
      [100, 1_000],
      [1_000, 1_000],
    ]
  : [
      [100, 100],
      [100, 500],
    ];

/** Sample sizes, and the lowest coverage for shares, the NPS and means, from the contract's table. */
function statedRows(): readonly { readonly sizes: Sizes; readonly lowest: readonly number[] }[] {
  const contract = readFileSync(new URL('../../../../docs/contract.md', import.meta.url), 'utf8');
  const rows = contract.matchAll(/^\| (\d+) and (\d+) +\|(.+)\|$/gm);
  return [...rows].map(([, one, other, cells = '']) => ({
    sizes: [Number(one), Number(other)],
    lowest: cells.split('|').map(Number),
  }));
}

const stated = statedRows().filter(({ sizes }) => IS_WHOLE || sizes[0] === sizes[1]);

it('finds the coverage for few answers in a table of the contract', () => {
  expect(statedRows()).toHaveLength(6);
});

describe.each(METRICS.map((metric, column) => ({ metric, column })))('$metric', ({ metric, column }) => {
  it.each(LARGE)('keeps 95 ± 2 % on average over all pairs with %i and %i answers', (size, other) => {
    expect(Math.abs(differenceCoverage(metric, [size, other], SAMPLES).mean - 95)).toBeLessThanOrEqual(2);
  });

  it.each(stated)(
    'keeps for each pair the coverage that the contract states for $sizes answers',
    ({ sizes, lowest }) => {
      const measured = differenceCoverage(metric, sizes, SAMPLES).lowest;
      expect(Math.abs(measured - (lowest[column] ?? 0))).toBeLessThanOrEqual(NOISE);
    },
  );
});
