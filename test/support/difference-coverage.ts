/**
 * How often the interval of a difference contains the true value, over all pairs of shapes of docs/contract.md §17.4.
 */

import { differenceOf } from '../../shared/domain/results/difference.ts';
import type { Distribution } from '../../shared/domain/results/statistics.ts';
import type { SurveyType } from '../../shared/domain/surveys/survey.ts';
import { createRandom } from './random.ts';
import { drawSample, NPS_SHAPES, SCALE_SHAPES, SHARES } from './samples.ts';

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

/** Percentages of samples. */
export interface Coverage {
  readonly mean: number;
  readonly lowest: number;
}

/** The seed depends only on the sizes. */
export function differenceCoverage(
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
