/** docs/contract.md §8.1. The token identifies and dates a show, so repeated reports change nothing. */

import { MINUTE } from '../duration.ts';
import { foldAgeMs } from './history.ts';

export interface Show {
  readonly surveyId: string;
  /** When the token was issued, milliseconds since the epoch. */
  readonly at: number;
  /** Distinguishes tokens of the same millisecond. */
  readonly id: string;
}

/** The newest shows that are kept for each survey and person. No setting needs more. */
export const MOST_SHOWS = 10;

/** The clocks of instances differ by less than this. */
const CLOCKS_DIFFER_MS = MINUTE;

/** The token of a link may have a future issue time, when nothing can have been shown yet. */
export const isToCome = ({ at }: Show, now: number): boolean => at > now + CLOCKS_DIFFER_MS;

const newestFirst = (a: Show, b: Show): number => b.at - a.at || (a.id < b.id ? 1 : -1);

const bySurvey = (shows: readonly Show[]) => Map.groupBy(shows, ({ surveyId }) => surveyId);

const nameOf = ({ surveyId, id }: Show): string => `${surveyId} ${id}`;

/** A show older than all stored ones may have been counted and removed, so it is not counted again. */
export function addedShows(before: readonly Show[], after: readonly Show[]): Show[] {
  const known = new Set(before.map(nameOf));
  const oldestKept = new Map(
    [...bySurvey(before)].map(([surveyId, shows]) => [surveyId, shows.sort(newestFirst)[MOST_SHOWS - 1]]),
  );
  return after.filter((show) => {
    const oldest = oldestKept.get(show.surveyId);
    return !known.has(nameOf(show)) && (oldest === undefined || newestFirst(show, oldest) < 0);
  });
}

/** All but the newest `MOST_SHOWS` of each survey, and shows outside the window whose tokens have expired. */
export function surplusShows(shows: readonly Show[], windowMs: number, now: number): Show[] {
  const keptMs = Math.max(windowMs, foldAgeMs());
  return [...bySurvey(shows).values()].flatMap((ofSurvey) =>
    ofSurvey.sort(newestFirst).filter(({ at }, index) => index >= MOST_SHOWS || now - at > keptMs),
  );
}
