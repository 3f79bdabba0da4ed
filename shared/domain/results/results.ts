/** Results of a survey over a span of days, put together of what was counted on each (docs/contract.md §17). */

import { type Bucket, cutSpan, type DaySpan } from '../days.ts';
import { type SurveyType, TYPES } from '../surveys/survey.ts';
import type { DayCounter } from './contribution.ts';
import { computeScore, type ResultScore } from './score.ts';
import { countAll, type Distribution } from './statistics.ts';

/** Of what days counts are. */
export interface Cell {
  /** The first. */
  readonly day: string;
  /** All of them, where they are shown together and not by themselves. */
  readonly days?: readonly string[] | undefined;
  /** They have too few ratings to be shown at all. */
  readonly isLeftOut?: true | undefined;
}

/** What was counted on one UTC day, or in a cell of several. */
export interface DayCounts extends Cell {
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
  /** Some of its days are not in its numbers: they are shown together with others, or not at all. */
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

/** Every value of the scale, and nothing below zero: an erasure may be counted a little before what it erases. */
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

const daysOf = ({ day, days = [day] }: Cell): readonly string[] => days;

/** @param days those of the span on which something was counted */
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
