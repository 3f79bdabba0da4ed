/**
 * The bucket of permits that instances share, as one number: `emptyAt`, the time at which it was last empty. It holds
 * what has flowed in since, at most `burst`; while that time lies ahead, it is overdrawn.
 */

import { SECOND } from '../duration.ts';

export interface RateLimit {
  /** Permits per second, above zero. */
  readonly rate: number;
  /** Most permits the shared bucket holds. */
  readonly burst: number;
  /** Whether an instance takes permits before it spends them, or after. */
  readonly paid: 'before' | 'after';
}

/** What an instance takes from the shared bucket, and tells it. */
export interface LeaseAsk {
  readonly permits: number;
  /** Requests that the instance has seen since its last lease, admitted or not. */
  readonly offered: number;
  /** Only while the bucket holds so many; permits that are spent already are taken in any case. */
  readonly least?: number | undefined;
  /** Whether the bucket is believed full, so that its `emptyAt` is set anew rather than moved on. */
  readonly refill: boolean;
}

/** The shared bucket's answer, and the bucket as it is now; absent when there is none. */
export interface LeaseReply {
  readonly granted: boolean;
  readonly emptyAt?: number | undefined;
  /** Requests that instances have ever told it of. */
  readonly offered?: number | undefined;
}

/** A moving bucket may lag this share of its burst behind full before it is set anew. */
const SLACK = 0.5;

export const millisecondsOf = (permits: number, { rate }: RateLimit): number => (permits / rate) * SECOND;

/** The permits in a bucket; below zero when it is overdrawn. */
export function levelOf(emptyAt: number, { rate, burst }: RateLimit, now: number): number {
  return Math.min(burst, ((now - emptyAt) / SECOND) * rate);
}

/** An ask as a conditional write on `emptyAt`. */
interface LeaseTerms {
  /** Milliseconds by which `emptyAt` moves on. */
  readonly cost: number;
  /** With `refill`: set to this and `cost`, if there is no bucket or it is emptier than that of a full one. */
  readonly full: number;
  /** Without: moved on, if it lies at `earliest` or later, and not after `latest`. */
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

/** The same ask the other way, where it was not granted because it took a full bucket for another one or the reverse. */
export function askAnew(
  ask: LeaseAsk,
  { granted, emptyAt }: LeaseReply,
  limit: RateLimit,
  now: number,
): LeaseAsk | undefined {
  const refill = emptyAt === undefined || emptyAt < termsOf(ask, limit, now).full;
  return granted || refill === ask.refill ? undefined : { ...ask, refill };
}
