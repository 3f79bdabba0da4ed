/**
 * Where load falls: a simulation of DynamoDB's partitions, as far as AWS documents them (Developer Guide, "Burst and adaptive
 * capacity", "Partitions and data distribution"). Each takes 1,000 write and 3,000 read units a second; one that is hot for
 * minutes is split between keys, down to one key a partition. One key whose range keys only grow is never split further.
 */

import type { Plan } from './plan.ts';
import { median, quantile } from './statistics.ts';

interface KeyLoad {
  /** From 0 to 1: where the partition key's hash lies. */
  readonly hash: number;
  /** Units a second. */
  readonly load: number;
}

const LIMIT = { write: 1_000, read: 3_000 } as const;
const SEED = 20_261_120;
/** A table that takes its 4,000 writes a second at once and has grown with its traffic to these. */
const PARTITIONS = 16;
const RESPONDENTS = 20_000;

/** mulberry32: a seed means the same everywhere. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const total = (keys: readonly KeyLoad[]): number => keys.reduce((sum, { load }) => sum + load, 0);

/** Splits at the median of the load, between two keys. */
function split(keys: readonly KeyLoad[], limit: number): readonly (readonly KeyLoad[])[] {
  if (keys.length < 2 || total(keys) <= limit) return [keys];
  const half = total(keys) / 2;
  let [sum, cut] = [0, 0];
  while (cut < keys.length - 1 && (sum < half || cut === 0)) {
    sum += keys[cut]?.load ?? 0;
    cut += 1;
  }
  return [...split(keys.slice(0, cut), limit), ...split(keys.slice(cut), limit)];
}

/** The loads of partitions of equal hash ranges, hottest first; when split, as they are after some hot minutes. */
export function partitionLoads(
  keys: readonly KeyLoad[],
  limit: number,
  isSplit: boolean,
  partitions = PARTITIONS,
): number[] {
  const ranges = Array.from({ length: partitions }, (): KeyLoad[] => []);
  for (const key of keys) ranges[Math.min(partitions - 1, Math.floor(key.hash * partitions))]?.push(key);
  const parts = isSplit
    ? ranges.flatMap((range) =>
        split(
          range.toSorted((a, b) => a.hash - b.hash),
          limit,
        ),
      )
    : ranges;
  return parts.map(total).sort((a, b) => b - a);
}

/** Of what arrives, the share that partitions at their limit refuse. */
export function refusedShare(loads: readonly number[], limit: number): number {
  const refused = loads.reduce((sum, load) => sum + Math.max(0, load - limit), 0);
  return refused / loads.reduce((sum, load) => sum + load, 0);
}

/** The shard of an answer is drawn: what each shard gets in a second varies. */
function shardLoads(rate: number, shards: number, random: () => number): KeyLoad[] {
  const counts = new Array<number>(shards).fill(0);
  for (let answer = 0; answer < rate; answer += 1) {
    const shard = Math.floor(random() * shards);
    counts[shard] = (counts[shard] ?? 0) + 1;
  }
  return counts.map((load) => ({ hash: random(), load }));
}

interface Part {
  readonly part: string;
  readonly limit: number;
  readonly keys: (random: () => number) => readonly KeyLoad[];
}

const respondents = (rate: number, limit: number): Part => ({
  part: 'table, respondents',
  limit,
  keys: (random) => Array.from({ length: RESPONDENTS }, () => ({ hash: random(), load: rate / RESPONDENTS })),
});

const sharded = (index: string, writes: number, shards: number): Part => ({
  part: `${index}, ${shards} ${shards === 1 ? 'shard' : 'shards'}`,
  limit: LIMIT.write,
  keys: (random) => shardLoads(writes, shards, random),
});

/** One key carries it all, which no shards and no splits take apart. */
const oneKey = (part: string, load: number, limit: number): Part => ({
  part,
  limit,
  keys: (random) => [{ hash: random(), load }],
});

/** Answers a second to one survey. */
const ANSWERS = 10_000;
const answerParts: readonly Part[] = [
  respondents(ANSWERS, LIMIT.write),
  ...[1, 4, 8, 16, 32, 64].map((shards) => sharded('by_project', ANSWERS, shards)),
  // A linked answer is written pending; its ack takes it out again: two writes.
  ...[16, 32, 64].map((shards) => sharded('by_score_state with acks', ANSWERS * 2, shards)),
];

/** Bootstraps a second of one project. */
const BOOTSTRAPS = 50_000;
/** Seconds that settings stay in the memory of an instance, on average. */
const SETTINGS_SECONDS = 25;
/** A busy instance leases half a second of its demand at once (docs/decisions/0030-rate-leases.md). */
const LEASES_PER_SECOND = 2;
const bootstrapParts: readonly Part[] = [
  respondents(BOOTSTRAPS, LIMIT.read),
  // Function instances at work are requests a second times the seconds of each: at 10 and at 20 ms.
  ...[500, 1_000].flatMap((instances) => [
    // Settings of few surveys, and of as many as a project may have.
    ...[1, 90].map((units) => {
      const part = `table, settings of ${units} read units, ${instances} instances`;
      return oneKey(part, (instances * units) / SETTINGS_SECONDS, LIMIT.read);
    }),
    oneKey(
      `table, lease of a key's rate, ${instances} instances`,
      instances * LEASES_PER_SECOND,
      LIMIT.write,
    ),
  ]),
];

function heatRows(load: string, { part, limit, keys }: Part, throws: number) {
  const thrown = Array.from({ length: throws }, (_, index) => keys(seededRandom(SEED + index)));
  return [false, true].map((isSplit) => {
    const loads = thrown.map((each) => partitionLoads(each, limit, isSplit));
    const hottest = loads.map(([first = 0]) => first);
    const refused = loads.map((each) => refusedShare(each, limit) * 100);
    return {
      load,
      part,
      split: isSplit ? 'yes' : 'no',
      limit,
      'hottest, median': median(hottest),
      'hottest, p95': quantile(hottest, 0.95),
      'refused %, median': median(refused),
      'refused %, p95': quantile(refused, 0.95),
    };
  });
}

/**
 * The fewest shards, a power of two, of which the hottest stays a fifth below what one partition takes, once partitions
 * have split so far that no two shards share one.
 */
export function shardsFor(writes: number): number {
  for (let shards = 1; ; shards *= 2) {
    const loads = shardLoads(writes, shards, seededRandom(SEED)).map(({ load }) => load);
    if (Math.max(...loads) <= LIMIT.write * 0.8) return shards;
  }
}

export async function heat({ throws }: Pick<Plan, 'throws'>) {
  const partitions = [
    ...answerParts.flatMap((part) => heatRows('10,000 answers/s to a survey', part, throws)),
    ...bootstrapParts.flatMap((part) => heatRows('50,000 bootstraps/s of a project', part, throws)),
  ];
  const shards = [500, 1_000, 2_500, 5_000, 10_000, 20_000, 50_000].map((rate) => ({
    'answers/s of a project': rate,
    'shards wanted': shardsFor(rate),
    'shards wanted, all linked and acked': shardsFor(rate * 2),
  }));
  return { tables: { partitions, shards } };
}
