/**
 * Rate limits shared by many function instances without a write per request: an instance leases permits in blocks
 * from a bucket they share, and spends them from memory (docs/decisions/0030). This is what one instance knows of the
 * bucket, and what it asks for.
 */

import { SECOND } from './duration.ts';
import {
  fullAt,
  type LeaseAsk,
  type LeaseReply,
  millisecondsOf,
  permitsOf,
  type RateLimit,
  termsOf,
} from './rate-bucket.ts';

export interface Holding {
  readonly permits: number;
  /** Milliseconds since the epoch, as every moment here. */
  readonly lapsesAt: number;
  readonly debt: number;
  /** Requests of about the last `DEMAND_WINDOW_MS`, decaying. */
  readonly requests: number;
  readonly askedAt: number;
  /** Milliseconds without a request before that one. */
  readonly idle: number;
  /** Of the shared bucket, as last seen. */
  readonly emptyAt?: number | undefined;
  readonly sold?: number | undefined;
  /** Moments of the last grant, and of the first request it could not serve any more. */
  readonly grantedAt?: number | undefined;
  readonly spentAt?: number | undefined;
  /** Permits that others took between the last two grants. */
  readonly others: number;
  /** Permits that others took since the last grant, as far as is known. */
  readonly taken: number;
  /** What others hold, at a guess from the last few grants; unknown before the second. */
  readonly held?: number | undefined;
  readonly refill: boolean;
  /** After a denial: no further write before so many requests or this moment, whichever comes first. */
  readonly quiet?: { readonly requests: number; readonly until: number };
}

export type Verdict =
  | { readonly kind: 'admit'; readonly holding: Holding }
  | { readonly kind: 'refuse'; readonly holding: Holding; readonly retryAt: number }
  | { readonly kind: 'ask'; readonly holding: Holding; readonly ask: LeaseAsk };

const DEMAND_WINDOW_MS = 30 * SECOND;
/** After so long without a request, an instance knows nothing of a bucket any more. */
const FORGET_MS = DEMAND_WINDOW_MS;
/** Permits held so long are gone: an instance that went quiet hoards nothing. */
const LEASE_LIFETIME_MS = 30 * SECOND;
/** A block is what an instance asked for in the window, up to this; so a lease serves at least 20 requests. */
const BLOCK = 24;
/** After a pause, a block is what is asked in so long of such pauses, at most: an instance that saw much hoards nothing. */
const PAUSES_MS = 60 * SECOND;
/** Under heavy demand a block is what an instance spends in half a second. */
const HEAVY_BLOCK_SHARE = 500 / DEMAND_WINDOW_MS;
const MOST_OF_BURST = 0.25;
const MOST_RESERVE = 0.9;
/** Of a new guess at what others hold, against the ones before. */
const GUESS_WEIGHT = 0.4;
const QUIET_REQUESTS = 20;
const QUIET_MS = 2 * SECOND;

export const UNKNOWN: Holding = {
  permits: 0,
  lapsesAt: 0,
  debt: 0,
  requests: 0,
  askedAt: 0,
  idle: 0,
  others: 0,
  taken: 0,
  refill: true,
};

function blockOf({ requests, idle }: Holding, { burst }: RateLimit): number {
  const wanted = Math.max(Math.min(requests, BLOCK), requests * HEAVY_BLOCK_SHARE);
  return Math.max(1, Math.floor(Math.min(wanted, PAUSES_MS / idle, burst * MOST_OF_BURST)));
}

/** The level, at best, of a bucket last seen so: others may have taken from it since. */
function levelOf(emptyAt: number | undefined, { rate, burst }: RateLimit, now: number): number {
  return emptyAt === undefined ? burst : Math.min(burst, ((now - emptyAt) / SECOND) * rate);
}

/**
 * What others hold of a bucket, at a guess: half of what they take between two grants, for the share of that time in
 * which this instance, taken for one of many, had something to hold.
 */
function guessOf(taken: number, { grantedAt, spentAt }: Holding, now: number): number {
  const isKnown = grantedAt !== undefined && spentAt !== undefined && now > grantedAt;
  return (taken / 2) * (isKnown ? (spentAt - grantedAt) / (now - grantedAt) : 1);
}

/** Permits to leave behind. */
function reserveOf(holding: Holding, { burst }: RateLimit, now: number): number {
  const { held, others, taken } = holding;
  return Math.min(held ?? guessOf(Math.max(others, taken), holding, now), burst * MOST_RESERVE);
}

/** The guess after a grant. */
function heldAfter(taken: number, holding: Holding, now: number): number | undefined {
  if (holding.grantedAt === undefined) return undefined;
  const guess = guessOf(taken, holding, now);
  return holding.held === undefined ? guess : holding.held + (guess - holding.held) * GUESS_WEIGHT;
}

