import { vi } from 'vitest';

/** Ends what hangs; on a busy machine a page may take many times its usual time. Milliseconds. */
export const PATIENCE_MS = 120_000;

/** Repeats an assertion until it holds. */
export const eventually = <T>(assertion: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertion, { timeout: PATIENCE_MS });
