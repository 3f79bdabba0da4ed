/** Results of the values of a segment: all of them beside each other, or one alone (docs/contract.md §17.6). */

import type { Bucket, DaySpan } from '../days.ts';
import { FEW_VALUE, type Segment, type ShownPlace, valueAt } from '../surveys/segments.ts';
import type { SurveyType } from '../surveys/survey.ts';
import type { DayCounter, ValueCounter } from './contribution.ts';
import {
  addUp,
  type Bar,
  type Cell,
  type DayCounts,
  summarise,
  summariseDays,
  sumResults,
} from './results.ts';

/** One value of a segment, as `askedValue` has it: null for the answers without one. */
export interface AskedValue {
  readonly segment: Segment;
  readonly value: string | null;
}

/** What was counted in a segment on one UTC day, or in a cell of several. */
export interface SegmentDay extends Cell {
  /** So many ratings of one value. */
  readonly ratings: readonly {
    readonly place: ShownPlace;
    readonly rating: number;
    readonly count: number;
  }[];
  /** So many responses of one value with text, or with the wish to be contacted. */
  readonly said: readonly {
    readonly place: ShownPlace;
    readonly counter: ValueCounter;
    readonly count: number;
  }[];
  /** So many of the ratings were counted together with what was said. */
  readonly byValue: number;
  /** Values that are shown together in it, of which each has too few. */
  readonly together?: readonly (string | null)[] | undefined;
}

/** What is not counted by value is null. */
export interface ValuePoint extends Bar, DaySpan {
  readonly withheld?: true;
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

/** Every declared value, and what else there was; largest first, and last those of which each has too few. */
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
  const isFew = ({ value }: SegmentResult) => Number(value === FEW_VALUE);
  return results.filter(isShown).sort((a, b) => isFew(a) - isFew(b) || b.responses - a.responses);
}

/** What was counted on a day of the answers of one value. */
function countsOf(
  { segment, value }: AskedValue,
  { ratings, said, byValue: _, together = [], ...cell }: SegmentDay,
): DayCounts {
  const isIn = ({ place }: { readonly place: ShownPlace }) => valueAt(segment, place) === value;
  const byRating = new Map<number, number>();
  for (const { rating, count } of ratings.filter(isIn))
    byRating.set(rating, (byRating.get(rating) ?? 0) + count);
  const counters = new Map<DayCounter, number>();
  for (const { counter, count } of said.filter(isIn))
    counters.set(counter, (counters.get(counter) ?? 0) + count);
  const isLeftOut = together.includes(value) ? ({ isLeftOut: true } as const) : {};
  return { ...cell, ...isLeftOut, ratings: byRating, reasons: new Map(), counters };
}

/** The answers of one value of a segment on all these days together. */
export const summariseValue = (type: SurveyType, asked: AskedValue, days: readonly SegmentDay[]): Bar =>
  summariseDays(
    type,
    days.map((day) => countsOf(asked, day)),
  );

/** Whether texts and wishes of every response of the day were counted by value. */
const isWhole = ({ ratings, byValue }: SegmentDay): boolean =>
  ratings.reduce((sum, { count }) => sum + count, 0) === byValue;

/**
 * Results of the answers of one value of a segment. What was said is null where any day of the span is older than its
 * being counted by value: a recount counts it.
 * @param days those of the span on which something was counted in the segment
 */
export function valueResults(
  type: SurveyType,
  asked: AskedValue,
  days: readonly SegmentDay[],
  span: DaySpan,
  by: Bucket,
): ValueResults {
  const ofDays = days.map((day) => countsOf(asked, day));
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
