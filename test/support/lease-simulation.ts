/** A fleet of function instances that share one bucket, driven by a fixed stream of arrivals. */

import {
  type LeaseAsk,
  type LeaseReply,
  permitsOf,
  type RateLimit,
  termsOf,
} from '../../shared/domain/rate-bucket.ts';
import { type Holding, requestPermit, settleLease, UNKNOWN } from '../../shared/domain/rate-lease.ts';
import { createRandom } from './random.ts';

/** The shared bucket, as the conditional write in the table treats it. */
export function createBucket() {
  let emptyAt: number | undefined;
  let sold = 0;
  return (ask: LeaseAsk, limit: RateLimit, now: number): LeaseReply => {
    const { cost, full, earliest, latest } = termsOf(ask, limit, now);
    const before = emptyAt;
    const granted = ask.refill
      ? before === undefined || before < full
      : before !== undefined && before >= earliest && before <= latest;
    const reply = { granted, ...(before !== undefined && { emptyAt: before, sold }) };
    if (granted) {
      emptyAt = (ask.refill ? full : (before ?? 0)) + cost;
      sold += permitsOf(ask);
    }
    return reply;
  };
}

export interface Scenario {
  readonly seconds: number;
  /** Requests per second offered to the whole fleet at a moment, seconds from the start. */
  readonly offered: (second: number) => number;
  readonly instances: number;
  /** Seconds after which an instance is replaced by a cold one; never unless said. */
  readonly instanceLifetime?: number;
}

interface Outcome {
  /** Per tenth of a second. */
  readonly offered: readonly number[];
  readonly admitted: readonly number[];
  readonly writes: readonly number[];
}

const STEPS_PER_SECOND = 1_000;
const CLOCK_SKEW_MS = 10;

function countAt(perTenth: number[], milliseconds: number): void {
  const tenth = Math.floor(milliseconds / 100);
  perTenth[tenth] = (perTenth[tenth] ?? 0) + 1;
}

export function simulate(scenario: Scenario, limit: RateLimit, seed: number): Outcome {
  const random = createRandom(seed);
  const lease = createBucket();
  const fleet = Array.from({ length: scenario.instances }, () => ({
    holding: UNKNOWN as Holding,
    skew: (random() - 0.5) * 2 * CLOCK_SKEW_MS,
    bornAt: random() * 1_000 * (scenario.instanceLifetime ?? 0),
  }));
  const offered = new Array<number>(scenario.seconds * 10).fill(0);
  const admitted = new Array<number>(scenario.seconds * 10).fill(0);
  const writes = new Array<number>(scenario.seconds * 10).fill(0);

  function serve(at: number): boolean {
    const instance = fleet[Math.floor(random() * fleet.length)];
    if (instance === undefined) throw new RangeError('a fleet has instances');
    if (scenario.instanceLifetime !== undefined && at - instance.bornAt > scenario.instanceLifetime * 1_000) {
      instance.holding = UNKNOWN;
      instance.bornAt = at;
    }
    const now = 1_700_000_000_000 + at + instance.skew;
    let verdict = requestPermit(instance.holding, limit, now);
    for (let attempt = 0; verdict.kind === 'ask' && attempt < 2; attempt++) {
      countAt(writes, at);
      const reply = lease(verdict.ask, limit, now);
      verdict = settleLease(verdict.holding, verdict.ask, reply, limit, now, random());
    }
    instance.holding = verdict.holding;
    return verdict.kind === 'admit';
  }

  for (let step = 0; step < scenario.seconds * STEPS_PER_SECOND; step++) {
    const mean = scenario.offered(step / STEPS_PER_SECOND) / STEPS_PER_SECOND;
    const floor = Math.exp(-mean);
    for (let product = random(); product > floor; product *= random()) {
      const at = (step * 1_000) / STEPS_PER_SECOND;
      countAt(offered, at);
      if (serve(at)) countAt(admitted, at);
    }
  }
  return { offered, admitted, writes };
}

/** What an ideal bucket, without instances, would have admitted, per tenth of a second. */
export function idealOf(offered: readonly number[], { rate, burst }: RateLimit): number[] {
  let level = burst;
  return offered.map((count) => {
    level = Math.min(burst, level + rate / 10);
    const admitted = Math.min(count, Math.floor(level));
    level -= admitted;
    return admitted;
  });
}

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Sums over every window of so many seconds. */
export function windowsOf(perTenth: readonly number[], seconds: number): number[] {
  const length = seconds * 10;
  return Array.from({ length: Math.max(0, perTenth.length - length + 1) }, (_, start) =>
    sumOf(perTenth.slice(start, start + length)),
  );
}
