/** Rate limits counted across function instances, by leases of permits (docs/decisions/0030). */

import type { RateLeases } from '../../shared/data/projects/rate-leases.ts';
import type { Key } from '../../shared/data/table/schema.ts';
import { BoundedMap } from '../../shared/domain/bounded-map.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { RateLimit } from '../../shared/domain/rate-bucket.ts';
import {
  type Holding,
  requestPermit,
  settleLease,
  UNKNOWN,
  type Verdict,
} from '../../shared/domain/rate-lease.ts';
import {
  type Admission,
  BURST_SECONDS,
  type Bucket,
  bucketId,
  MOST_BUCKETS,
  type RateLimiter,
} from './rate-limiter.ts';

/** After a lease that got no answer, requests pass for so long without another try: one bad minute costs no latency. */
const OPEN_MS = SECOND;
/** A lease that misjudged the bucket is tried once more. */
const MOST_ASKS = 2;
/**
 * Requests that an instance admits before its first lease, as a share of the burst and at most: a page makes two or
 * three requests, so most addresses never cost a write.
 */
const UNLEASED = { key: { share: 0.01, most: 2 }, address: { share: 0.25, most: 10 } } as const;

interface LimiterOptions {
  readonly leases: RateLeases;
  /** Where a bucket lies in the table. */
  readonly keyOf: (bucket: Bucket) => Promise<Key>;
  /** From 0 to 1. */
  readonly jitter: () => number;
  /** Told of a lease that got no answer, at most once in `OPEN_MS`. */
  readonly onFailure: (error: unknown) => void;
}

function limitOf({ kind, rate }: Bucket): RateLimit {
  const burst = rate * BURST_SECONDS;
  const { share, most } = UNLEASED[kind];
  return { rate, burst, unleased: Math.min(most, Math.floor(burst * share)) };
}

export function createSharedLimiter({ leases, keyOf, jitter, onFailure }: LimiterOptions): RateLimiter {
  const holdings = new BoundedMap<string, Holding>(MOST_BUCKETS);
  const asking = new Map<string, Promise<Admission>>();
  let openUntil = 0;

  async function negotiate(bucket: Bucket, first: Verdict, now: number): Promise<Verdict> {
    const limit = limitOf(bucket);
    const key = await keyOf(bucket);
    let verdict = first;
    for (let asks = 0; verdict.kind === 'ask' && asks < MOST_ASKS; asks++) {
      const { holding, ask } = verdict;
      const reply = await leases.ask(key, ask, limit, now);
      verdict = settleLease(holding, ask, reply, limit, now, jitter());
    }
    return verdict;
  }

  async function decide(bucket: Bucket, now: number): Promise<Admission> {
    const id = bucketId(bucket);
    const first = requestPermit(holdings.get(id) ?? UNKNOWN, limitOf(bucket), now);
    if (first.kind === 'ask' && now < openUntil) return { admitted: true, unmetered: true };
    let verdict = first;
    try {
      if (first.kind === 'ask') verdict = await negotiate(bucket, first, now);
    } catch (error) {
      onFailure(error);
      openUntil = now + OPEN_MS;
      return { admitted: true, unmetered: true };
    }
    holdings.set(id, verdict.holding);
    if (verdict.kind === 'admit') return { admitted: true };
    const retryAt = verdict.kind === 'refuse' ? verdict.retryAt : now;
    return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil((retryAt - now) / SECOND)) };
  }

  return {
    async take(bucket, now) {
      if (bucket.rate === 0) return { admitted: true };
      const id = bucketId(bucket);
      // One lease at a time for a bucket: a request that comes meanwhile spends from it, too.
      while (asking.has(id)) await asking.get(id);
      const admission = decide(bucket, now).finally(() => asking.delete(id));
      asking.set(id, admission);
      return admission;
    },
  };
}
