/** What a timer can wait for; it fires at once where more is asked of it. */
const LONGEST_MS = 2 ** 31 - 1;

/** Milliseconds for one call: with all its retries, and for one attempt. */
export interface Limits {
  readonly deadlineMs: number;
  readonly attemptTimeoutMs: number;
}

export type SomeLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined };

/** @returns the limit, or the longest that a timer can be. @throws TypeError when it is not above 0 */
export function limitOf(name: string, given: number): number {
  if (typeof given === 'number' && given > 0) return Math.min(given, LONGEST_MS);
  throw new TypeError(`${name} must be a number of milliseconds above 0, not ${String(given)}`);
}

const limitOrNone = (name: string, given: number | null | undefined): number | undefined =>
  given === undefined || given === null ? undefined : limitOf(name, given);

/** Both limits, where they are given. @throws TypeError when one is not above 0 */
export function checkLimits({ deadlineMs, attemptTimeoutMs }: SomeLimits): SomeLimits {
  return {
    deadlineMs: limitOrNone('deadlineMs', deadlineMs),
    attemptTimeoutMs: limitOrNone('attemptTimeoutMs', attemptTimeoutMs),
  };
}
