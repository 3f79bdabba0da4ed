/** Results of a survey over a span of days, put together of what was counted on each (docs/contract.md §17). */

import { type Bucket, cutSpan, type DaySpan } from '../days.ts';
import { SCALES, type SurveyType } from '../surveys/survey.ts';
import type { DayCounter } from './contribution.ts';
import { computeScore, type ResultScore } from './score.ts';
import { countAll, type Distribution } from './statistics.ts';

/** What was counted on one UTC day. */
export interface DayCounts {
  readonly day: string;
  readonly ratings: Distribution;
  /** So many of each reason, by its place. */
  readonly reasons: Distribution;
  readonly counters: ReadonlyMap<DayCounter, number>;
}

export interface RatingCount {
  readonly rating: number;
  readonly count: number;
}

/** As much as is drawn for any answers. */
export interface Bar {
  readonly responses: number;
  readonly distribution: RatingCount[];
  readonly score: ResultScore | null;
}

export interface SeriesPoint extends Bar, DaySpan {
  readonly dismissals: number;
  readonly shows: number | null;
}

export interface Results extends Bar {
  readonly imported: number;
  readonly modelRequested: number;
  readonly dismissals: number;
  readonly shows: number | null;
  readonly responseRate: number | null;
  readonly comments: number;
  readonly followUpsRequested: number;
  readonly series: SeriesPoint[];
}

/** Every value of the scale, and nothing below zero: an erasure may be counted a little before what it erases. */
export function addUp(type: SurveyType, counts: Iterable<readonly [number, number]>): Distribution {
  const { min, max } = SCALES[type];
  const sums = new Map(Array.from({ length: max - min + 1 }, (_, index) => [min + index, 0]));
  for (const [rating, count] of counts) {
    const sum = sums.get(rating);
    if (sum !== undefined) sums.set(rating, sum + count);
  }
  return new Map([...sums].map(([rating, sum]) => [rating, Math.max(0, sum)]));
}

export function summarise(type: SurveyType, ratings: Distribution): Bar {
  return {
    responses: countAll(ratings),
    distribution: [...ratings].map(([rating, count]) => ({ rating, count })),
    score: computeScore(type, ratings),
  };
}

const sumCounter = (days: readonly DayCounts[], counter: DayCounter): number =>
  Math.max(
    0,
    days.reduce((sum, { counters }) => sum + (counters.get(counter) ?? 0), 0),
  );

/** Null where no show was ever reported: then no client reports them, and zero would be wrong. */
function sumShows(days: readonly DayCounts[], isReported: boolean): number | null {
  return isReported ? sumCounter(days, 'shows') : null;
}

/** The answers of all these days together. */
export const summariseDays = (type: SurveyType, days: readonly DayCounts[]): Bar =>
  summarise(
    type,
    addUp(
      type,
      days.flatMap(({ ratings }) => [...ratings]),
    ),
  );

/** @param days those of the span on which something was counted */
export function sumResults(type: SurveyType, days: readonly DayCounts[], span: DaySpan, by: Bucket): Results {
  const isReported = days.some(({ counters }) => counters.has('shows'));
  const all = summariseDays(type, days);
  const imported = sumCounter(days, 'imported');
  const shows = sumShows(days, isReported);
  const responseRate = shows === null || shows === 0 ? null : Math.min(1, (all.responses - imported) / shows);
  const series = cutSpan(span, by).map((bucket) => {
    const inBucket = days.filter(({ day }) => day >= bucket.from && day <= bucket.to);
    const { responses, distribution, score } = summariseDays(type, inBucket);
    const dismissals = sumCounter(inBucket, 'dismissals');
    return { ...bucket, responses, dismissals, shows: sumShows(inBucket, isReported), distribution, score };
  });
  return {
    responses: all.responses,
    imported,
    modelRequested: sumCounter(days, 'modelRequested'),
    dismissals: sumCounter(days, 'dismissals'),
    shows,
    responseRate,
    comments: sumCounter(days, 'comments'),
    followUpsRequested: sumCounter(days, 'followUps'),
    distribution: all.distribution,
    score: all.score,
    series,
  };
}
