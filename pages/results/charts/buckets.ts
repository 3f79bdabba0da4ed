/** Buckets of a trend on an axis of time: each is as wide as it has days, and may be a part of what the others are. */

import { addDays, countDays, type DaySpan } from '../../../shared/domain/days.ts';

/** From 0 to 1. */
export interface Slot {
  readonly from: number;
  readonly middle: number;
  readonly to: number;
}

export function slotsOf(series: readonly DaySpan[]): readonly Slot[] {
  const all = series.reduce((sum, bucket) => sum + countDays(bucket), 0);
  let before = 0;
  return series.map((bucket) => {
    const days = countDays(bucket);
    const from = before / all;
    before += days;
    return { from, middle: (before - days / 2) / all, to: before / all };
  });
}

/** Days of buckets that are no months. */
const WHOLE = [
  [1, 'day'],
  [7, 'week'],
  [14, '2 weeks'],
  [28, '4 weeks'],
] as const;
const WEEK = 7;

const startsMonth = (day: string): boolean => day.endsWith('-01');
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
const monthsIn = ({ from, to }: DaySpan): number => monthOf(to) - monthOf(from) + 1;

const longestOf = (series: readonly DaySpan[]): number => Math.max(...series.map(countDays));

/** Whether the buckets are months, or several months each. */
export const isByMonth = (series: readonly DaySpan[]): boolean =>
  series.length > 1 && longestOf(series) > WEEK && series.slice(1).every(({ from }) => startsMonth(from));

interface Kind {
  readonly words: string;
  readonly isWhole: (bucket: DaySpan) => boolean;
}

/** What a bucket is when it is whole; undefined where there is but one, which may be anything. */
function kindOf(series: readonly DaySpan[]): Kind | undefined {
  if (series.length < 2) return undefined;
  if (isByMonth(series)) {
    const months = Math.max(...series.map(monthsIn));
    return {
      words: months === 1 ? 'month' : `${months} months`,
      isWhole: (bucket) =>
        monthsIn(bucket) === months && startsMonth(bucket.from) && startsMonth(addDays(bucket.to, 1)),
    };
  }
  const longest = longestOf(series);
  const whole = WHOLE.find(([days]) => days >= longest);
  return whole && { words: whole[1], isWhole: (bucket) => countDays(bucket) === whole[0] };
}

/** Whether each has fewer days than a whole one: the span may begin and end within one. */
export function partialOf(series: readonly DaySpan[]): readonly boolean[] {
  const kind = kindOf(series);
  return series.map((bucket) => kind !== undefined && !kind.isWhole(bucket));
}

export function dayWords(bucket: DaySpan): string {
  const days = countDays(bucket);
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}

interface BucketWords {
  /** What a point is; empty where there is but one. */
  readonly whole: string;
  /** Which have fewer days, and how many; empty where all are whole. */
  readonly parts: string;
}

/** `per 4 weeks`, and `first (10 days), last (24 days)`. */
export function bucketWords(series: readonly DaySpan[]): BucketWords {
  const kind = kindOf(series);
  if (kind === undefined) return { whole: '', parts: '' };
  const ends = [
    ['first', series[0]],
    ['last', series.at(-1)],
  ] as const;
  const parts = ends.flatMap(([which, bucket]) =>
    bucket === undefined || kind.isWhole(bucket) ? [] : [`${which} (${dayWords(bucket)})`],
  );
  return { whole: `per ${kind.words}`, parts: parts.join(', ') };
}
