/** Results of a survey over a span of days, put together of what was counted on each (docs/contract.md §17). */

import { type Bucket, cutSpan, type DaySpan } from '../days.ts';
import { type Segment, type ValuePlace, valueAt } from '../surveys/segments.ts';
import { SCALES, type SurveyType } from '../surveys/survey.ts';
import type { DayCounter, ValueCounter } from './contribution.ts';
import { computeScore, type ResultScore } from './score.ts';
import { countAll, type Distribution } from './statistics.ts';

/** What was counted on one UTC day. */
export interface DayCounts {
  readonly day: string;
  readonly ratings: Distribution;
  readonly counters: ReadonlyMap<DayCounter, number>;
}

/** What was counted in a segment on one UTC day. */
export interface SegmentDay {
  readonly day: string;
  /** So many ratings of one value. */
  readonly ratings: readonly {
    readonly place: ValuePlace;
    readonly rating: number;
    readonly count: number;
  }[];
  /** So many responses of one value with text, or with the wish to be contacted. */
  readonly said: readonly {
    readonly place: ValuePlace;
    readonly counter: ValueCounter;
    readonly count: number;
  }[];
  /** So many of the ratings were counted together with what was said. */
  readonly byValue: number;
}

interface RatingCount {
  readonly rating: number;
  readonly count: number;
}

interface Bar {
  readonly responses: number;
  readonly distribution: RatingCount[];
  readonly score: ResultScore | null;
}

export interface SeriesPoint extends Bar, DaySpan {
  readonly dismissals: number;
  readonly shows: number | null;
}

/** What is not counted by value is null. */
export interface ValuePoint extends Bar, DaySpan {
  readonly dismissals: null;
  readonly shows: null;
}

export interface ValueResults extends Bar {
  readonly imported: null;
  readonly modelRequested: null;
  readonly dismissals: null;
  readonly shows: null;
  readonly responseRate: null;
  readonly comments: number | null;
  readonly followUpsRequested: number | null;
  readonly series: ValuePoint[];
}

export interface SegmentResult extends Bar {
  readonly value: string | null;
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
function addUp(type: SurveyType, counts: Iterable<readonly [number, number]>): Distribution {
  const { min, max } = SCALES[type];
  const sums = new Map(Array.from({ length: max - min + 1 }, (_, index) => [min + index, 0]));
  for (const [rating, count] of counts) {
    const sum = sums.get(rating);
    if (sum !== undefined) sums.set(rating, sum + count);
  }
  return new Map([...sums].map(([rating, sum]) => [rating, Math.max(0, sum)]));
}

function summarise(type: SurveyType, ratings: Distribution): Bar {
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

const summariseDays = (type: SurveyType, days: readonly DayCounts[]): Bar =>
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

/** Every declared value, and what else there was; largest first. */
export function segmentResults(
  type: SurveyType,
  segment: Segment,
  days: readonly SegmentDay[],
): SegmentResult[] {
  const declared = segment.values.filter(({ retired }) => retired !== true).map(({ text }) => text);
  const byValue = new Map<string | null, [number, number][]>(declared.map((text) => [text, []]));
  for (const { place, rating, count } of days.flatMap(({ ratings }) => ratings)) {
    const value = valueAt(segment, place);
    byValue.set(value, [...(byValue.get(value) ?? []), [rating, count]]);
  }
  const results = [...byValue].map(([value, ratings]) => ({
    value,
    ...summarise(type, addUp(type, ratings)),
  }));
  const isShown = ({ value, responses }: SegmentResult) => responses > 0 || declared.includes(value ?? '');
  return results.filter(isShown).sort((a, b) => b.responses - a.responses);
}

/** What was counted on a day of the answers of one value. */
function ofValue(segment: Segment, value: string | null, { day, ratings, said }: SegmentDay): DayCounts {
  const isIn = ({ place }: { readonly place: ValuePlace }) => valueAt(segment, place) === value;
  const byRating = new Map<number, number>();
  for (const { rating, count } of ratings.filter(isIn))
    byRating.set(rating, (byRating.get(rating) ?? 0) + count);
  const counters = new Map<DayCounter, number>();
  for (const { counter, count } of said.filter(isIn))
    counters.set(counter, (counters.get(counter) ?? 0) + count);
  return { day, ratings: byRating, counters };
}

/** Whether every response of the day was counted by a release that counts by value what was said. */
const isWhole = ({ ratings, byValue }: SegmentDay): boolean =>
  ratings.reduce((sum, { count }) => sum + count, 0) === byValue;

/**
 * Results of the answers of one value of a segment. What was said is null where any day of the span is older than its
 * being counted by value: a recount counts it.
 * @param value as `askedValue` has it
 * @param days those of the span on which something was counted in the segment
 */
export function valueResults(
  type: SurveyType,
  { segment, value }: { readonly segment: Segment; readonly value: string | null },
  days: readonly SegmentDay[],
  span: DaySpan,
  by: Bucket,
): ValueResults {
  const ofDays = days.map((day) => ofValue(segment, value, day));
  const { responses, comments, followUpsRequested, distribution, score, series } = sumResults(
    type,
    ofDays,
    span,
    by,
  );
  const isKnown = days.every(isWhole);
  return {
    responses,
    imported: null,
    modelRequested: null,
    dismissals: null,
    shows: null,
    responseRate: null,
    comments: isKnown ? comments : null,
    followUpsRequested: isKnown ? followUpsRequested : null,
    distribution,
    score,
    series: series.map((point) => ({ ...point, dismissals: null, shows: null })),
  };
}
