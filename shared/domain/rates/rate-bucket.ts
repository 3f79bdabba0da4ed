/**
 * The shared bucket as one number: `emptyAt`, the time at which it was last empty. It holds what has flowed in since,
 * at most `burst`. If `emptyAt` is in the future, the bucket is overdrawn.
 */

import { SECOND } from '../duration.ts';

export interface RateLimit {
  /** Permits per second, above zero. */
  readonly rate: number;
  readonly burst: number;
  /** Whether an instance takes permits before or after it spends them. */
  readonly paid: 'before' | 'after';
}

export interface LeaseAsk {
  readonly permits: number;
  /** Requests of the instance since its last lease, admitted or not. */
  readonly offered: number;
  /** Grants only while the bucket holds this many. Permits already spent are always taken. */
  readonly least?: number | undefined;
  /** The bucket is believed full, so `emptyAt` is replaced instead of moved. */
  readonly refill: boolean;
}

/** The bucket after the ask; absent when there is none. */
export interface LeaseReply {
  readonly granted: boolean;
  readonly emptyAt?: number | undefined;
  /** Total requests that instances have reported. */
  readonly offered?: number | undefined;
}

/** A bucket is replaced when it lags this fraction of its burst behind full. */
const SLACK = 0.5;

export const millisecondsOf = (permits: number, { rate }: RateLimit): number => (permits / rate) * SECOND;

/** Permits in a bucket; negative when overdrawn. */
export function levelOf(emptyAt: number, { rate, burst }: RateLimit, now: number): number {
  return Math.min(burst, ((now - emptyAt) / SECOND) * rate);
}

interface LeaseTerms {
  /** Milliseconds to add to `emptyAt`. */
  readonly cost: number;
  /** With `refill`: the new `emptyAt` before `cost`, if no bucket exists or its `emptyAt` is earlier. */
  readonly full: number;
  /** Without `refill`: bounds of an `emptyAt` that may move. */
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

/** Repeats an ask that was refused because it wrongly assumed a full bucket, or one that is not full. */
export function askAnew(
  ask: LeaseAsk,
  { granted, emptyAt }: LeaseReply,
  limit: RateLimit,
  now: number,
): LeaseAsk | undefined {
  const refill = emptyAt === undefined || emptyAt < termsOf(ask, limit, now).full;
  return granted || refill === ask.refill ? undefined : { ...ask, refill };
}
