/** Time and randomness, replaceable in tests and unusual runtimes. */
export interface Timers {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after the time, or as soon as the signal aborts. */
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

/** Longer timers fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

/** @throws TypeError if the limit is not above 0 */
export function limitOf(name: string, given: number): number {
  if (typeof given === 'number' && given > 0) return Math.min(given, LONGEST_MS);
  throw new TypeError(`${name} must be a number of milliseconds above 0, not ${String(given)}`);
}

/** `release` detaches the timer and the caller's signal. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether the timer, not the caller, aborted the signal. */
  expired(): boolean;
  release(): void;
}

/** Node before 20.3 lacks `AbortSignal.any`. */
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
 * Seconds or an HTTP date (RFC 9110, 10.2.3).
 * @returns undefined if absent or invalid
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // `Date.parse` alone would also accept `-1` or `2.5`.
  const timestamp = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timestamp) ? undefined : Math.max(0, timestamp - now);
}

export interface Pacer {
  /** Returns false at the end, or when the signal aborts. */
  turn(): Promise<boolean>;
  hold(milliseconds: number): void;
}

interface PacerOptions {
  /** Zero is unlimited. */
  readonly requestsPerMinute: number;
  /** Milliseconds since the epoch. */
  readonly end: number;
  readonly timers: Timers;
  readonly signal?: AbortSignal | undefined;
}

/** Evenly spaced turns keep every one-minute window within the limit. */
export function createPacer({ requestsPerMinute, end, timers, signal }: PacerOptions): Pacer {
  const distance = requestsPerMinute === 0 ? 0 : Math.ceil(60_000 / requestsPerMinute);
  let next = Number.NEGATIVE_INFINITY;
  let heldUntil = Number.NEGATIVE_INFINITY;

  return {
    async turn() {
      for (;;) {
        const now = timers.now();
        const slot = Math.max(now, next, heldUntil);
        if (slot >= end || signal?.aborted === true) return false;
        if (slot <= now) {
          next = now + distance;
          return true;
        }
        await timers.sleep(slot - now, signal);
      }
    },
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, timers.now() + milliseconds);
    },
  };
}
