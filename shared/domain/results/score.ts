/** The figure of a survey's type with its interval (docs/contract.md §17.4). */

import { SCALES, type SurveyType } from '../surveys/survey.ts';
import {
  adjustedWald,
  agrestiCoull,
  CONFIDENCE,
  countAll,
  countWhere,
  type Distribution,
  type Interval,
  mean,
  tInterval,
} from './statistics.ts';

interface ScoreBase extends Interval {
  readonly value: number;
  readonly confidence: number;
}

export type ResultScore =
  | (ScoreBase & {
      readonly metric: 'nps';
      readonly promoters: number;
      readonly passives: number;
      readonly detractors: number;
    })
  | (ScoreBase & { readonly metric: 'csat'; readonly mean: number })
  | (ScoreBase & { readonly metric: 'ces'; readonly agree: number })
  | (ScoreBase & { readonly metric: 'pmf' })
  | (ScoreBase & { readonly metric: 'thumbs' });

function percent(ratings: Distribution, from: number): Omit<ScoreBase, 'confidence'> {
  const n = countAll(ratings);
  const count = countWhere(ratings, (rating) => rating >= from);
  const { low, high } = agrestiCoull(count, n);
  return { value: (100 * count) / n, low: 100 * low, high: 100 * high };
}

function computeNps(ratings: Distribution): Omit<Extract<ResultScore, { metric: 'nps' }>, 'confidence'> {
  const n = countAll(ratings);
  const promoters = countWhere(ratings, (rating) => rating >= 9);
  const detractors = countWhere(ratings, (rating) => rating <= 6);
  const { low, high } = adjustedWald(promoters, detractors, n);
  return {
    metric: 'nps',
    value: (100 * (promoters - detractors)) / n,
    low: 100 * low,
    high: 100 * high,
    promoters,
    passives: n - promoters - detractors,
    detractors,
  };
}

const SCORES = {
  nps: (ratings) => ({ ...computeNps(ratings), confidence: CONFIDENCE }),
  csat: (ratings) => ({
    metric: 'csat',
    ...percent(ratings, 4),
    confidence: CONFIDENCE,
    mean: mean(ratings),
  }),
  ces: (ratings) => ({
    metric: 'ces',
    value: mean(ratings),
    ...tInterval(ratings, SCALES.ces),
    confidence: CONFIDENCE,
    agree: percent(ratings, 5).value,
  }),
  pmf: (ratings) => ({ metric: 'pmf', ...percent(ratings, 2), confidence: CONFIDENCE }),
  thumbs: (ratings) => ({ metric: 'thumbs', ...percent(ratings, 1), confidence: CONFIDENCE }),
} as const satisfies Record<SurveyType, (ratings: Distribution) => ResultScore>;

/** Null without responses. */
export function computeScore(type: SurveyType, ratings: Distribution): ResultScore | null {
  return countAll(ratings) === 0 ? null : SCORES[type](ratings);
}
