/** Where the service's load falls: one survey that is answered 10,000 times a second, one project that issues 50,000 bootstraps. */

import { median, quantile } from '../statistics.ts';
import { type KeyLoad, PARTITION_LIMIT, partitionLoads, seededRandom, throttledShare } from './partitions.ts';

/** Over all throws of the dice. */
interface Spread {
  readonly median: number;
  readonly p95: number;
}

export interface HeatFigures {
  readonly part: string;
  readonly shards?: number;
  readonly adaptive: boolean;
  readonly limit: number;
  /** Units a second of the hottest partition. */
  readonly hottest: Spread;
  /** From 0 to 1, of what this part is asked. */
  readonly throttled: Spread;
}

const SEED = 20_261_120;
/** Where keys come to lie is luck, and without adaptive capacity much depends on it. */
const THROWS = 200;
/** A table that takes its 4,000 writes a second at once and has grown with its traffic to these. */
const PARTITIONS = 16;
const RESPONDENTS = 20_000;

/** Answers' shards are drawn, not dealt: what each gets in a second varies like a dice. */
function shardLoads(rate: number, shards: number, random: () => number): KeyLoad[] {
  const counts = new Array<number>(shards).fill(0);
  for (let answer = 0; answer < rate; answer += 1) {
    const shard = Math.floor(random() * shards);
    counts[shard] = (counts[shard] ?? 0) + 1;
  }
  return counts.map((load) => ({ hash: random(), load }));
}

const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  p95: quantile(values, 0.95),
});

interface Part {
  readonly name: string;
  readonly shards?: number;
  readonly limit: number;
  readonly keys: (random: () => number) => readonly KeyLoad[];
}

function figures({ name, shards, limit, keys }: Part, throws: number): HeatFigures[] {
  const thrown = Array.from({ length: throws }, (_, index) => keys(seededRandom(SEED + index)));
  return [false, true].map((adaptive) => {
    const all = thrown.map((each) => partitionLoads(each, { partitions: PARTITIONS, limit, adaptive }));
    return {
      part: name,
      ...(shards !== undefined && { shards }),
      adaptive,
      limit,
      hottest: spreadOf(all.map(([first]) => first?.load ?? 0)),
      throttled: spreadOf(all.map((loads) => throttledShare(loads, limit))),
    };
  });
}

const peopleOf = (rate: number) => (random: () => number) =>
  Array.from({ length: RESPONDENTS }, () => ({ hash: random(), load: rate / RESPONDENTS }));

/** @param rate answers a second to one survey */
export function answersHeat(rate = 10_000, throws = THROWS): HeatFigures[] {
  const limit = PARTITION_LIMIT.write;
  const sharded = (name: string, writes: number) => (shards: number) =>
    figures({ name, shards, limit, keys: (random) => shardLoads(writes, shards, random) }, throws);
  return [
    ...figures({ name: 'table: respondents', limit, keys: peopleOf(rate) }, throws),
    ...[1, 4, 8, 16, 32, 64].flatMap(sharded('by_project', rate)),
    // A linked answer is written pending; its ack takes it out again: two writes.
    ...[16, 32, 64].flatMap(sharded('by_score_state, acked', rate * 2)),
  ];
}

/** Seconds that settings stay in an instance's memory, on average. */
const SETTINGS_SECONDS = 25;
/** Of one reading of the settings: few surveys, and as many as a project may have. */
const SETTINGS_UNITS = [1, 90];
/** Function instances at work: requests a second times the seconds of each, here 10 and 20 ms. */
const REQUEST_SECONDS = [0.01, 0.02];
/** A busy instance leases half a second of its demand at once (docs/decisions/0030-rate-leases.md). */
const LEASES_PER_SECOND = 2;

/** One key carries it all, which no shards and no splits take apart. */
function hotKey(name: string, load: number, limit: number, throws: number): HeatFigures[] {
  return figures({ name, limit, keys: (random) => [{ hash: random(), load }] }, throws);
}

/** @param rate bootstraps a second of one project */
export function bootstrapsHeat(rate = 50_000, throws = THROWS): HeatFigures[] {
  const { read, write } = PARTITION_LIMIT;
  const hotKeys = REQUEST_SECONDS.flatMap((seconds) => {
    const instances = rate * seconds;
    return [
      ...SETTINGS_UNITS.flatMap((units) =>
        hotKey(
          `table: settings of ${units} read units, ${instances} instances`,
          (instances * units) / SETTINGS_SECONDS,
          read,
          throws,
        ),
      ),
      ...hotKey(
        `table: lease of the key's rate, ${instances} instances`,
        instances * LEASES_PER_SECOND,
        write,
        throws,
      ),
    ];
  });
  return [...figures({ name: 'table: respondents', limit: read, keys: peopleOf(rate) }, throws), ...hotKeys];
}

/**
 * The fewest shards, a power of two, of which the hottest stays a fifth below what one partition takes. It takes for granted
 * that partitions have split so that no two shards share one, as they do after some minutes.
 */
export function shardsFor(rate: number): number {
  for (let shards = 1; ; shards *= 2) {
    const loads = shardLoads(rate, shards, seededRandom(SEED)).map(({ load }) => load);
    if (Math.max(...loads) <= PARTITION_LIMIT.write * 0.8) return shards;
  }
}
