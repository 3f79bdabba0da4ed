/**
 * Instances share rate limits without a write for each request (decision 30). An instance admits a share of its
 * requests from memory and leases permits from the shared bucket. It leases them after use, or for addresses before
 * use. The reply contains the remaining permits and the demand on all instances, which determine the share.
 */

import { SECOND } from '../duration.ts';

/**
 * A bucket is stored as one number, `emptyAt`: the time when it was last empty. Its level is what has flowed in since
 * then, at most `burst`. If `emptyAt` is in the future, the bucket is overdrawn.
 */
export interface RateLimit {
  /** Per second, above zero. */
  readonly rate: number;
  readonly burst: number;
  readonly paid: 'before' | 'after';
}

export interface LeaseAsk {
  readonly permits: number;
  /** Includes refused requests. */
  readonly offered: number;
  /** Permits are granted only if the bucket has this level. Permits that were already spent are always taken. */
  readonly least?: number | undefined;
  /** The instance believes that the bucket is full, so `emptyAt` is replaced. */
  readonly refill: boolean;
}

export interface LeaseReply {
  readonly granted: boolean;
  readonly emptyAt?: number | undefined;
  /** All requests that instances have reported. */
  readonly offered?: number | undefined;
}

/** A bucket is replaced if it lags behind a full one by at least this fraction of the burst. */
const SLACK = 0.5;

const millisecondsOf = (permits: number, { rate }: RateLimit): number => (permits / rate) * SECOND;

function levelOf(emptyAt: number, { rate, burst }: RateLimit, now: number): number {
  return Math.min(burst, ((now - emptyAt) / SECOND) * rate);
}

interface LeaseTerms {
  readonly cost: number;
  /** With `refill`: the new `emptyAt` before `cost` is added, if there is none or an earlier one. */
  readonly full: number;
  /** Without `refill`: the earliest `emptyAt` that may be moved. */
  readonly earliest: number;
  readonly latest: number | undefined;
}

export function termsOf({ permits, least }: LeaseAsk, limit: RateLimit, now: number): LeaseTerms {
  const full = now - millisecondsOf(limit.burst, limit);
  return {
    cost: millisecondsOf(permits, limit),
    full,
    earliest: full - millisecondsOf(limit.burst * SLACK, limit),
    latest: least === undefined ? undefined : now - millisecondsOf(least, limit),
  };
}

/** Repeats a refused request that wrongly assumed a full bucket, or a bucket that is not full. */
export function askAgain(
  ask: LeaseAsk,
  { granted, emptyAt }: LeaseReply,
  limit: RateLimit,
  now: number,
): LeaseAsk | undefined {
  const refill = emptyAt === undefined || emptyAt < termsOf(ask, limit, now).full;
  return granted || refill === ask.refill ? undefined : { ...ask, refill };
}

/** One instance's view of a bucket. Times are milliseconds since the epoch. */
export interface Holding {
  /** Includes refused requests. */
  readonly offered: number;
  /** Permits that were spent and not yet leased. Negative if permits were leased and not yet spent. */
  readonly owed: number;
  /** The number of requests until the next lease, if permits are leased after use. */
  readonly batch: number;
  /** The first request counts as a lease. */
  readonly leasedAt: number;
  readonly share: number;
  readonly emptyAt?: number | undefined;
  readonly refill: boolean;
  /** Requests per second on all instances, and when to measure them next. */
  readonly demand?: number | undefined;
  readonly measured?: { readonly offered: number; readonly at: number };
  /** The times of the latest requests, if permits are leased before use. */
  readonly recent: readonly number[];
}

export type Verdict =
  | { readonly kind: 'admit'; readonly holding: Holding }
  | { readonly kind: 'refuse'; readonly holding: Holding; readonly retryAt: number }
  | { readonly kind: 'ask'; readonly holding: Holding; readonly ask: LeaseAsk };

export type Random = () => number;

/** An instance admits this many requests of an address per period without a lease. */
const FREE_REQUESTS = 3;
const FREE_MS = 10 * SECOND;
/**
 * The requests between two leases cover this time, within limits that depend on the burst. Their number grows in steps.
 */
const BATCH_SECONDS = 1.5;
const LEAST_BATCH = 4.4;
const MOST_OF_BURST = 1 / 8;
const GROWTH = 1.5;
/** The first lease follows after 1 to 4 requests, so that instances do not lease at the same time. */
const FIRST_BATCH = 4;
/** The fraction of the remaining permits that an address may lease in addition to its need. */
const SPARE_SHARE = 0.1;
/** The least time in which instances spend a bucket or repay an overdraft. */
const CORRECTION_SECONDS = 2;
const MEASURED_MS = SECOND;
/** An older share is no longer used. */
const SHARE_LIFETIME_MS = 20 * SECOND;
/**
 * The lowest share for addresses. It is above zero, so that the instance notices when requests are admissible again.
 */
