/** docs/contract.md §17.4. */

import { isLow, type SurveyType, TYPES } from '../surveys/survey.ts';
import {
  adjustedWald,
  agrestiCoull,
  CONFIDENCE,
  containing,
  countAll,
  countWhere,
  type Distribution,
  type Interval,
  inPercent,
  mean,
  tInterval,
} from './statistics.ts';

export interface ScoreBase extends Interval {
  readonly value: number;
  readonly confidence: number;
}

type Figure = (typeof TYPES)[SurveyType]['figure'];
type TypeOf<Kind extends Figure> = {
  [Type in SurveyType]: (typeof TYPES)[Type]['figure'] extends Kind ? Type : never;
}[SurveyType];

export type ResultScore =
  | (ScoreBase & {
      readonly metric: TypeOf<'balance'>;
      readonly promoters: number;
      readonly passives: number;
      readonly detractors: number;
    })
  | (ScoreBase & { readonly metric: TypeOf<'rated share'>; readonly mean: number })
  | (ScoreBase & { readonly metric: TypeOf<'mean'>; readonly agree: number })
  | (ScoreBase & { readonly metric: TypeOf<'share'> });

export type Share = Omit<ScoreBase, 'confidence'>;

/** In percent. @param n at least 1 */
export function shareOf(count: number, n: number): Share {
  const value = (100 * count) / n;
  return { value, ...containing(value, inPercent(agrestiCoull(count, n))) };
}

const percent = (ratings: Distribution, from: number): Share =>
  shareOf(
    countWhere(ratings, (rating) => rating >= from),
    countAll(ratings),
  );

function balance(type: SurveyType, ratings: Distribution) {
  const n = countAll(ratings);
  const promoters = countWhere(ratings, (rating) => rating >= TYPES[type].high);
  const detractors = countWhere(ratings, (rating) => isLow(type, rating));
  const value = (100 * (promoters - detractors)) / n;
  return {
    value,
    ...containing(value, inPercent(adjustedWald(promoters, detractors, n))),
    promoters,
    passives: n - promoters - detractors,
    detractors,
  };
}

type Scale = Parameters<typeof tInterval>[1];

function meanOn(values: Distribution, scale: Scale): ScoreBase {
  const value = mean(values);
  return { value, ...containing(value, tInterval(values, scale)), confidence: CONFIDENCE };
}

/** @returns null without values */
export const meanScore = (values: Distribution, scale: Scale): ScoreBase | null =>
  countAll(values) === 0 ? null : meanOn(values, scale);

const is = <Kind extends Figure>(type: SurveyType, figure: Kind): type is TypeOf<Kind> =>
  TYPES[type].figure === figure;

export function computeScore(type: SurveyType, ratings: Distribution): ResultScore | null {
  if (countAll(ratings) === 0 || is(type, 'none')) return null;
  const { scale, high } = TYPES[type];
  const confidence = CONFIDENCE;
  if (is(type, 'balance')) return { metric: type, ...balance(type, ratings), confidence };
  const share = percent(ratings, high);
  if (is(type, 'rated share')) return { metric: type, ...share, confidence, mean: mean(ratings) };
  if (is(type, 'share')) return { metric: type, ...share, confidence };
  return { metric: type, ...meanOn(ratings, scale), agree: share.value };
}
