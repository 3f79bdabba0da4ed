import { setTimeout } from 'node:timers/promises';
import { untilDeadline } from './deadline.ts';

export type Pause = (milliseconds: number) => Promise<unknown>;

export const realPause: Pause = (milliseconds) => untilDeadline(() => setTimeout(milliseconds));

export interface RetryOptions {
  readonly attempts: number;
  /** The pause doubles up to 200 ms. All pauses have full jitter. */
  readonly firstPauseMs: number;
  readonly pause: Pause;
  /** From 0 to 1. */
  readonly jitter: () => number;
}

const LONGEST_PAUSE_MS = 400;

export type Attempt<T> = { readonly result: T } | { readonly retry: unknown };

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

export function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** After a failure, work on further items does not start. */
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
