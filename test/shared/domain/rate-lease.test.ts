import { describe, expect, it } from 'vitest';
import { type Holding, requestPermit, settleLease, UNKNOWN } from '../../../shared/domain/rate-lease.ts';
import {
  createBucket,
  idealOf,
  type Scenario,
  simulate,
  sumOf,
  windowsOf,
} from '../../support/lease-simulation.ts';

const SEED = 20_261_120;
const SEEDS = [0, 1, 2, 3].map((index) => SEED + index);
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
const surgeFrom = (before: number) => (second: number) => (second < 40 ? before : 3_000);
/** 3,000/s for the first half of each period, in seconds. */
const saw = (period: number, between: number) => (second: number) =>
  second % period < period / 2 ? 3_000 : between;

/** Of the windows of one run: the most that was admitted, and the least share of what was due. */
function extremesOf(scenario: Scenario, seed: number) {
  const { offered, admitted } = simulate(scenario, LIMIT, seed);
  const admittedIn = windowsOf(admitted, WINDOW);
  const offeredIn = windowsOf(offered, WINDOW);
  const idealIn = windowsOf(idealOf(offered, LIMIT), WINDOW);
  const dueIn = offeredIn.map((count) => Math.min(count, LIMIT.rate * WINDOW));
  const sharesOf = (counts: readonly number[], due: readonly number[]) =>
    Math.min(...counts.map((count, index) => count / (due[index] ?? 0)));
  return {
    most: Math.max(...admittedIn),
    /** Of what was offered, or the limit. */
    share: sharesOf(admittedIn, dueIn),
    /** The same of one exact bucket, without instances. */
    idealShare: sharesOf(idealIn, dueIn),
    /** Of what was offered, or the limit, or what one exact bucket admits. */
    shareOfIdeal: sharesOf(
      admittedIn,
      dueIn.map((due, index) => Math.min(due, idealIn[index] ?? 0)),
    ),
  };
}

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
    ['bursty, a surge on a busy fleet', fleet(surgeFrom(900))],
    ['cold, all at once', fleet(() => 3_000)],
    ['cold, each instance replaced once a minute', fleet(() => 900, { instanceLifetime: 60 })],
    ['cold, the same under overload', fleet(() => 1_500, { instanceLifetime: 60 })],
  ])('%s: over any 10 s not too many and not too few', (_name, scenario) => {
    for (const seed of SEEDS) {
      const { most, share } = extremesOf(scenario, seed);
      expect(most).toBeLessThanOrEqual(MOST);
      expect(share).toBeGreaterThanOrEqual(0.9);
    }
  });

  // Where 10 s of the limit are more than the burst and what flows in after the rise, one exact bucket falls short too.
  it.each([
    ['a surge from 300/s', fleet(surgeFrom(300)), 0.95],
    ['a surge from 100/s', fleet(surgeFrom(100)), 0.87],
    ['20 s of 3,000/s, 20 s of 50/s', fleet(saw(40, 50), { seconds: 120 }), 0.84],
    ['5 s of 3,000/s, 5 s of 50/s', fleet(saw(10, 50), { seconds: 120 }), 0.88],
    ['5 s of 3,000/s, 5 s of nothing', fleet(saw(10, 0), { seconds: 120 }), 0.76],
  ])('%s: over any 10 s not too many, and most of what one exact bucket admits', (_name, scenario, least) => {
    for (const seed of SEEDS) {
      const { most, idealShare, shareOfIdeal } = extremesOf(scenario, seed);
      expect(most).toBeLessThanOrEqual(MOST);
      expect(idealShare).toBeLessThan(0.9);
      expect(shareOfIdeal).toBeGreaterThanOrEqual(least);
    }
  });

  it.each([
    [10, 0.85],
    [5, 0.8],
  ])('instances that live %d s: what they leave behind is lost, no more', (instanceLifetime, least) => {
    for (const seed of SEEDS) {
      const { most, share } = extremesOf(
        fleet(() => 1_500, { instanceLifetime }),
        seed,
      );
      expect(most).toBeLessThanOrEqual(MOST);
      expect(share).toBeGreaterThanOrEqual(least);
    }
  });

  it.each([300, 500, 900, 1_000, 1_200, 2_000, 5_000])(
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

  it('asks for little after a pause, however many requests it saw before', () => {
    const limit = { ...LIMIT, unleased: 0 };
    const busy = Array.from({ length: 200 }, (_, index) => START + index * 50);
    const pauses = Array.from({ length: 6 }, (_, index) => START + 20_000 + index * 10_000);
    const { asked: before } = serve(limit, busy);
    const after = serve(limit, [...busy, ...pauses]).asked.slice(before.length);
    expect(Math.max(...before)).toBe(24);
    expect(after.length).toBeGreaterThan(0);
    expect(Math.max(...after)).toBeLessThanOrEqual(6);
  });

  it('that serves a few requests leases nothing', () => {
    const { admitted, asked } = serve({ rate: 20, burst: 40, unleased: 10 }, new Array(10).fill(START));
    expect(admitted.every(Boolean)).toBe(true);
    expect(asked).toEqual([]);
  });
});
