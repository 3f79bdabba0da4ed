/**
 * A retention is a timeline of periods (docs/contract.md §11.7). Settings and time alone determine what has expired,
 * and an expired answer never comes back.
 */

import { addDays, dayAt } from './days.ts';
import { DAY, HOUR, SECOND } from './duration.ts';

/** A period such as `35d` or `13mo`. Null means forever. */
export type RetentionPeriod = string | null;

export interface RetentionEntry {
  /** The start in ISO 8601 UTC. A period ends when the next one starts. */
  readonly from: string;
  readonly period: RetentionPeriod;
}

/** Without a retention, answers never expire. */
export interface Retention {
  readonly entries: readonly RetentionEntry[];
  /** Answers before this day expired under periods that are no longer listed. */
  readonly goneBefore?: string | undefined;
}

/** Tokens live shorter than the minimum, so the tokens of expired answers have expired too. */
const RETENTION_DAYS = { min: 35, max: 36_500 } as const;
/** The minimum is two months, because one month may have only 28 days. */
const RETENTION_MONTHS = { min: 2, max: 1_200 } as const;

/** A shorter retention can be revoked during this time. */
export const RETENTION_NOTICE_MS = 48 * HOUR;
/**
 * Every change waits for this time, which includes 5 s for clock differences. By then no instance uses older settings,
 * so all instances agree on what has expired.
 */
export const RETENTION_SETTLES_MS = 35 * SECOND;

/** For this time after its answer, an observation is not asked about again, whatever the retention. */
export const OBSERVATION_KEPT_MS = 62 * DAY;

const MOST_ENTRIES = 50;
/** Longer than scores are kept after their answers expire. */
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

export function parseRetention(text: string): RetentionPeriod | undefined {
  if (text === 'none') return null;
  return lengthOf(text) === undefined ? undefined : text;
}

export const RETENTION_FORM = 'must be none, 35d to 36500d, or 2mo to 1200mo';

/** In shorter months, the result is the last day. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayAt(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)));
}

const NOTHING_GONE = '';

/** The first day whose answers would be kept if this period had always applied. */
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
 * The first day whose answers are all kept; empty if none has expired. It never moves back.
 * @param at milliseconds since the epoch
 */
export const completeFromOf = (retentions: readonly (Retention | undefined)[], at: number): string =>
  latest(retentions.map((retention) => (retention === undefined ? NOTHING_GONE : goneBefore(retention, at))));

const LONGEST_DAYS = RETENTION_DAYS.max + 400;

/**
 * When an answer expires under these settings, in milliseconds; undefined if never. That is the start of a day, or the
 * start of a period. @param now after the answer
 */
export function expiryOf(
  answeredAt: string,
  retentions: readonly (Retention | undefined)[],
  now: number,
): number | undefined {
  const today = Date.parse(dayAt(now));
  const isGoneAfter = (days: number) =>
    isGone(answeredAt, completeFromOf(retentions, today + (days + 1) * DAY - 1));
  let [kept, gone] = [-1, LONGEST_DAYS];
  if (!isGoneAfter(gone)) return undefined;
  while (gone - kept > 1) {
    const middle = Math.floor((kept + gone) / 2);
    if (isGoneAfter(middle)) gone = middle;
    else kept = middle;
  }
  const day = today + gone * DAY;
  const starts = retentions.flatMap(
    (retention) => retention?.entries.map(({ from }) => Date.parse(from)) ?? [],
  );
  const within = starts.filter((start) => start > day && start < day + DAY).sort((a, b) => a - b);
  return [day, ...within].find((at) => isGone(answeredAt, completeFromOf(retentions, at)));
}

export const isGone = (answeredAt: string, completeFrom: string): boolean =>
  answeredAt.slice(0, 10) < completeFrom;

export const periodAt = (retention: Retention | undefined, at: number): RetentionPeriod =>
  retention?.entries.findLast(({ from }) => Date.parse(from) <= at)?.period ?? null;

/** The period may not be in force yet. */
export const periodWanted = (retention: Retention | undefined): RetentionPeriod =>
  retention?.entries.at(-1)?.period ?? null;

export function shortestPeriodAt(
  retentions: readonly (Retention | undefined)[],
  at: number,
): RetentionPeriod {
  const periods = retentions.map((retention) => periodAt(retention, at));
  return periods.reduce((shortest, period) =>
    isLater(firstKept(period, at), firstKept(shortest, at)) ? period : shortest,
  );
}

export const nextPeriod = (retention: Retention | undefined, at: number): RetentionEntry | undefined =>
  retention?.entries.find(({ from }) => Date.parse(from) > at);

/** Undelivered scores are kept this long after their answers expire. */
export const SCORES_KEPT_MS = 30 * DAY;

/** Four years contain every possible length of a month. */
const CYCLE_START = Date.UTC(2104, 0);
const CYCLE_DAYS = 4 * 365 + 1;

export function isShorterPeriod(period: RetentionPeriod, than: RetentionPeriod): boolean {
  if (period === null) return false;
  if (than === null) return true;
  return Array.from({ length: CYCLE_DAYS }, (_, days) => CYCLE_START + days * DAY).some((at) =>
    isLater(firstKept(period, at), firstKept(than, at)),
  );
}

export interface RetentionChange {
  readonly period: RetentionPeriod;
  readonly now: number;
  /** Skips the notice period, during which the change could be revoked. */
  readonly isAtOnce?: boolean;
}

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
 * Revokes a pending request, unless it takes effect before all instances have the new settings.
 * @returns the same object if the period was already requested
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

export const newRetention = (period: RetentionPeriod, now: number): Retention | undefined =>
  period === null ? undefined : { entries: [{ from: new Date(now).toISOString(), period }] };
