import { vi } from 'vitest';

/** A limit in milliseconds that ends hanging tests. A busy machine may be many times slower than usual. */
export const PATIENCE_MS = 120_000;

export const eventually = <T>(assertion: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertion, { timeout: PATIENCE_MS });