const LEAST_SHARE = 0.05;

export function createHolding(now: number, random: Random): Holding {
  const batch = 1 + Math.floor(random() * FIRST_BATCH);
  return { offered: 0, owed: 0, batch, leasedAt: now, share: 1, refill: false, recent: [] };
}

const admit = (holding: Holding): Verdict => ({ kind: 'admit', holding });

const refuse = (holding: Holding, limit: RateLimit, now: number): Verdict => ({
  kind: 'refuse',
  holding,
  retryAt: (holding.emptyAt ?? now) + millisecondsOf(1, limit),
});

const isAdmitted = ({ share, leasedAt }: Holding, now: number, random: Random): boolean =>
  now - leasedAt > SHARE_LIFETIME_MS || random() < share;

const ownRate = ({ offered, leasedAt }: Holding, now: number): number =>
  (offered / Math.max(1, now - leasedAt)) * SECOND;

function spend(holding: Holding, limit: RateLimit, now: number, random: Random): Verdict {
  if (!isAdmitted(holding, now, random)) return refuse(holding, limit, now);
  return admit({ ...holding, owed: holding.owed + 1 });
}

function requestPaidBefore(holding: Holding, limit: RateLimit, now: number, random: Random): Verdict {
  const { offered, owed, share, emptyAt, refill } = holding;
  if (owed < 0) return admit({ ...holding, owed: owed + 1 });
  const known = { ...holding, share: Math.max(LEAST_SHARE, share) };
  if (!isAdmitted(known, now, random)) return refuse(holding, limit, now);
  const left = emptyAt === undefined || share < 1 ? 0 : levelOf(emptyAt, limit, now);
  const spare = Math.max(0, Math.floor(Math.min(ownRate(holding, now), left * SPARE_SHARE)));
  return { kind: 'ask', holding, ask: { permits: 1 + spare, offered, least: 1, refill } };
}

export function requestPermit(known: Holding, limit: RateLimit, now: number, random: Random): Verdict {
  if (limit.paid === 'after') {
    const holding = { ...known, offered: known.offered + 1 };
    const { offered, owed: permits, refill } = holding;
    if (offered < holding.batch) return spend(holding, limit, now, random);
    return { kind: 'ask', holding, ask: { permits, offered, refill } };
  }
  const [first] = known.recent;
  const recent = [...known.recent, now].slice(-FREE_REQUESTS);
  const isFree = known.recent.length < FREE_REQUESTS || (first !== undefined && now - first > FREE_MS);
  if (isFree) return admit({ ...known, recent });
  return requestPaidBefore({ ...known, recent, offered: known.offered + 1 }, limit, now, random);
}

function batchAfter(holding: Holding, { burst }: RateLimit, now: number, random: Random): number {
  const wanted = Math.min(
    ownRate(holding, now) * BATCH_SECONDS,
    holding.batch * GROWTH,
    burst * MOST_OF_BURST,
  );
  return Math.floor(Math.max(LEAST_BATCH, wanted) + random());
}

function shareOf(level: number, { rate }: RateLimit, seconds: number, demand: number | undefined): number {
  if (demand === undefined) return level > 0 ? 1 : 0;
  return Math.max(0, Math.min(1, (rate + level / seconds) / demand));
}

function learn(
  holding: Holding,
  { emptyAt, offered = 0 }: LeaseReply,
  limit: RateLimit,
  now: number,
): Holding {
  const { share, leasedAt, measured = { offered, at: now } } = holding;
  const elapsed = now - measured.at;
  const isMeasured = elapsed >= MEASURED_MS;
  const demand = isMeasured ? Math.max(1, ((offered - measured.offered) / elapsed) * SECOND) : holding.demand;
  // Instances that shed load lease rarely, and correct slowly, because all of them react to the same bucket.
  const correctionSeconds = Math.max(CORRECTION_SECONDS, share < 1 ? (now - leasedAt) / SECOND : 0);
  const level = emptyAt === undefined ? limit.burst : levelOf(emptyAt, limit, now);
  return {
    ...holding,
    emptyAt,
    demand,
    measured: isMeasured ? { offered, at: now } : measured,
    share: shareOf(level, limit, correctionSeconds, demand),
    leasedAt: now,
  };
}

export function settleLease(
  holding: Holding,
  { permits, refill }: LeaseAsk,
  reply: LeaseReply,
  limit: RateLimit,
  now: number,
  random: Random,
): Verdict {
  const learnt = learn(holding, reply, limit, now);
  const leased = { ...learnt, offered: 0, refill };
  if (limit.paid === 'before') {
    return reply.granted ? admit({ ...leased, owed: 1 - permits }) : refuse(learnt, limit, now);
  }
  const batch = batchAfter(holding, limit, now, random);
  return spend(reply.granted ? { ...leased, owed: 0, batch } : learnt, limit, now, random);
}
