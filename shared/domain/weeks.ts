/** ISO 8601 weeks in UTC as text, `2026-W47`, which sorts by time. */

import { addDays, type DaySpan, dayAt, isDay } from './days.ts';
import { DAY } from './duration.ts';

const WEEK = /^(\d{4})-W(\d\d)$/;

export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

/** January 4 is always in the first week of its year. */
const firstMonday = (year: string): string => mondayOf(`${year}-01-04`);

export function weekOf(day: string): string {
  const monday = mondayOf(day);
  const year = addDays(monday, 3).slice(0, 4);
  const number = (Date.parse(monday) - Date.parse(firstMonday(year))) / (7 * DAY) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}

/** Monday to Sunday; undefined if the week does not exist. */
export function daysOfWeek(week: string): DaySpan | undefined {
  const [, year = '', number] = WEEK.exec(week) ?? [];
  if (!isDay(`${year}-01-04`)) return undefined;
  const from = addDays(firstMonday(year), 7 * (Number(number) - 1));
  return weekOf(from) === week ? { from, to: addDays(from, 6) } : undefined;
}

/** The last complete week. @param at milliseconds since the epoch */
export const lastWeek = (at: number): string => weekOf(addDays(dayAt(at), -7));
