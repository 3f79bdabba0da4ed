import { describe, expect, it } from 'vitest';
import { type Holding, requestPermit, settleLease, UNKNOWN } from '../../shared/domain/rate-lease.ts';
import {
  createBucket,
  idealOf,
  type Scenario,
  simulate,
  sumOf,
  windowsOf,
} from '../support/lease-simulation.ts';

const SEED = 20_261_120;
const LIMIT = { rate: 1_000, burst: 2_000, unleased: 2 };
const WINDOW = 10;
/** Over any 10 s: the burst, and 1.1 times the limit. */
const MOST = LIMIT.burst + 1.1 * LIMIT.rate * WINDOW;

const fleet = (offered: (second: number) => number, more: Partial<Scenario> = {}): Scenario => ({
  seconds: 60,
  instances: 200,
  offered,
  ...more,
});

/** Half a second of 3,000/s in each ten seconds of 600/s. */
const spikes = (second: number) => (second % 10 < 0.5 ? 3_000 : 600);
const surge = (second: number) => (second < 30 ? 900 : 3_000);
const quietThenSurge = (second: number) => (second < 40 ? 300 : 3_000);
const sawtooth = (second: number) => (second % 40 < 20 ? 3_000 : 50);

describe('200 instances sharing a limit of 1,000/s', () => {
  it.each([
    ['steady, 100/s', fleet(() => 100)],
    ['steady, 500/s', fleet(() => 500)],
    ['steady, 900/s', fleet(() => 900)],
    ['steady, 1,000/s', fleet(() => 1_000)],
    ['steady, 1,200/s', fleet(() => 1_200)],
    ['steady, 2,000/s', fleet(() => 2_000)],
    ['steady, 5,000/s', fleet(() => 5_000)],
    ['bursty, spikes', fleet(spikes)],
    ['bursty, a surge on a busy fleet', fleet(surge)],
    ['cold, all at once', fleet(() => 3_000)],
    ['cold, each instance replaced once a minute', fleet(() => 900, { instanceLifetime: 60 })],
    ['cold, the same under overload', fleet(() => 1_500, { instanceLifetime: 60 })],
  ])('%s: over any 10 s not too many and not too few', (_name, scenario) => {
    const { offered, admitted } = simulate(scenario, LIMIT, SEED);
    const offeredIn = windowsOf(offered, WINDOW);
    const admittedIn = windowsOf(admitted, WINDOW);
    expect(Math.max(...admittedIn)).toBeLessThanOrEqual(MOST);
    const shares = admittedIn.map(
      (count, index) => count / Math.min(offeredIn[index] ?? 0, LIMIT.rate * WINDOW),
    );
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    ['a surge on a quiet fleet', fleet(quietThenSurge)],
    ['20 s of 3,000/s in each 40', fleet(sawtooth, { seconds: 120 })],
  ])('%s: never too many, and most of what one ideal bucket would admit', (_name, scenario) => {
    const { offered, admitted } = simulate(scenario, LIMIT, SEED);
    expect(Math.max(...windowsOf(admitted, WINDOW))).toBeLessThanOrEqual(MOST);
    expect(sumOf(admitted)).toBeGreaterThanOrEqual(0.9 * sumOf(idealOf(offered, LIMIT)));
  });

  it.each([500, 900, 1_000, 1_200, 2_000, 5_000])(
    'writes at most one lease per 20 requests under a steady %d/s',
    (rate) => {
      const { offered, writes } = simulate(
        fleet(() => rate),
        LIMIT,
        SEED,
      );
      const isWarm = (_count: number, tenth: number) => tenth >= 300;
      expect(sumOf(offered.filter(isWarm)) / sumOf(writes.filter(isWarm))).toBeGreaterThanOrEqual(20);
    },
  );

  it.each([1, 10])('holds with %d instances, too', (instances) => {
    const { admitted, offered, writes } = simulate(
      fleet(() => 1_500, { instances }),
      LIMIT,
      SEED,
    );
    const perWindow = windowsOf(admitted, WINDOW);
    expect(Math.max(...perWindow)).toBeLessThanOrEqual(MOST);
    expect(Math.min(...perWindow)).toBeGreaterThanOrEqual(0.9 * LIMIT.rate * WINDOW);
    expect(sumOf(offered) / sumOf(writes)).toBeGreaterThanOrEqual(20);
  });
});

describe('one instance', () => {
  function serve(limit: typeof LIMIT, moments: readonly number[]) {
    const lease = createBucket();
    const asked: number[] = [];
    let holding: Holding = UNKNOWN;
    const admitted = moments.map((now) => {
      let verdict = requestPermit(holding, limit, now);
      while (verdict.kind === 'ask') {
        asked.push(verdict.ask.permits);
        verdict = settleLease(verdict.holding, verdict.ask, lease(verdict.ask, limit, now), limit, now, 0.5);
      }
      holding = verdict.holding;
      return verdict.kind === 'admit';
    });
    return { admitted, asked };
  }
  const START = 1_700_000_000_000;

  it.each([1, 2, 5, 20])('admits exactly the burst of %d/s at once, and what flows in later', (rate) => {
    const limit = { rate, burst: rate * 2, unleased: 0 };
    const atOnce = Array.from({ length: rate * 4 }, () => START);
    const later = Array.from({ length: rate * 4 }, () => START + 1_000);
    const { admitted } = serve(limit, [...atOnce, ...later]);
    const counts = [admitted.slice(0, rate * 4), admitted.slice(rate * 4)].map(
      (part) => part.filter(Boolean).length,
    );
    expect(counts).toEqual([rate * 2, rate]);
  });

  it('that sees one request a minute never holds more than the permit it spends', () => {
    const { admitted, asked } = serve(
      { ...LIMIT, unleased: 0 },
      Array.from({ length: 30 }, (_, minute) => START + minute * 60_000),
    );
    expect(admitted.every(Boolean)).toBe(true);
    expect(new Set(asked)).toEqual(new Set([1]));
  });

  it('that serves a few requests leases nothing', () => {
    const { admitted, asked } = serve({ rate: 20, burst: 40, unleased: 10 }, new Array(10).fill(START));
    expect(admitted.every(Boolean)).toBe(true);
    expect(asked).toEqual([]);
  });
});
