import {
  type Bucket,
  createSharedLimiter,
  type RateLimiter,
} from '../../../functions/runtime/rate-limiter.ts';
import type { RateLeases } from '../../../shared/data/projects/rate-leases.ts';
import {
  type LeaseAsk,
  type LeaseReply,
  type RateLimit,
  termsOf,
} from '../../../shared/domain/rates/rate-lease.ts';
import { createRandom } from '../random.ts';

/** Behaves like the conditional write to the table. */
export function createBucket() {
  let emptyAt: number | undefined;
  let offered = 0;
  return (ask: LeaseAsk, limit: RateLimit, now: number): LeaseReply => {
    const { cost, full, earliest, latest = Number.POSITIVE_INFINITY } = termsOf(ask, limit, now);
    const granted = ask.refill
      ? emptyAt === undefined || emptyAt < full
      : emptyAt !== undefined && emptyAt >= earliest && emptyAt <= latest;
    if (granted) {
      emptyAt = (ask.refill ? full : (emptyAt ?? 0)) + cost;
      offered += ask.offered;
    }
    return { granted, ...(emptyAt !== undefined && { emptyAt, offered }) };
  };
}

export interface Scenario {
  readonly kind: Bucket['kind'];
  readonly rate: number;
  readonly instances: number;
  readonly seconds: number;
  /** Requests per second to all instances together. */
  readonly offered: (second: number) => number;
  /** Distributes requests round robin instead of at random. */
  readonly inTurn?: boolean;
  /** Seconds. Infinite by default. */
  readonly instanceLifetime?: number;
}

/** Counts for each tenth of a second. */
export interface Outcome {
  readonly offered: readonly number[];
  readonly admitted: readonly number[];
  readonly writes: readonly number[];
}

const START = 1_700_000_000_000;
const CLOCK_SKEW_MS = 10;

/** A Poisson random number. Large means use a normal approximation. */
function countOf(mean: number, random: () => number): number {
  if (mean > 30) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + normal * Math.sqrt(mean)));
  }
  let count = 0;
  for (let product = random(); product > Math.exp(-mean); product *= random()) count++;
  return count;
}

export async function simulate(scenario: Scenario, seed: number): Promise<Outcome> {
  const { kind, rate, instances, seconds, instanceLifetime = Number.POSITIVE_INFINITY } = scenario;
  const random = createRandom(seed);
  const bucket: Bucket = { kind, projectId: 'p', name: 'b', rate };
  const lease = createBucket();
  let leased = 0;
  const leases: RateLeases = {
    async ask(_key, ask, limit, now) {
      leased++;
      return lease(ask, limit, now);
    },
  };
  const createLimiter = (): RateLimiter =>
    createSharedLimiter({
      leases,
      keyOf: async () => ({ pk: 'b', sk: 'b' }),
      random,
      deadlineMs: Number.POSITIVE_INFINITY,
      onFailure(error) {
        throw error;
      },
    });
  const fleet = Array.from({ length: instances }, () => ({
    limiter: createLimiter(),
    skew: (random() * 2 - 1) * CLOCK_SKEW_MS,
    endsAt: random() * 1_000 * instanceLifetime,
  }));
  const offered = new Array<number>(seconds * 10).fill(0);
  const admitted = new Array<number>(seconds * 10).fill(0);
  const writes = new Array<number>(seconds * 10).fill(0);
  const add = (counts: number[], tenth: number, count: number) => {
    counts[tenth] = (counts[tenth] ?? 0) + count;
  };

  let arrived = 0;
  for (let at = 0; at < seconds * 1_000; at++) {
    const tenth = Math.floor(at / 100);
    for (let count = countOf(scenario.offered(at / 1_000) / 1_000, random); count > 0; count--) {
      const index = scenario.inTurn === true ? arrived++ % instances : Math.floor(random() * instances);
      const instance = fleet[index];
      if (instance === undefined) throw new RangeError('a fleet has instances');
      if (at >= instance.endsAt) {
        instance.limiter = createLimiter();
        instance.endsAt = at + instanceLifetime * 1_000;
      }
      const before = leased;
      const admission = await instance.limiter.take(bucket, START + at + instance.skew);
      add(offered, tenth, 1);
      add(admitted, tenth, admission.admitted ? 1 : 0);
      add(writes, tenth, leased - before);
    }
  }
  return { offered, admitted, writes };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

function windowsOf(perTenth: readonly number[]): number[] {
  const length = 100;
  return Array.from({ length: Math.max(0, perTenth.length - length + 1) }, (_, start) =>
    sumOf(perTenth.slice(start, start + length)),
  );
}

const TENTHS_OF_WARMTH = 200;

/** The last three exclude the first 20 s. */
export function figuresOf({ offered, admitted, writes }: Outcome, rate: number) {
  const due = 12 * rate;
  const windows = windowsOf(admitted);
  const later = (counts: readonly number[]) => sumOf(counts.slice(TENTHS_OF_WARMTH));
  return {
    /** As a factor of the allowed maximum: ten times the rate plus the burst. */
    most: Math.max(...windows) / due,
    passed: sumOf(admitted) / sumOf(offered),
    ofRate: (later(admitted) / (admitted.length - TENTHS_OF_WARMTH)) * (10 / rate),
    leastOfRate: Math.min(...windows.slice(TENTHS_OF_WARMTH)) / (10 * rate),
    requestsPerWrite: later(offered) / later(writes),
  };
}
