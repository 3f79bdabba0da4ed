/**
 * Rate limits shared by many function instances without a write per request (decision 30). An instance admits a
 * share of its requests from memory. Now and then it takes a lease from the bucket: the permits that it spent, or for an
 * address those that it is about to spend. The bucket's answer says how much is left and how much all instances are
 * asked for; the share follows from both.
 */

import { SECOND } from '../duration.ts';
import { type LeaseAsk, type LeaseReply, levelOf, millisecondsOf, type RateLimit } from './rate-bucket.ts';

/** What one instance knows of a bucket. Times are milliseconds since the epoch. */
export interface Holding {
  /** Requests since the last lease, admitted or not. */
  readonly offered: number;
  /** Permits spent and not yet leased; below zero, leased and not yet spent. */
  readonly owed: number;
  /** Requests after which the next lease is due, where permits are paid after use. */
  readonly batch: number;
  /** The last lease; before the first one, the first request. */
  readonly leasedAt: number;
  /** Of the requests, how many to admit: 0 to 1. */
  readonly share: number;
  readonly emptyAt?: number | undefined;
  readonly refill: boolean;
  /** Requests per second of all instances, and the count and time from which the next figure is measured. */
  readonly demand?: number | undefined;
  readonly measured?: { readonly offered: number; readonly at: number };
  /** The last few requests, where permits are paid before use. */
  readonly recent: readonly number[];
}

export type Verdict =
  | { readonly kind: 'admit'; readonly holding: Holding }
  | { readonly kind: 'refuse'; readonly holding: Holding; readonly retryAt: number }
  | { readonly kind: 'ask'; readonly holding: Holding; readonly ask: LeaseAsk };

export type Random = () => number;

/** Requests of an address that an instance admits without a lease, and the time in which they count. */
const FREE_REQUESTS = 3;
const FREE_MS = 10 * SECOND;
/** A lease is due after the requests of so long, at least 4 or 5, at most a part of the burst; it grows step by step. */
const BATCH_SECONDS = 1.5;
const LEAST_BATCH = 4.4;
const MOST_OF_BURST = 1 / 8;
const GROWTH = 1.5;
/** The first one is due after 1 to 4, so that instances which began together do not go on together. */
const FIRST_BATCH = 4;
/** An address may lease such a part of what is left beyond what it needs now. */
const SPARE_PART = 0.1;
/** What the bucket holds is spent, and what it is overdrawn by is saved, in so long at least. */
const CORRECTION_SECONDS = 2;
const MEASURED_MS = SECOND;
/** A share so old says nothing. */
const SHARE_LIFETIME_MS = 20 * SECOND;
/** Of an address, so that a share of nothing is noticed to be over. */
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

/** Requests of this instance per second, since its last lease. */
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
  const spare = Math.max(0, Math.floor(Math.min(ownRate(holding, now), left * SPARE_PART)));
  return { kind: 'ask', holding, ask: { permits: 1 + spare, offered, least: 1, refill } };
}

/** One request: admitted, refused, or in need of a lease. */
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

/** What may be admitted until the next lease, of what will be asked for. */
function shareOf(level: number, { rate }: RateLimit, seconds: number, demand: number | undefined): number {
  if (demand === undefined) return level > 0 ? 1 : 0;
  return Math.max(0, Math.min(1, (rate + level / seconds) / demand));
}

/** What the bucket's answer says of all instances. */
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
  // Who sheds load and leases seldom corrects gently: all instances see the same bucket, and correct together.
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

/** The bucket's answer to an ask, for the request that waited for it. */
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
