/** Where load falls: one survey that is answered 10,000 times a second, one project that issues 50,000 bootstraps. */

import { createRandom } from '../test/support/random.ts';
import { type KeyLoad, LIMIT, partitionLoads, refusedShare } from './heat/partitions.ts';
import type { Plan } from './plan.ts';
import { median, quantile } from './statistics.ts';

const SEED = 20_261_120;
const RESPONDENTS = 20_000;

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
/** A busy instance leases what it spent in a second and a half (docs/decisions/0030-rate-leases.md). */
const LEASES_PER_SECOND = 1 / 1.5;
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
  const thrown = Array.from({ length: throws }, (_, index) => keys(createRandom(SEED + index)));
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
function shardsFor(writes: number): number {
  for (let shards = 1; ; shards *= 2) {
    const loads = shardLoads(writes, shards, createRandom(SEED)).map(({ load }) => load);
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
