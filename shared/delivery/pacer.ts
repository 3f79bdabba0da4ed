import type { Timers } from './timing.ts';

export interface Pacer {
  /** Waits for a turn. False at the end, or if the signal aborts. */
  turn(): Promise<boolean>;
  /** Pauses turns, as the destination requested. */
  hold(milliseconds: number): void;
}

interface PacerOptions {
  /** Zero is unlimited. */
  readonly requestsPerMinute: number;
  /** Milliseconds since the epoch; no turns from then on. */
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
