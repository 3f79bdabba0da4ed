/** Time of requests: whose clock, how long they may take, and when to come back. */

/** Time and chance, which tests and unusual runtimes bring themselves. */
export interface Timers {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0, inclusive, to 1, exclusive. */
  random(): number;
}

export const SYSTEM_TIMERS: Timers = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      if (signal?.aborted === true) done();
      else signal?.addEventListener('abort', done);
    }),
  random: () => Math.random(),
};

/** What a timer can wait for; it fires at once where more is asked of it. */
const LONGEST_MS = 2 ** 31 - 1;

/** @returns the limit, or the longest that a timer can be. @throws TypeError when it is not above 0 */
export function limitOf(name: string, given: number): number {
  if (typeof given === 'number' && given > 0) return Math.min(given, LONGEST_MS);
  throw new TypeError(`${name} must be a number of milliseconds above 0, not ${String(given)}`);
}

/** An abort signal that a clock or a caller can trip, whichever is first; `release` lets go of both. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether it was the clock. */
  expired(): boolean;
  release(): void;
}

/** `AbortSignal.any` and `AbortSignal.timeout` in one, for runtimes that lack the former (Node before 20.3). */
export function limitTime(milliseconds: number, outer?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  let expired = false;
  const abort = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => {
    expired = true;
    controller.abort();
  }, milliseconds);
  if (outer?.aborted === true) abort();
  else outer?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    expired: () => expired,
    release() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

/**
 * Milliseconds that a `Retry-After` header asks to wait: seconds or an HTTP date (RFC 9110, 10.2.3).
 * @returns undefined when there is no header, or none that can be read
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // A date names its weekday; Date.parse alone would also take `-1` or `2.5`.
  const timestamp = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timestamp) ? undefined : Math.max(0, timestamp - now);
}