/** Asks for a block, or refuses without asking where even the best case leaves nothing to take. */
function askOrRefuse(holding: Holding, limit: RateLimit, now: number, refill: boolean): Verdict {
  const block = blockOf(holding, limit);
  const reserve = reserveOf(holding, limit, now);
  const available = levelOf(holding.emptyAt, limit, now);
  if (available < 1) {
    return { kind: 'refuse', holding, retryAt: now + millisecondsOf(1 - available, limit) };
  }
  const permits = Math.min(block, Math.floor(available));
  return { kind: 'ask', holding, ask: { permits, debt: holding.debt, reserve, refill } };
}

/** One request: admitted from what is held, refused, or in need of a lease. */
export function requestPermit(known: Holding, limit: RateLimit, now: number): Verdict {
  const isForgotten = now - known.askedAt > FORGET_MS;
  const before = isForgotten ? UNKNOWN : known;
  const idle = isForgotten ? 0 : Math.max(0, now - before.askedAt);
  const requests = before.requests * Math.exp(-idle / DEMAND_WINDOW_MS) + 1;
  const holding: Holding = { ...before, requests, idle, askedAt: now };
  if (holding.permits >= 1 && now < holding.lapsesAt) {
    return { kind: 'admit', holding: { ...holding, permits: holding.permits - 1 } };
  }
  if (holding.emptyAt === undefined && holding.debt < limit.unleased) {
    return { kind: 'admit', holding: { ...holding, debt: holding.debt + 1 } };
  }
  const { quiet } = holding;
  if (quiet !== undefined && quiet.requests > 0 && now < quiet.until) {
    const waiting = { ...holding, quiet: { ...quiet, requests: quiet.requests - 1 } };
    return { kind: 'refuse', holding: waiting, retryAt: quiet.until };
  }
  const spent = { ...holding, permits: 0, spentAt: holding.spentAt ?? now };
  const isAlone = holding.emptyAt !== undefined && holding.others + holding.taken === 0;
  const refill = isAlone ? (holding.emptyAt ?? 0) < fullAt(limit, now) : holding.refill;
  return askOrRefuse(spent, limit, now, refill);
}

/** Permits that others have taken from the bucket since it was last seen; it starts anew after an hour unused. */
function takenSince(holding: Holding, sold: number | undefined): number {
  return holding.sold === undefined || sold === undefined ? 0 : Math.max(0, sold - holding.sold);
}

/**
 * The bucket's answer to an ask, for the request that waited for it.
 * @param jitter from 0 to 1; keeps instances that were denied together from asking together
 */
export function settleLease(
  holding: Holding,
  ask: LeaseAsk,
  reply: LeaseReply,
  limit: RateLimit,
  now: number,
  jitter: number,
): Verdict {
  const { cost, full } = termsOf(ask, limit, now);
  const { emptyAt, sold } = reply;
  const taken = holding.taken + takenSince(holding, sold);
  const { quiet: _over, spentAt, ...rest } = holding;
  if (reply.granted) {
    const after = (ask.refill ? full : (emptyAt ?? full)) + cost;
    const block = Math.min(blockOf(holding, limit), QUIET_REQUESTS);
    const wasLast = ask.permits < block;
    const held = heldAfter(taken, holding, now);
    const granted: Holding = {
      ...rest,
      permits: ask.permits - 1,
      lapsesAt: now + LEASE_LIFETIME_MS,
      debt: 0,
      emptyAt: after,
      sold: (sold ?? 0) + permitsOf(ask),
      ...(held !== undefined && { held }),
      grantedAt: now,
      others: taken,
      taken: 0,
      refill: ask.refill,
      ...(wasLast && {
        quiet: { requests: Number.POSITIVE_INFINITY, until: after + millisecondsOf(block, limit) },
      }),
    };
    return { kind: 'admit', holding: granted };
  }
  const seen = emptyAt ?? full;
  const learnt: Holding = {
    ...rest,
    ...(spentAt !== undefined && { spentAt }),
    ...(sold !== undefined && { sold }),
    taken,
    emptyAt: seen,
  };
  const refill = seen < full;
  const available = Math.floor(levelOf(seen, limit, now));
  if (refill !== ask.refill && available >= 1) {
    const permits = Math.min(ask.permits, available);
    return { kind: 'ask', holding: { ...learnt, refill }, ask: { ...ask, permits, refill } };
  }
  const spread = 0.5 + jitter;
  const quiet = { requests: Math.round(QUIET_REQUESTS * spread), until: now + QUIET_MS * spread };
  return { kind: 'refuse', holding: { ...learnt, quiet }, retryAt: quiet.until };
}
