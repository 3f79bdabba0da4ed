/** Trying again what a table leaves undone, and doing many things a few at a time. */

import { setTimeout } from 'node:timers/promises';
import { untilDeadline } from './deadline.ts';

/** Waits so many milliseconds, or until the deadline of the work that it belongs to. */
export type Pause = (milliseconds: number) => Promise<unknown>;

export const realPause: Pause = (milliseconds) => untilDeadline(() => setTimeout(milliseconds));

export interface RetryOptions {
  readonly attempts: number;
  /** The mean of the first pause; each further one is twice as long, up to 200 ms, all fully jittered. */
  readonly firstPauseMs: number;
  readonly pause: Pause;
  /** From 0 to 1. */
  readonly jitter: () => number;
}

/** Twice the longest mean pause. */
const LONGEST_PAUSE_MS = 400;

/** The outcome of an attempt: a result, or what to throw when it was the last. */
export type Attempt<T> = { readonly result: T } | { readonly retry: unknown };

/** Makes attempts until one has a result. @throws what the last attempt gave as its reason */
export async function retrying<T>(
  { attempts, firstPauseMs, pause, jitter }: RetryOptions,
  work: () => Promise<Attempt<T>>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await work();
    if ('result' in outcome) return outcome.result;
    if (attempt === attempts) throw outcome.retry;
    await pause(jitter() * Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** attempt));
  }
}

/** The items in runs of at most `size`. */
export function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/**
 * Does `work` on every item, at most `limit` at a time; results in the items' order. After the first failure no further
 * item is begun; those under way go on, and their results are ignored.
 */
export async function inFlight<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  let failed = false;
  const worker = async () => {
    for (const [index, item] of queue) {
      if (failed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
