/**
 * Simulates DynamoDB's partitions (Developer Guide, "Burst and adaptive capacity"). Each takes 1,000 write and 3,000
 * read units a second. A partition that is hot for minutes is split between keys, never within one.
 */

import { expect, it } from 'vitest';
import { DEFAULT_INDEX_SHARDS } from '../../../../shared/data/table/schema.ts';
import { createRandom } from '../../../support/random.ts';

const WRITES = 1_000;
const READS = 3_000;
const SEED = 20_261_120;
/** The result is the median of these runs. */
const THROWS = 21;
const PARTITIONS = 16;

interface Key {
  /** The hash of the partition key, between 0 and 1. */
  readonly hash: number;
  readonly load: number;
}

const total = (keys: readonly Key[]): number => keys.reduce((sum, { load }) => sum + load, 0);

function split(keys: readonly Key[], limit: number): readonly (readonly Key[])[] {
  if (keys.length < 2 || total(keys) <= limit) return [keys];
  const half = total(keys) / 2;
  let [sum, cut] = [0, 0];
  while (cut < keys.length - 1 && (sum < half || cut === 0)) sum += keys[cut++]?.load ?? 0;
  return [...split(keys.slice(0, cut), limit), ...split(keys.slice(cut), limit)];
}

/** Percentage of the load that partitions at their limit refuse. */
function refused(keys: readonly Key[], limit: number, isSplit: boolean, partitions = PARTITIONS): number {
  const ranges = Array.from({ length: partitions }, (): Key[] => []);
  for (const key of keys.toSorted((a, b) => a.hash - b.hash))
    ranges[Math.floor(key.hash * partitions)]?.push(key);
  const parts = isSplit ? ranges.flatMap((range) => split(range, limit)) : ranges;
  const over = parts.reduce((sum, part) => sum + Math.max(0, total(part) - limit), 0);
  return (over / total(keys)) * 100;
}

function sharded(writes: number, shards: number, random: () => number): Key[] {
  const loads = new Array<number>(shards).fill(0);
  for (let write = 0; write < writes; write += 1) {
    const shard = Math.floor(random() * shards);
    loads[shard] = (loads[shard] ?? 0) + 1;
  }
  return loads.map((load) => ({ hash: random(), load }));
}

function middleRefused(keys: (random: () => number) => Key[], limit: number, isSplit: boolean): number {
  const thrown = Array.from({ length: THROWS }, (_, index) =>
    refused(keys(createRandom(SEED + index)), limit, isSplit),
  );
  return thrown.sort((a, b) => a - b)[Math.floor(THROWS / 2)] ?? Number.NaN;
}

it('splits partitions between keys, never within one', () => {
  const keys = [0.1, 0.2, 0.6].map((hash) => ({ hash, load: 800 }));
  expect(refused(keys, WRITES, false, 2)).toBe(25);
  expect(refused(keys, WRITES, true, 1)).toBe(0);
  expect(refused([{ hash: 0.5, load: 5_000 }], WRITES, true, 1)).toBe(80);
});

it.each([
  { writes: 10_000, shards: DEFAULT_INDEX_SHARDS, isEnough: true },
  { writes: 10_000, shards: DEFAULT_INDEX_SHARDS / 2, isEnough: false },
  // Linked answers enter by_score_state, and leave it when they are acknowledged.
  { writes: 20_000, shards: DEFAULT_INDEX_SHARDS, isEnough: false },
  { writes: 20_000, shards: DEFAULT_INDEX_SHARDS * 2, isEnough: true },
])(
  'serves $writes writes a second with $shards shards of a project: $isEnough',
  ({ writes, shards, isEnough }) => {
    const keys = (random: () => number) => sharded(writes, shards, random);
    expect(middleRefused(keys, WRITES, true) === 0).toBe(isEnough);
    expect(middleRefused(keys, WRITES, false)).toBeGreaterThan(0);
  },
);

it('spreads 50,000 bootstraps a second of a project over its respondents', () => {
  const people = 20_000;
  const keys = (random: () => number) =>
    Array.from({ length: people }, () => ({ hash: random(), load: 50_000 / people }));
  expect(middleRefused(keys, READS, true)).toBe(0);
  expect(middleRefused(keys, READS, false)).toBeGreaterThan(0);
});

/** Settings of up to 90 units (500 surveys) are read every 25 s on average; a lease is written every 1.5 s. */
it.each([
  { instances: 500, part: 'settings of 90 units', units: 90 / 25, limit: READS, isEnough: true },
  { instances: 1_000, part: 'settings of 1 unit', units: 1 / 25, limit: READS, isEnough: true },
  { instances: 1_000, part: 'settings of 90 units', units: 90 / 25, limit: READS, isEnough: false },
  { instances: 1_000, part: "the lease of a key's rate", units: 1 / 1.5, limit: WRITES, isEnough: true },
])(
  'serves $part of $instances instances from one key: $isEnough',
  ({ instances, units, limit, isEnough }) => {
    expect(refused([{ hash: 0.5, load: instances * units }], limit, true) === 0).toBe(isEnough);
  },
);

/** The hottest shard stays 20 % below a partition's limit. */
function shardsFor(writes: number): number {
  for (let shards = 1; ; shards *= 2) {
    const loads = sharded(writes, shards, createRandom(SEED)).map(({ load }) => load);
    if (Math.max(...loads) <= WRITES * 0.8) return shards;
  }
}

/** docs/performance.md has this table. */
it.each([
  [500, 1, 2],
  [1_000, 2, 4],
  [2_500, 4, 8],
  [5_000, 8, 16],
  [10_000, 16, 32],
  [20_000, 32, 64],
  [50_000, 128, 256],
])(
  'handles %d answers a second with %d shards, and with %d if all are linked and acked',
  (rate, plain, linked) => {
    expect([shardsFor(rate), shardsFor(rate * 2)]).toEqual([plain, linked]);
  },
);
