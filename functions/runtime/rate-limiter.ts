/** Token buckets in the memory of one function instance (contract, decisions §8). */

export interface Bucket {
  readonly id: string;
  /** Requests per second; zero switches the limit off. Burst is twice that. */
  readonly rate: number;
}

export type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

export interface RateLimiter {
  /** Takes one permit from a bucket, at `now` in milliseconds. */
  take(bucket: Bucket, now: number): Promise<Admission>;
}

const MOST_BUCKETS = 10_000;

interface Level {
  readonly permits: number;
  readonly at: number;
}

export function createInProcessLimiter(): RateLimiter {
  const levels = new Map<string, Level>();
  return {
    async take({ id, rate }, now) {
      if (rate === 0) return { admitted: true };
      const burst = rate * 2;
      const { permits, at } = levels.get(id) ?? { permits: burst, at: now };
      const available = Math.min(burst, permits + (Math.max(0, now - at) / 1_000) * rate);
      const admitted = available >= 1;
      levels.delete(id);
      levels.set(id, { permits: admitted ? available - 1 : available, at: now });
      const oldest = levels.keys().next().value;
      if (levels.size > MOST_BUCKETS && oldest !== undefined) levels.delete(oldest);
      if (admitted) return { admitted };
      return { admitted, retryAfterSeconds: Math.max(1, Math.ceil((1 - available) / rate)) };
    },
  };
}
