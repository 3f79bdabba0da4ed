/** Token buckets in memory: exact where one process serves everything, as in a local run. */

import { BoundedMap } from '../../../shared/domain/bounded-map.ts';
import { BURST_SECONDS, bucketId, MOST_BUCKETS, type RateLimiter } from './rate-limiter.ts';

interface Level {
  readonly permits: number;
  readonly at: number;
}

export function createInProcessLimiter(): RateLimiter {
  const levels = new BoundedMap<string, Level>(MOST_BUCKETS);
  return {
    async take(bucket, now) {
      const { rate } = bucket;
      if (rate === 0) return { admitted: true };
      const id = bucketId(bucket);
      const burst = rate * BURST_SECONDS;
      const { permits, at } = levels.get(id) ?? { permits: burst, at: now };
      const available = Math.min(burst, permits + (Math.max(0, now - at) / 1_000) * rate);
      const admitted = available >= 1;
      levels.set(id, { permits: admitted ? available - 1 : available, at: now });
      if (admitted) return { admitted };
      return { admitted, retryAfterSeconds: Math.max(1, Math.ceil((1 - available) / rate)) };
    },
  };
}
