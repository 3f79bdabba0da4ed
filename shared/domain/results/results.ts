/** Results of a survey over a span of days, put together of what was counted on each (docs/contract.md §17). */

import { type Bucket, cutSpan, type DaySpan } from '../days.ts';
import { OTHER_VALUE, type Segment, type ValuePlace } from '../surveys/segments.ts';
import { SCALES, type SurveyType } from '../surveys/survey.ts';
import type { DayCounter } from './contribution.ts';
import { computeScore, type ResultScore } from './score.ts';
import { countAll, type Distribution } from './statistics.ts';

/** What was counted on one UTC day. */
export interface DayCounts {
  readonly day: string;
  readonly ratings: Distribution;
  readonly counters: ReadonlyMap<DayCounter, number>;
}

/** So many ratings of one value of a segment. */
export interface SegmentCount {
  readonly place: ValuePlace;
  readonly rating: number;
  readonly count: number;
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

/** `other` for values that are not declared, or no longer; null for none. */
function valueAt({ values }: Segment, place: ValuePlace): string | null {
  if (place === 'none') return null;
  const value = place === 'other' ? undefined : values[place];
  return value === undefined || value.retired === true ? OTHER_VALUE : value.text;
}

/** Every declared value, and what else there was; largest first. */
export function segmentResults(
  type: SurveyType,
  segment: Segment,
  counts: readonly SegmentCount[],
): SegmentResult[] {
  const declared = segment.values.filter(({ retired }) => retired !== true).map(({ text }) => text);
  const byValue = new Map<string | null, [number, number][]>(declared.map((text) => [text, []]));
  for (const { place, rating, count } of counts) {
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
