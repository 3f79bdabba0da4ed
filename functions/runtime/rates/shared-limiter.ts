/** Rate limits across instances, through leases of permits (decision 30). */

import type { RateLeases } from '../../../shared/data/projects/rate-leases.ts';
import { untilDeadline, withDeadline } from '../../../shared/data/table/deadline.ts';
import type { Key } from '../../../shared/data/table/schema.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import { BoundedMap } from '../../../shared/domain/memory.ts';
import { askAnew, type LeaseAsk, type RateLimit } from '../../../shared/domain/rates/rate-bucket.ts';
import {
  createHolding,
  type Holding,
  requestPermit,
  settleLease,
  type Verdict,
} from '../../../shared/domain/rates/rate-lease.ts';
import {
  type Admission,
  type Bucket,
  bucketId,
  burstOf,
  MOST_BUCKETS,
  type RateLimiter,
} from './rate-limiter.ts';

/** After a failed lease, requests pass this long without another attempt, so that an outage adds no latency. */
const OPEN_MS = SECOND;
/** Longest wait for a lease, milliseconds. */
const DEADLINE_MS = 300;

interface LimiterOptions {
  readonly leases: RateLeases;
  readonly keyOf: (bucket: Bucket) => Promise<Key>;
  readonly random: () => number;
  /** Called for failed leases, at most once per `OPEN_MS`. */
  readonly onFailure: (error: unknown) => void;
  readonly deadlineMs?: number | undefined;
}

const limitOf = (bucket: Bucket): RateLimit => ({
  rate: bucket.rate,
  burst: burstOf(bucket),
  paid: bucket.kind === 'key' ? 'after' : 'before',
});

export function createSharedLimiter(options: LimiterOptions): RateLimiter {
  const { leases, keyOf, random, onFailure, deadlineMs = DEADLINE_MS } = options;
  const holdings = new BoundedMap<string, Holding>(MOST_BUCKETS);
  const asking = new Map<string, Promise<Admission>>();
  let openUntil = 0;

  async function lease(bucket: Bucket, holding: Holding, ask: LeaseAsk, now: number): Promise<Verdict> {
    const limit = limitOf(bucket);
    const key = await keyOf(bucket);
    const first = await leases.ask(key, ask, limit, now);
    const again = askAnew(ask, first, limit, now);
    const reply = again === undefined ? first : await leases.ask(key, again, limit, now);
    return settleLease(holding, again ?? ask, reply, limit, now, random);
  }

  async function decide(bucket: Bucket, now: number): Promise<Admission> {
    const id = bucketId(bucket);
    const known = holdings.get(id) ?? createHolding(now, random);
    let verdict = requestPermit(known, limitOf(bucket), now, random);
    holdings.set(id, verdict.holding);
    if (verdict.kind === 'ask') {
      const { holding, ask } = verdict;
      if (now < openUntil) return { admitted: true, unmetered: true };
      try {
        const work = () => untilDeadline(() => lease(bucket, holding, ask, now));
        verdict = await withDeadline(deadlineMs, work);
      } catch (error) {
        onFailure(error);
        openUntil = now + OPEN_MS;
        return { admitted: true, unmetered: true };
      }
      holdings.set(id, verdict.holding);
    }
    if (verdict.kind !== 'refuse') return { admitted: true };
    const retryAfterSeconds = Math.max(1, Math.ceil((verdict.retryAt - now) / SECOND));
    return { admitted: false, retryAfterSeconds };
  }

  return {
    async take(bucket, now) {
      if (bucket.rate === 0) return { admitted: true };
      const id = bucketId(bucket);
      // One lease at a time per bucket; concurrent requests share its result.
      while (asking.has(id)) await asking.get(id);
      const admission = decide(bucket, now).finally(() => asking.delete(id));
      asking.set(id, admission);
      return admission;
    },
  };
}
