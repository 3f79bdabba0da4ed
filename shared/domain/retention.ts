/**
 * How long answers stay (docs/contract.md §11.7). A retention is a timeline of periods, so that what is gone at any
 * moment follows from the settings and a time alone, and never comes back.
 */

import { addDays, dayAt } from './days.ts';
import { DAY, HOUR, SECOND } from './duration.ts';

/** `35d`, `13mo`; null: for ever. As it is written. */
export type RetentionPeriod = string | null;

export interface RetentionEntry {
  /** ISO 8601 UTC; in force until the next entry's. */
  readonly from: string;
  readonly period: RetentionPeriod;
}

/** Of a project or of a survey; absent, answers stay for ever. */
export interface Retention {
  /** Oldest first. */
  readonly entries: readonly RetentionEntry[];
  /** What entries made gone that are no longer listed: answers of days before it. */
  readonly goneBefore?: string | undefined;
}

/** Longer than any show-token lives, so that a token of an answer that is gone is dead. */
const RETENTION_DAYS = { min: 35, max: 36_500 } as const;
/** One month may be 28 days. */
const RETENTION_MONTHS = { min: 2, max: 1_200 } as const;

/** How long a shorter retention can be taken back. */
export const RETENTION_NOTICE_MS = 48 * HOUR;
/**
 * How long any change waits at least: by then no function instance has older settings, with 5 s for clocks that
 * differ, so nobody takes an answer for there that another takes for gone.
 */
export const RETENTION_SETTLES_MS = 35 * SECOND;

/** So long after an answer to an observation the observation is not asked about again, whatever the retention. */
export const OBSERVATION_KEPT_MS = 62 * DAY;

/** How many changes a retention lists. */
const MOST_ENTRIES = 50;
/** How long an entry that is over stays listed: longer than scores are kept past their answers' end. */
const LISTED_MS = 40 * DAY;

interface Length {
  readonly count: number;
  readonly unit: 'd' | 'mo';
}

function lengthOf(text: string): Length | undefined {
  const match = /^([1-9]\d{0,4})(d|mo)$/.exec(text);
  const count = Number(match?.[1]);
  const unit = match?.[2] === 'd' ? 'd' : 'mo';
  const { min, max } = unit === 'd' ? RETENTION_DAYS : RETENTION_MONTHS;
  return match !== null && count >= min && count <= max ? { count, unit } : undefined;
}

/** @returns null of `none`; undefined when the text is no retention */
export function parseRetention(text: string): RetentionPeriod | undefined {
  if (text === 'none') return null;
  return lengthOf(text) === undefined ? undefined : text;
}

export const RETENTION_FORM = 'must be none, 35d to 36500d, or 2mo to 1200mo';

/** A calendar month's last day takes the place of a day that it lacks. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayAt(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)));
}

/** No answer is older. */
const NOTHING_GONE = '';

/** The first day whose answers are kept then, were this the period all along. */
function firstKept(period: RetentionPeriod, at: number): string {
  const length = period === null ? undefined : lengthOf(period);
  if (length === undefined) return NOTHING_GONE;
  const today = dayAt(at);
  const { count, unit } = length;
  if (unit === 'd') return addDays(today, -count);
  let day = addMonths(today, -count);
  while (addMonths(day, count) < today) day = addDays(day, 1);
  while (addMonths(addDays(day, -1), count) >= today) day = addDays(day, -1);
  return day;
}

const isLater = (day: string, than: string): boolean => day > than;
const latest = (days: readonly string[]): string =>
  days.reduce((last, day) => (isLater(day, last) ? day : last), NOTHING_GONE);

/** What is gone by entries that have been in force. */
function goneBefore({ entries, goneBefore: before = NOTHING_GONE }: Retention, at: number): string {
  const reached = entries.map(({ from, period }, index) => {
    const start = Date.parse(from);
    const end = entries[index + 1]?.from;
    if (start > at) return NOTHING_GONE;
    return firstKept(period, end === undefined ? at : Math.min(at, Date.parse(end) - 1));
  });
  return latest([before, ...reached]);
}

/**
 * The first day whose answers are complete at a time, where several retentions apply; empty where none is gone. It only
 * moves forward as time does.
 * @param at milliseconds since the epoch
 */
