/** Weeks of ISO 8601 in UTC as text, `2026-W47`, which sorts as time does. */

import { addDays, type DaySpan, dayAt, isDay } from './days.ts';
import { DAY } from './duration.ts';

const WEEK = /^(\d{4})-W(\d\d)$/;

export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

/** The year of a week is that of its Thursday; the fourth of January is always in the first. */
const firstMonday = (year: string): string => mondayOf(`${year}-01-04`);

export function weekOf(day: string): string {
  const monday = mondayOf(day);
  const year = addDays(monday, 3).slice(0, 4);
  const number = (Date.parse(monday) - Date.parse(firstMonday(year))) / (7 * DAY) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}

/** From Monday to Sunday; undefined where there is no such week. */
export function daysOfWeek(week: string): DaySpan | undefined {
  const [, year = '', number] = WEEK.exec(week) ?? [];
  if (!isDay(`${year}-01-04`)) return undefined;
  const from = addDays(firstMonday(year), 7 * (Number(number) - 1));
  return weekOf(from) === week ? { from, to: addDays(from, 6) } : undefined;
}

/** The last one that has ended. @param at milliseconds since the epoch */
export const lastWeek = (at: number): string => weekOf(addDays(dayAt(at), -7));
