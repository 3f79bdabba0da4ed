/**
 * Shows: that a survey was on a person's screen (docs/contract.md §8.1). A show is known by the token that it was shown
 * with and has that token's issue as its time, so that reporting it twice says nothing new.
 */

import { MINUTE } from '../duration.ts';
import { foldAgeMs } from './history.ts';

export interface Show {
  readonly surveyId: string;
  /** When its token was issued, milliseconds since the epoch. */
  readonly at: number;
  /** Of its token; tells two of one millisecond apart. */
  readonly id: string;
}

/** Shows of one survey to one person that are kept, the newest ones; no setting asks for more. */
export const MOST_SHOWS = 10;

/** Clocks of instances differ by less. */
const CLOCKS_DIFFER_MS = MINUTE;

/**
 * A link's token may count as issued later than it was, at a time that is still to come. Nothing can have been shown then.
 * @param now milliseconds since the epoch
 */
export const isToCome = ({ at }: Show, now: number): boolean => at > now + CLOCKS_DIFFER_MS;

const newestFirst = (a: Show, b: Show): number => b.at - a.at || (a.id < b.id ? 1 : -1);

const bySurvey = (shows: readonly Show[]) => Map.groupBy(shows, ({ surveyId }) => surveyId);

const nameOf = ({ surveyId, id }: Show): string => `${surveyId} ${id}`;

/**
 * What a change of a person's shows adds. One that is older than as many of its survey as are kept may have been counted
 * and taken out before: it counts as known.
 */
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

/**
 * Shows that need not be kept: all but the newest of each survey, and those that lie before the window and whose tokens
 * have expired.
 * @param now milliseconds since the epoch
 */
export function surplusShows(shows: readonly Show[], windowMs: number, now: number): Show[] {
  const keptMs = Math.max(windowMs, foldAgeMs());
  return [...bySurvey(shows).values()].flatMap((ofSurvey) =>
    ofSurvey.sort(newestFirst).filter(({ at }, index) => index >= MOST_SHOWS || now - at > keptMs),
  );
}
