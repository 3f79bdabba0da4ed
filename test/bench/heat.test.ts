/** Where load falls, simulated with a fixed seed: the figures of docs/performance.md that cannot vary. */

import { describe, expect, it } from 'vitest';
import { partitionLoads, seededRandom, throttledShare } from '../../bench/heat/partitions.ts';
import { answersHeat, bootstrapsHeat, shardsFor } from '../../bench/heat/scenarios.ts';
import { DEFAULT_INDEX_SHARDS } from '../../shared/data/table/schema.ts';

describe('partitions', () => {
  const keys = [0.1, 0.2, 0.6].map((hash) => ({ hash, load: 800 }));

  it('carry what hashes into them', () => {
    const loads = partitionLoads(keys, { partitions: 2, limit: 1_000, adaptive: false });
    expect(loads.map(({ load }) => load)).toEqual([1_600, 800]);
    expect(throttledShare(loads, 1_000)).toBe(0.25);
  });

  it('are split between keys when they are hot, and never within one', () => {
    const layout = { partitions: 1, limit: 1_000, adaptive: true };
    expect(partitionLoads(keys, layout).map(({ load }) => load)).toEqual([800, 800, 800]);
    expect(partitionLoads([{ hash: 0.5, load: 5_000 }], layout)).toEqual([{ load: 5_000, keys: 1 }]);
  });

  it('are dealt by dice that fall the same way everywhere', () => {
    const random = seededRandom(1);
    expect([random(), random()].map((value) => value.toFixed(6))).toEqual(['0.627074', '0.002736']);
  });
});

describe('the service', () => {
  const THROWS = 10;
  const answers = answersHeat(10_000, THROWS);
  const bootstraps = bootstrapsHeat(50_000, THROWS);
  const NOTHING = { median: 0, p95: 0 };
  const settled = (part: string, shards: number) =>
    answers.find((each) => each.part === part && each.shards === shards && each.adaptive);
  const bootstrapped = (part: string) =>
    bootstraps.find((each) => each.part.startsWith(part) && each.adaptive)?.throttled;

  it('takes 10,000 answers a second to one survey with the default shards, once partitions have split', () => {
    expect(settled('by_project', DEFAULT_INDEX_SHARDS)).toMatchObject({ throttled: NOTHING });
    expect(settled('by_project', DEFAULT_INDEX_SHARDS / 2)?.throttled.median).toBeGreaterThan(0);
  });

  it('refuses much of them before partitions have split, more or less as luck has it', () => {
    const before = answers.find(
      ({ part, shards, adaptive }) => part === 'by_project' && shards === DEFAULT_INDEX_SHARDS && !adaptive,
    );
    expect(before?.throttled.median).toBeGreaterThan(0);
    expect(before?.hottest.p95).toBeGreaterThan(before?.hottest.median ?? Number.NaN);
  });

  it('needs twice the shards when all of them are linked and acked', () => {
    expect(settled('by_score_state, acked', DEFAULT_INDEX_SHARDS)?.throttled.median).toBeGreaterThan(0);
    expect(settled('by_score_state, acked', DEFAULT_INDEX_SHARDS * 2)).toMatchObject({ throttled: NOTHING });
  });

  it('issues 50,000 bootstraps a second in one project of few surveys, at 10 ms each', () => {
    expect(bootstrapped('table: respondents')).toEqual(NOTHING);
    expect(bootstrapped('table: settings of 1 read units, 500 instances')).toEqual(NOTHING);
    expect(bootstrapped("table: lease of the key's rate, 500 instances")).toEqual(NOTHING);
  });

  it('is held up by one key when they take 20 ms each: 500 surveys to read, leases to write', () => {
    expect(bootstrapped('table: settings of 1 read units, 1000 instances')).toEqual(NOTHING);
    expect(bootstrapped('table: settings of 90 read units, 1000 instances')?.median).toBeGreaterThan(0);
    expect(bootstrapped("table: lease of the key's rate, 1000 instances")?.median).toBeCloseTo(0.5);
  });

  it.each([
    [500, 1],
    [2_500, 4],
    [10_000, 16],
    [20_000, 32],
  ])('%i answers a second need %i shards', (rate, shards) => {
    expect(shardsFor(rate)).toBe(shards);
  });
});
