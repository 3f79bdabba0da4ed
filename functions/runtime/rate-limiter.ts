/** See docs/contract.md §12. */

import { addressHash } from '../../shared/crypto/derive.ts';
import { createRateLeases, type RateLeases } from '../../shared/data/projects/rate-leases.ts';
import { untilDeadline, withDeadline } from '../../shared/data/table/deadline.ts';
import { addressLeaseKey, type Key, keyLeaseKey } from '../../shared/data/table/schema.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { BoundedMap } from '../../shared/domain/memory.ts';
import {
  askAgain,
  createHolding,
  type Holding,
  type LeaseAsk,
  type RateLimit,
  requestPermit,
  settleLease,
  type Verdict,
} from '../../shared/domain/rates/rate-lease.ts';
import { log, part, secrets, table } from './compose.ts';

export interface Bucket {
  readonly kind: 'key' | 'address';
  readonly projectId: string;
  readonly name: string;
  readonly of?: string | undefined;
  /** Requests per second; zero disables the limit. */
  readonly rate: number;
  /** Defaults to twice the rate. */
  readonly burst?: number | undefined;
}

type Admission =
  /** `unmetered`: the limiter failed, so the request was admitted. */
  | { readonly admitted: true; readonly unmetered?: true }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

export interface RateLimiter {
  take(bucket: Bucket, now: number): Promise<Admission>;
}

const BURST_SECONDS = 2;

const burstOf = ({ rate, burst = rate * BURST_SECONDS }: Bucket): number => burst;

const bucketId = ({ kind, projectId, name, of = '' }: Bucket): string => `${kind}#${projectId}#${name}#${of}`;

const MOST_BUCKETS = 10_000;

interface Level {
  readonly permits: number;
  readonly at: number;
}

export interface InProcessLimiter extends RateLimiter {
  giveBack(bucket: Bucket): void;
}

function createInProcessLimiter(): InProcessLimiter {
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

/** After a lease fails, requests are admitted for this long, so that an outage adds no latency. */
const OPEN_MS = SECOND;
const DEADLINE_MS = 300;

interface LimiterOptions {
  readonly leases: RateLeases;
  readonly keyOf: (bucket: Bucket) => Promise<Key>;
  readonly random: () => number;
  /** Called at most once per `OPEN_MS`. */
  readonly onFailure: (error: unknown) => void;
  readonly deadlineMs?: number | undefined;
}

const limitOf = (bucket: Bucket): RateLimit => ({
  rate: bucket.rate,
  burst: burstOf(bucket),
  paid: bucket.kind === 'key' ? 'after' : 'before',
});

/** Counts requests across instances (decision 30). */
export function createSharedLimiter(options: LimiterOptions): RateLimiter {
  const { leases, keyOf, random, onFailure, deadlineMs = DEADLINE_MS } = options;
  const holdings = new BoundedMap<string, Holding>(MOST_BUCKETS);
  const asking = new Map<string, Promise<Admission>>();
  let openUntil = 0;

  async function lease(bucket: Bucket, holding: Holding, ask: LeaseAsk, now: number): Promise<Verdict> {
    const limit = limitOf(bucket);
    const key = await keyOf(bucket);
    const first = await leases.ask(key, ask, limit, now);
    const again = askAgain(ask, first, limit, now);
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
      while (asking.has(id)) await asking.get(id);
      const admission = decide(bucket, now).finally(() => asking.delete(id));
      asking.set(id, admission);
      return admission;
    },
  };
}

export const limiter = /* @__PURE__ */ part((service): RateLimiter => {
  const { config } = service;
  if (config.sharedRateLimits !== true) return createInProcessLimiter();
  return createSharedLimiter({
    leases: createRateLeases(table(service)),
    deadlineMs: config.leaseDeadlineMs,
    random: Math.random,
    onFailure: (error) => log(service).error({ message: 'rate limiter unavailable, requests pass', error }),
    async keyOf({ kind, projectId, name, of }) {
      if (kind === 'key') return keyLeaseKey(projectId, name, of);
      const hash = addressHash(await secrets(service).hashSecret(), projectId, name);
      return addressLeaseKey(projectId, hash, of);
    },
  });
});

/** Counts within the instance, so that refusing an unknown key makes no call. */
export const wrongKeyLimiter = /* @__PURE__ */ part(() => createInProcessLimiter());