export const completeFromOf = (retentions: readonly (Retention | undefined)[], at: number): string =>
  latest(retentions.map((retention) => (retention === undefined ? NOTHING_GONE : goneBefore(retention, at))));

/** @param answeredAt ISO 8601 UTC */
export const isGone = (answeredAt: string, completeFrom: string): boolean =>
  answeredAt.slice(0, 10) < completeFrom;

/** The period that is in force. */
export const periodAt = (retention: Retention | undefined, at: number): RetentionPeriod =>
  retention?.entries.findLast(({ from }) => Date.parse(from) <= at)?.period ?? null;

/** The period that was asked for last, though it may not be in force yet. */
export const periodWanted = (retention: Retention | undefined): RetentionPeriod =>
  retention?.entries.at(-1)?.period ?? null;

/** Of several periods that are in force, the one that takes answers earliest at that time. */
export function shortestPeriodAt(
  retentions: readonly (Retention | undefined)[],
  at: number,
): RetentionPeriod {
  const periods = retentions.map((retention) => periodAt(retention, at));
  return periods.reduce((shortest, period) =>
    isLater(firstKept(period, at), firstKept(shortest, at)) ? period : shortest,
  );
}

/** What is asked for and not in force yet. */
export const nextPeriod = (retention: Retention | undefined, at: number): RetentionEntry | undefined =>
  retention?.entries.find(({ from }) => Date.parse(from) > at);

/** How long a score that was never delivered waits past the end of its answer. */
export const SCORES_KEPT_MS = 30 * DAY;

/** Days of four years: each length that months can have ends on one of them. */
const CYCLE_START = Date.UTC(2104, 0);
const CYCLE_DAYS = 4 * 365 + 1;

/** Whether a period takes answers earlier than another, on any day. */
export function isShorterPeriod(period: RetentionPeriod, than: RetentionPeriod): boolean {
  if (period === null) return false;
  if (than === null) return true;
  return Array.from({ length: CYCLE_DAYS }, (_, days) => CYCLE_START + days * DAY).some((at) =>
    isLater(firstKept(period, at), firstKept(than, at)),
  );
}

export interface RetentionChange {
  readonly period: RetentionPeriod;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Without the time in which it can be taken back. */
  readonly isAtOnce?: boolean;
}

/** Entries that are over by so long, or are so many, that only what they made gone is still of interest. */
function forgetOld(retention: Retention, now: number): Retention {
  const { entries } = retention;
  const isOld = (_: RetentionEntry, index: number): boolean => {
    const next = entries[index + 1];
    return next !== undefined && Date.parse(next.from) < now - LISTED_MS;
  };
  const surplus = Math.max(entries.filter(isOld).length, entries.length - MOST_ENTRIES);
  const kept = entries.slice(surplus);
  const [first] = kept;
  if (surplus === 0 || first === undefined) return retention;
  return { entries: kept, goneBefore: goneBefore(retention, Date.parse(first.from) - 1) };
}

/**
 * Asks for another period. What waits is taken back, unless it is in force before a change can be known everywhere.
 * @returns the same object where that is what is asked for already
 */
export function changeRetention(
  before: Retention | undefined,
  { period, now, isAtOnce = false }: RetentionChange,
): Retention | undefined {
  const isHeld = ({ from }: RetentionEntry): boolean => Date.parse(from) <= now + RETENTION_SETTLES_MS;
  const held = before?.entries.filter(isHeld) ?? [];
  const isWaiting = held.length < (before?.entries.length ?? 0);
  if (period === periodWanted(before) && !(isWaiting && isAtOnce)) return before;
  const last = held.at(-1);
  const current = last?.period ?? null;
  const kept = forgetOld({ ...before, entries: held }, now);
  if (period === current) return kept;
  const waits = isShorterPeriod(period, current) && !isAtOnce ? RETENTION_NOTICE_MS : RETENTION_SETTLES_MS;
  const from = Math.max(now + waits, last === undefined ? 0 : Date.parse(last.from) + 1);
  return { ...kept, entries: [...kept.entries, { from: new Date(from).toISOString(), period }] };
}

/** Of a project or survey that is made with it: in force from its first moment on. */
export const newRetention = (period: RetentionPeriod, now: number): Retention | undefined =>
  period === null ? undefined : { entries: [{ from: new Date(now).toISOString(), period }] };
