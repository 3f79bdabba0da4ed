/** Rate limits (docs/contract.md §12). */

import { BoundedMap } from '../../../shared/domain/memory.ts';

export interface Bucket {
  readonly kind: 'key' | 'address';
  readonly projectId: string;
  readonly name: string;
  readonly of?: string | undefined;
  /** Requests per second; zero disables the limit. */
  readonly rate: number;
  /** Requests at once; defaults to twice the rate. */
  readonly burst?: number | undefined;
}

export type Admission =
  /** `unmetered`: the limiter failed, and the request passes. */
  | { readonly admitted: true; readonly unmetered?: true }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

export interface RateLimiter {
  take(bucket: Bucket, now: number): Promise<Admission>;
}

/** Default burst, in seconds of the rate. */
const BURST_SECONDS = 2;

export const burstOf = ({ rate, burst = rate * BURST_SECONDS }: Bucket): number => burst;

export const bucketId = ({ kind, projectId, name, of = '' }: Bucket): string =>
  `${kind}#${projectId}#${name}#${of}`;

export const MOST_BUCKETS = 10_000;

interface Level {
  readonly permits: number;
  readonly at: number;
}

export interface InProcessLimiter extends RateLimiter {
  /** Returns the last permit. */
  giveBack(bucket: Bucket): void;
}

/** Exact only if one process serves everything. */
export function createInProcessLimiter(): InProcessLimiter {
  const levels = new BoundedMap<string, Level>(MOST_BUCKETS);
  return {
    async take(bucket, now) {
      const { rate } = bucket;
      if (rate === 0) return { admitted: true };
      const id = bucketId(bucket);
      const burst = burstOf(bucket);
      const { permits, at } = levels.get(id) ?? { permits: burst, at: now };
      const available = Math.min(burst, permits + (Math.max(0, now - at) / 1_000) * rate);
      const admitted = available >= 1;
      levels.set(id, { permits: admitted ? available - 1 : available, at: now });
      if (admitted) return { admitted };
      return { admitted, retryAfterSeconds: Math.max(1, Math.ceil((1 - available) / rate)) };
    },
    giveBack(bucket) {
      const id = bucketId(bucket);
      const level = levels.get(id);
      if (level === undefined) return;
      levels.set(id, { ...level, permits: Math.min(burstOf(bucket), level.permits + 1) });
    },
  };
}
