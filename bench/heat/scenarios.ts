/** Where the service's load falls: one survey that is answered 10,000 times a second, one project that issues 50,000 bootstraps. */

import { type KeyLoad, PARTITION_LIMIT, partitionLoads, seededRandom, throttledShare } from './partitions.ts';

export interface HeatFigures {
  readonly part: string;
  readonly shards?: number;
  readonly adaptive: boolean;
  readonly limit: number;
  readonly hottest: number;
  readonly throttled: number;
}

const SEED = 20_261_120;
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

function figures(part: string, keys: readonly KeyLoad[], limit: number, shards?: number): HeatFigures[] {
  return [false, true].map((adaptive) => {
    const loads = partitionLoads(keys, { partitions: PARTITIONS, limit, adaptive });
    return {
      part,
      ...(shards !== undefined && { shards }),
      adaptive,
      limit,
      hottest: loads[0]?.load ?? 0,
      throttled: throttledShare(loads, limit),
    };
  });
}

/** @param rate answers a second to one survey */
export function answersHeat(rate = 10_000): HeatFigures[] {
  const random = seededRandom(SEED);
  const people = Array.from({ length: RESPONDENTS }, () => ({ hash: random(), load: rate / RESPONDENTS }));
  return [
    ...figures('table: respondents', people, PARTITION_LIMIT.write),
    ...[1, 4, 8, 16, 32, 64].flatMap((shards) =>
      figures('by_project', shardLoads(rate, shards, random), PARTITION_LIMIT.write, shards),
    ),
    // A linked answer is written pending; its ack takes it out again: two writes.
    ...[16, 32, 64].flatMap((shards) =>
      figures('by_score_state, acked', shardLoads(rate * 2, shards, random), PARTITION_LIMIT.write, shards),
    ),
  ];
}

interface BootstrapLoad {
  readonly perSecond: number;
  /** Function instances at work: requests a second times seconds each. */
  readonly instances: number;
  /** Read units of one reading of the project's settings. */
  readonly settingsUnits: number;
  /** Seconds that settings stay in an instance's memory, on average. */
  readonly settingsSeconds: number;
}

const BOOTSTRAPS: BootstrapLoad = {
  perSecond: 50_000,
  instances: 500,
  settingsUnits: 1,
  settingsSeconds: 25,
};

export function bootstrapsHeat({
  perSecond,
  instances,
  settingsUnits,
  settingsSeconds,
} = BOOTSTRAPS): HeatFigures[] {
  const random = seededRandom(SEED);
  const load = perSecond / RESPONDENTS;
  const people = Array.from({ length: RESPONDENTS }, () => ({ hash: random(), load }));
  const settings = { hash: random(), load: (instances * settingsUnits) / settingsSeconds };
  return [
    ...figures('table: respondents', people, PARTITION_LIMIT.read),
    ...figures(`table: settings of ${settingsUnits} units`, [settings], PARTITION_LIMIT.read),
  ];
}

/** The fewest shards, a power of two, of which the hottest stays a fifth below what one partition takes. */
export function shardsFor(rate: number): number {
  for (let shards = 1; ; shards *= 2) {
    const loads = shardLoads(rate, shards, seededRandom(SEED)).map(({ load }) => load);
    if (Math.max(...loads) <= PARTITION_LIMIT.write * 0.8) return shards;
  }
}
