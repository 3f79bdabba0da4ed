import type { Timers } from './timing.ts';

export interface Pacer {
  /** Waits for the next request's turn. False when there is none before the end, or the signal aborts. */
  turn(): Promise<boolean>;
  /** Gives no turn for so many milliseconds: the destination asked for it. */
  hold(milliseconds: number): void;
}

interface PacerOptions {
  /** Zero: as fast as they come. */
  readonly requestsPerMinute: number;
  /** Milliseconds since the epoch; no turn from then on. */
  readonly end: number;
  readonly timers: Timers;
  readonly signal?: AbortSignal | undefined;
}

/** Turns at even distances, so that no window of a minute holds more requests than it may. */
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
