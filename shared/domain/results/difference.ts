/**
 * 95 % intervals for independent answers (docs/contract.md §17.7). They do not account for people who are in both
 * samples. Tests simulate their coverage.
 */

import { type SurveyType, TYPES } from '../surveys/survey.ts';
import type { Bar } from './results.ts';
import { computeScore, type ResultScore } from './score.ts';
import {
  around,
  clamp,
  containing,
  countAll,
  countWhere,
  type Distribution,
  type Interval,
  inPercent,
  mean,
  studentT,
  variance,
  Z,
} from './statistics.ts';

export interface Difference extends Interval {
  readonly value: number;
}

export interface Compared {
  readonly responses: number;
  readonly score: ResultScore | null;
  /** `null` if one side has no answers. */
  readonly difference: Difference | null;
}

interface Estimate {
  readonly figure: number;
  readonly variance: number;
}

/** @param quantile the number of standard errors on each side */
const between = (one: Estimate, other: Estimate, quantile: number): Interval =>
  around(one.figure - other.figure, quantile * Math.sqrt(one.variance + other.variance));

type Samples = readonly [one: Distribution, other: Distribution];

function adjustedShare(ratings: Distribution, isCounted: (rating: number) => boolean): Estimate {
  const adjusted = countAll(ratings) + 2;
  const figure = (countWhere(ratings, isCounted) + 1) / adjusted;
  return { figure, variance: (figure * (1 - figure)) / adjusted };
}

/**
 * A difference of two proportions, from -1 to 1. A. Agresti, B. Caffo, "Simple and effective confidence intervals for
 * proportions and differences of proportions result from adding two successes and two failures", The American
 * Statistician 54 (2000) 280–288.
 * @param samples of at least one rating each
 */
export function agrestiCaffo(
  [one, other]: Samples,
  isCounted: (rating: number) => boolean,
  quantile: number = Z,
): Interval {
  return clamp(between(adjustedShare(one, isCounted), adjustedShare(other, isCounted), quantile), -1, 1);
}

function adjustedNps(ratings: Distribution): Estimate {
  const adjusted = countAll(ratings) + 3;
  const up = (countWhere(ratings, (rating) => rating >= 9) + 3 / 4) / adjusted;
  const down = (countWhere(ratings, (rating) => rating <= 6) + 3 / 4) / adjusted;
  return { figure: up - down, variance: (up + down - (up - down) ** 2) / adjusted };
}

/** The interval is from -2 to 2. @param samples of at least one rating each */
export const npsDifference = ([one, other]: Samples): Interval =>
  clamp(between(adjustedNps(one), adjustedNps(other), Z), -2, 2);

/**
 * A difference of two means. B. L. Welch, "The generalization of 'Student's' problem when several different population
 * variances are involved", Biometrika 34 (1947) 28–35. Rounding degrees of freedom down widens the interval. If the
 * spread cannot be estimated, the interval is the whole range.
 */
export function welch([one, other]: Samples, width: number): Interval {
  const [n, m] = [countAll(one), countAll(other)];
  const whole = { low: -width, high: width };
  if (n < 2 || m < 2) return whole;
  const first = { figure: mean(one), variance: variance(one) / n };
  const second = { figure: mean(other), variance: variance(other) / m };
  const sum = first.variance + second.variance;
  if (sum === 0) return whole;
  const freedom = sum ** 2 / (first.variance ** 2 / (n - 1) + second.variance ** 2 / (m - 1));
  // Floating-point error may put a whole number slightly below itself.
  const quantile = studentT(Math.max(1, Math.floor(freedom + 1e-9)));
  return clamp(between(first, second, quantile), -width, width);
}

function intervalOf(type: SurveyType, samples: Samples): Interval {
  const { figure, scale, high } = TYPES[type];
  if (figure === 'balance') return inPercent(npsDifference(samples));
  if (figure === 'mean') return welch(samples, scale.max - scale.min);
  return inPercent(agrestiCaffo(samples, (rating) => rating >= high));
}

/** In percentage points; for effort scores, in points of the scale. */
export function differenceOf(type: SurveyType, one: Distribution, other: Distribution): Difference | null {
  const [score, before] = [computeScore(type, one), computeScore(type, other)];
  if (score === null || before === null) return null;
  const value = score.value - before.value;
  return { value, ...containing(value, intervalOf(type, [one, other])) };
}

type Answered = Pick<Bar, 'responses' | 'distribution' | 'score'>;

export const ratingsOf = ({ distribution }: Pick<Answered, 'distribution'>): Distribution =>
  new Map(distribution.map(({ rating, count }) => [rating, count]));

export const comparedWith = (type: SurveyType, one: Answered, other: Answered): Compared => ({
  responses: other.responses,
  score: other.score,
  difference: differenceOf(type, ratingsOf(one), ratingsOf(other)),
});
