/**
 * The bucket of permits that instances share, as one number: `emptyAt`, the moment at which it was last empty. It holds
 * what has flowed in since, at most `burst`.
 */

import { SECOND } from './duration.ts';

export interface RateLimit {
  /** Permits per second, above zero. */
  readonly rate: number;
  /** Most permits the shared bucket holds. */
  readonly burst: number;
  /** Requests that an instance admits before its first lease, which then pays for them. */
  readonly unleased: number;
}

/** What an instance asks of the shared bucket. */
export interface LeaseAsk {
  readonly permits: number;
  /** Permits spent before the first lease; charged with it, granted or not available. */
  readonly debt: number;
  /** Permits that must stay behind, as cover for what other instances still hold. */
  readonly reserve: number;
  /** Whether the bucket is believed full, so that its `emptyAt` is set anew rather than moved on. */
  readonly refill: boolean;
}

/** The shared bucket's answer; `emptyAt` and `sold` are what they were before, absent when there was no bucket yet. */
export interface LeaseReply {
  readonly granted: boolean;
  readonly emptyAt?: number | undefined;
  /** Permits ever leased from it. */
  readonly sold?: number | undefined;
}

/** A moving bucket may lag this share of its burst behind full before it is set anew. */
const SLACK = 0.25;

export const permitsOf = ({ permits, debt }: LeaseAsk): number => permits + debt;

export const millisecondsOf = (permits: number, { rate }: RateLimit): number => (permits / rate) * SECOND;

/** The `emptyAt` of a bucket that is full now. */
export function fullAt({ rate, burst }: RateLimit, now: number): number {
  return now - (burst / rate) * SECOND;
}

/** An ask as a conditional write on `emptyAt`. */
interface LeaseTerms {
  /** Milliseconds by which `emptyAt` moves on. */
  readonly cost: number;
  /** With `refill`: set to this and `cost`, if there is no bucket or it is emptier than that of a full one. */
  readonly full: number;
  /** Without: moved on, if it lies from `earliest` to `latest`. */
  readonly earliest: number;
  readonly latest: number;
}

export function termsOf(ask: LeaseAsk, limit: RateLimit, now: number): LeaseTerms {
  const { permits, reserve } = ask;
  const full = fullAt(limit, now) + millisecondsOf(reserve, limit);
  return {
    cost: millisecondsOf(permitsOf(ask), limit),
    full,
    earliest: full - millisecondsOf(limit.burst * SLACK, limit),
    latest: now - millisecondsOf(permits, limit),
  };
}
