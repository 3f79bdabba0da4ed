/** The axis of scores, cut where people would cut it. */

import type { ResultScore } from '../../../shared/domain/results/score.ts';
import { type SurveyType, TYPES } from '../../../shared/domain/surveys/survey.ts';
import { scoreRange } from '../figures.ts';

export interface Axis {
  /** From the lowest to the highest. */
  readonly ticks: readonly number[];
  /** Where a value lies, from 0 to 1. */
  readonly place: (value: number) => number;
}

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100] as const;
const MOST_TICKS = 5;
const ROUNDING = 1e-6;

/** An axis that shows all scores with their intervals, within the range that scores of the type can have. */
export function scoreAxis(
  type: SurveyType,
  rows: readonly { readonly score: Pick<ResultScore, 'low' | 'high'> | null }[],
): Axis {
  const range = scoreRange(type);
  const values = rows.flatMap(({ score }) => (score === null ? [] : [score.low, score.high]));
  const low = Math.min(...values, range.max);
  const high = Math.max(...values, range.min);
  const [from, to] = low <= high ? [low, high] : [range.min, range.max];
  const step = STEPS.find((candidate) => (to - from) / candidate <= MOST_TICKS - 1) ?? 100;
  // A scale of seven has its ends and its middle.
  if (TYPES[type].figure === 'mean' && step > 1)
    return {
      ticks: [range.min, (range.min + range.max) / 2, range.max],
      place: (value) => (value - range.min) / (range.max - range.min),
    };
  // One step at least, though all values be the same.
  const floor = Math.floor(from / step) * step;
  const ceiling = Math.max(Math.ceil(to / step) * step, floor + step);
  const max = Math.min(range.max, ceiling);
  const min = Math.max(range.min, Math.min(floor, max - step));
  // A tenth is no binary fraction: what lies on a tick may be a rounding beside it.
  const first = Math.ceil(min / step - ROUNDING);
  const count = Math.floor(max / step + ROUNDING) - first + 1;
  const ticks = Array.from({ length: count }, (_, index) => Number(((first + index) * step).toFixed(1)));
  return { ticks, place: (value) => (value - min) / (max - min) };
}
