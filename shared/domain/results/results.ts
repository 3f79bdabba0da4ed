/** Results are computed from daily counts (docs/contract.md §17). */

import { type Bucket, cutSpan, type DaySpan } from '../days.ts';
import { type SurveyType, TYPES } from '../surveys/survey.ts';
import type { DayCounter } from './contribution.ts';
import { computeScore, type ResultScore } from './score.ts';
import { countAll, type Distribution } from './statistics.ts';

export interface Cell {
  readonly day: string;
  /** All days that are shown together, starting with `day`. */
  readonly days?: readonly string[] | undefined;
  readonly isLeftOut?: true | undefined;
}

export interface DayCounts extends Cell {
  readonly ratings: Distribution;
  /** Counts by the place of the reason. */
  readonly reasons: Distribution;
  readonly counters: ReadonlyMap<DayCounter, number>;
}

export interface RatingCount {
  readonly rating: number;
  readonly count: number;
}

export interface Bar {
  readonly responses: number;
  readonly distribution: RatingCount[];
  readonly score: ResultScore | null;
}

export interface SeriesPoint extends Bar, DaySpan {
  /** Some days are withheld or merged with others. */
  readonly withheld?: true;
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

/** Counts never go below zero, because an erasure may be counted shortly before its answer. */
export function addUp(type: SurveyType, counts: Iterable<readonly [number, number]>): Distribution {
  const { min, max } = TYPES[type].scale;
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

/** Null if shows were never reported, because zero would be wrong. */
function sumShows(days: readonly DayCounts[], isReported: boolean): number | null {
  return isReported ? sumCounter(days, 'shows') : null;
}

export const summariseDays = (type: SurveyType, days: readonly DayCounts[]): Bar =>
  summarise(
    type,
    addUp(
      type,
      days.flatMap(({ ratings }) => [...ratings]),
    ),
  );

export const daysOf = ({ day, days = [day] }: Cell): readonly string[] => days;

export function sumResults(type: SurveyType, days: readonly DayCounts[], span: DaySpan, by: Bucket): Results {
  const isReported = days.some(({ counters }) => counters.has('shows'));
  const all = summariseDays(type, days);
  const imported = sumCounter(days, 'imported');
  const shows = sumShows(days, isReported);
  const responseRate = shows === null || shows === 0 ? null : Math.min(1, (all.responses - imported) / shows);
  const series = cutSpan(span, by).map((bucket): SeriesPoint => {
    const isInside = (day: string): boolean => day >= bucket.from && day <= bucket.to;
    const inBucket = days.filter((cell) => daysOf(cell).every(isInside));
    const isCut = days.some(
      (cell) => daysOf(cell).some(isInside) && (cell.isLeftOut === true || !inBucket.includes(cell)),
    );
    const { responses, distribution, score } = summariseDays(type, inBucket);
    const dismissals = sumCounter(inBucket, 'dismissals');
    const shows = sumShows(inBucket, isReported);
    return { ...bucket, responses, dismissals, shows, distribution, score, ...(isCut && { withheld: true }) };
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
