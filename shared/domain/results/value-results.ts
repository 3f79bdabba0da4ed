/** docs/contract.md §17.6. */

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

/** `null` stands for answers without a value. */
export interface AskedValue {
  readonly segment: Segment;
  readonly value: string | null;
}

export interface SegmentDay extends Cell {
  readonly ratings: readonly {
    readonly place: ShownPlace;
    readonly rating: number;
    readonly count: number;
  }[];
  readonly said: readonly {
    readonly place: ShownPlace;
    readonly counter: ValueCounter;
    readonly count: number;
  }[];
  /** The number of ratings whose texts and contact requests are counted by value. */
  readonly byValue: number;
  /** Values that are shown together, because each has too few ratings. */
  readonly together?: readonly (string | null)[] | undefined;
}

export interface SegmentResult extends Bar {
  readonly value: string | null;
}

/** Empty if every day is withheld, because zeros would be wrong. */
export function segmentResults(
  type: SurveyType,
  segment: Segment,
  days: readonly SegmentDay[],
): SegmentResult[] {
  if (days.length > 0 && days.every(({ isLeftOut }) => isLeftOut)) return [];
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

export const summariseValue = (type: SurveyType, asked: AskedValue, days: readonly SegmentDay[]): Bar =>
  summariseDays(
    type,
    days.map((day) => countsOf(asked, day)),
  );

/** Days that an older release counted lack these counts. A recount adds them. */
const isWhole = ({ ratings, byValue }: SegmentDay): boolean =>
  ratings.reduce((sum, { count }) => sum + count, 0) === byValue;

export function valueResults(
  type: SurveyType,
  asked: AskedValue,
  days: readonly SegmentDay[],
  span: DaySpan,
  by: Bucket,
) {
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
