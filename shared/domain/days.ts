/** Days are UTC dates as text, which sort by time. */

import { DAY } from './duration.ts';

export const BUCKETS = ['day', 'week', 'month'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Includes both days. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

export const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => dayAt(Date.parse(day) + days * DAY);

/** Calculations stay within four-digit years, so days sort by time. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '9998-12-31'];

/** Accepts the years 1970 to 9998. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && dayAt(at) === text;
}

export const countDays = ({ from, to }: DaySpan): number => (Date.parse(to) - Date.parse(from)) / DAY + 1;

export function spanBefore(span: DaySpan): DaySpan {
  return { from: addDays(span.from, -countDays(span)), to: addDays(span.from, -1) };
}

function endOfBucket(day: string, by: Bucket): string {
  const date = new Date(day);
  if (by === 'day') return day;
  if (by === 'week') return addDays(day, (7 - date.getUTCDay()) % 7);
  return dayAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
}

/** The first and the last bucket may be partial. */
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

export function chooseBucket(span: DaySpan): Bucket {
  const days = countDays(span);
  if (days <= LONGEST_BY_DAY) return 'day';
  return days <= LONGEST_BY_WEEK ? 'week' : 'month';
}

/** Includes both days. An absent day means no limit. */
export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** @param at ISO 8601 UTC */
export function isWithin(at: string, { from, to }: Days): boolean {
  const day = at.slice(0, 10);
  return (from === undefined || day >= from) && (to === undefined || day <= to);
}

/** ISO 8601 weeks as text, which sort by time. */
const WEEK = /^(\d{4})-W(\d\d)$/;

export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

/** January 4 is always in week 1. */
const firstMonday = (year: string): string => mondayOf(`${year}-01-04`);

export function weekOf(day: string): string {
  const monday = mondayOf(day);
  const year = addDays(monday, 3).slice(0, 4);
  const number = (Date.parse(monday) - Date.parse(firstMonday(year))) / (7 * DAY) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}

export function daysOfWeek(week: string): DaySpan | undefined {
  const [, year = '', number] = WEEK.exec(week) ?? [];
  if (!isDay(`${year}-01-04`)) return undefined;
  const from = addDays(firstMonday(year), 7 * (Number(number) - 1));
  return weekOf(from) === week ? { from, to: addDays(from, 6) } : undefined;
}

/** The last complete week. @param at milliseconds since the epoch */
export const lastWeek = (at: number): string => weekOf(addDays(dayAt(at), -7));
