/** UTC days as text, `2026-11-20`, which sorts as time does, and the buckets of a series. */

import { DAY } from './duration.ts';

export const BUCKETS = ['day', 'week', 'month'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Both ends inclusive. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

/** The UTC day of a time in milliseconds. */
export const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => dayAt(Date.parse(day) + days * DAY);

/** So that no day that is counted from one has another number of digits, and none sorts otherwise than time does. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '9998-12-31'];

/** Whether there is such a day, of the years 1970 to 9998: 2026-02-30 is none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && dayAt(at) === text;
}

export const countDays = ({ from, to }: DaySpan): number => (Date.parse(to) - Date.parse(from)) / DAY + 1;

/** The span of the same length that ends the day before this one begins. */
export function spanBefore(span: DaySpan): DaySpan {
  return { from: addDays(span.from, -countDays(span)), to: addDays(span.from, -1) };
}

/** The last day of the bucket that a day is in; weeks are those of ISO 8601, from Monday. */
function endOfBucket(day: string, by: Bucket): string {
  const date = new Date(day);
  if (by === 'day') return day;
  if (by === 'week') return addDays(day, (7 - date.getUTCDay()) % 7);
  return dayAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
}

/** Contiguous, without gaps; the first and the last may be cut short by the span. */
export function cutSpan({ from, to }: DaySpan, by: Bucket): DaySpan[] {
  const buckets: DaySpan[] = [];
  for (let start = from; start <= to; ) {
    const full = endOfBucket(start, by);
    const end = full < to ? full : to;
    buckets.push({ from: start, to: end });
    start = addDays(end, 1);
  }
  return buckets;
}

const LONGEST_BY_DAY = 31;
const LONGEST_BY_WEEK = 182;

/** What a series of a span is cut into unless said. */
export function chooseBucket(span: DaySpan): Bucket {
  const days = countDays(span);
  if (days <= LONGEST_BY_DAY) return 'day';
  return days <= LONGEST_BY_WEEK ? 'week' : 'month';
}

/** Days as a request names them. Both inclusive; an absent one is no bound. */
export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** @param at ISO 8601 UTC */
export function isWithin(at: string, { from, to }: Days): boolean {
  const day = at.slice(0, 10);
  return (from === undefined || day >= from) && (to === undefined || day <= to);
}
