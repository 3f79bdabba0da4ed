/** The queue outlives the project and holds no personal data. */

import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import { isTried } from '../../domain/scoring.ts';
import { readScore } from '../answers/answer-item.ts';
import { inFlight } from '../table/retry.ts';
import { type Row, readRow } from '../table/row.ts';
import {
  runLeaseKey,
  scorePushJob,
  shardOf,
  tokenIdOfAnswer,
  withdrawalKey,
  withdrawalPartition,
  withdrawalPrefix,
} from '../table/schema.ts';
import type { StoreDependencies } from '../table/table.ts';

export interface Withdrawal {
  readonly projectId: string;
  readonly id: string;
  readonly queuedAt: string;
  readonly shard: number;
}

export interface Waiting {
  readonly count: number;
  /** The time when the oldest withdrawal was queued. */
  readonly since?: string | undefined;
}

const SHARDS_IN_FLIGHT = 16;
/** A page has about 6,000 withdrawals. */
const MOST_PAGES = 4;
/** Sorts after every id. */
const LAST_ID = '\u{10ffff}';
const SWEPT_AT_ONCE = 100;

const scoredRow = once(() => z.object({ sk: z.string(), id: z.string() }));
const pusherRow = once(() => z.object({ deletes: z.optional(z.boolean()) }));
const queuedRow = once(() => z.object({ queuedAt: z.string() }));
const withdrawalRow = once(() => z.extend(queuedRow(), { projectId: z.string(), id: z.string() }));

const earlier = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

export const placeOf = ({ shard, id }: Withdrawal): string => `${shard}#${id}`;

function readPlace(place: string): { readonly shard: number; readonly id: string } {
  const end = place.indexOf('#');
  return { shard: Number(place.slice(0, end)), id: place.slice(end + 1) };
}

export function createWithdrawals({
  table,
  shards,
  clock,
}: Pick<StoreDependencies, 'table' | 'shards' | 'clock'>) {
  const allShards = Array.from({ length: shards }, (_, shard) => shard);

  async function findPusher(projectId: string) {
    const { pk: partition, sk } = runLeaseKey(scorePushJob(projectId));
    const { rows } = await table.page({ partition, from: sk, to: sk });
    return rows[0] && readRow(pusherRow, rows[0]);
  }

  async function projectsIn(shard: number): Promise<string[]> {
    const found: string[] = [];
    for (let from = ''; ; ) {
      const { rows } = await table.page({
        partition: withdrawalPartition(shard),
        limit: 1,
        ...(from !== '' && { from }),
      });
      const [first] = rows;
      if (first === undefined) return found;
      const { projectId } = readRow(withdrawalRow, first);
      found.push(projectId);
      from = withdrawalKey(projectId, shard, LAST_ID).sk;
    }
  }

  async function waitingIn(projectId: string, shard: number): Promise<Waiting> {
    const partition = withdrawalPartition(shard);
    const prefix = withdrawalPrefix(projectId);
    let found: Waiting = { count: 0 };
    let after: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const { rows, last } = await table.page({ partition, prefix, after, attributes: ['queuedAt'] });
      const times = rows.map((row) => readRow(queuedRow, row).queuedAt);
      found = { count: found.count + times.length, since: times.reduce(earlier, found.since) };
      if (last === undefined) break;
      after = last;
    }
    return found;
  }

  /** @param range of ids, with exclusive start and inclusive end */
  async function* inShard(
    projectId: string,
    shard: number,
    { behind = '', upTo }: { readonly behind?: string; readonly upTo?: string },
  ): AsyncGenerator<Withdrawal> {
    const partition = withdrawalPartition(shard);
    const sortKeyOf = (id: string) => withdrawalKey(projectId, shard, id).sk;
    const range = { from: sortKeyOf(''), to: sortKeyOf(upTo ?? LAST_ID) };
    for (let after = sortKeyOf(behind); ; ) {
      const { rows, last } = await table.page({ partition, ...range, after, limit: SWEPT_AT_ONCE });
      for (const row of rows) yield { ...readRow(withdrawalRow, row), shard };
      if (last === undefined) return;
      after = last;
    }
  }

  return {
    /**
     * Includes scores without a known push, because a push may start at this moment.
     * @returns the number of scores that were pushed to a destination that deletes scores
     */
    async queue(projectId: string, rows: readonly Row[]): Promise<number> {
      const scored = rows.filter(({ type, scoreState }) => type === 'response' && scoreState !== undefined);
      if (scored.length === 0) return 0;
      const pusher = await findPusher(projectId);
      if (pusher === undefined) return 0;
      const queuedAt = new Date(clock()).toISOString();
      await table.putMany(
        scored
          .map((row) => readRow(scoredRow, row))
          .map(({ id, sk }) => ({
            ...withdrawalKey(projectId, shardOf(tokenIdOfAnswer(sk), shards), id),
            type: 'withdrawal',
            projectId,
            id,
            queuedAt,
          })),
      );
      return pusher.deletes === true ? scored.filter((row) => isTried({ score: readScore(row) })).length : 0;
    },

    async isServed(projectId: string): Promise<boolean> {
      return (await findPusher(projectId)) !== undefined;
    },

    async projects(): Promise<readonly string[]> {
      const found = await inFlight(allShards, SHARDS_IN_FLIGHT, projectsIn);
      return [...new Set(found.flat())];
    },

    async waiting(projectId: string): Promise<Waiting> {
      const found = await inFlight(allShards, SHARDS_IN_FLIGHT, (shard) => waitingIn(projectId, shard));
      return found.reduce((sum, each) => ({
        count: sum.count + each.count,
        since: earlier(sum.since, each.since),
      }));
    },

    /** Each run starts after the last withdrawal that was tried, so failing ones do not block others. */
    async *sweep(projectId: string, behind?: string) {
      const start = behind === undefined ? { shard: 0, id: '' } : readPlace(behind);
      const first = start.shard % shards;
      yield* inShard(projectId, first, { behind: start.id });
      for (let step = 1; step < shards; step += 1) yield* inShard(projectId, (first + step) % shards, {});
      if (behind !== undefined) yield* inShard(projectId, first, { upTo: start.id });
    },

    async finish({ projectId, shard, id }: Withdrawal) {
      await table.delete(withdrawalKey(projectId, shard, id));
    },
  };
}

export type Withdrawals = ReturnType<typeof createWithdrawals>;
