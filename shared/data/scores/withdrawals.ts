/**
 * Scores that have to be deleted where the score adapter delivered them, because their answers are being erased. They
 * are queued before the rows go, in partitions of no project, so that the queue outlives the project. Nothing of a person
 * is in it.
 */

import * as z from 'zod/mini';
import { once } from '../../domain/once.ts';
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
import type { Table } from '../table/table.ts';

export interface Withdrawal {
  readonly projectId: string;
  /** The score's, which is the response's. */
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly queuedAt: string;
  readonly shard: number;
}

export interface Withdrawals {
  /**
   * Queues the scores of rows that are about to be deleted, where the adapter serves the project; again is harmless.
   * A score of which no push is known is queued too: one may begin this moment.
   * @returns how many were pushed to where they can be deleted
   */
  queue(projectId: string, rows: readonly Row[]): Promise<number>;
  /** The projects that have withdrawals waiting. */
  projects(): Promise<readonly string[]>;
  /** Some of a project's, at most `limit` of each shard. */
  waiting(projectId: string, limit: number): Promise<readonly Withdrawal[]>;
  /** Takes one out of the queue. */
  finish(withdrawal: Withdrawal): Promise<void>;
}

const SHARDS_IN_FLIGHT = 16;

const scoredRow = once(() =>
  z.object({
    sk: z.string(),
    id: z.string(),
    scoreState: z.string(),
    attempts: z.optional(z.number()),
    triedAt: z.optional(z.string()),
  }),
);
const pusherRow = once(() => z.object({ deletes: z.optional(z.boolean()) }));
const withdrawalRow = once(() => z.object({ projectId: z.string(), id: z.string(), queuedAt: z.string() }));

const isTried = ({ scoreState, attempts = 0, triedAt }: z.output<ReturnType<typeof scoredRow>>): boolean =>
  scoreState !== 'pending' || attempts > 0 || triedAt !== undefined;

interface WithdrawalParts {
  readonly table: Table;
  /** Of each index per project; the queue has as many, so that a sweep of one writes to one. */
  readonly shards: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export function createWithdrawals({ table, shards, clock }: WithdrawalParts): Withdrawals {
  const allShards = Array.from({ length: shards }, (_, shard) => shard);

  /** The lease of the project's runs, which there is when there ever was a run. */
  async function findPusher(projectId: string) {
    const { pk: partition, sk } = runLeaseKey(scorePushJob(projectId));
    const { rows } = await table.page({ partition, from: sk, to: sk });
    return rows[0] && readRow(pusherRow, rows[0]);
  }

  /** One project after another: behind a prefix begins the next. */
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
      from = `${withdrawalPrefix(projectId)}\u{10ffff}`;
    }
  }

  return {
    async queue(projectId, rows) {
      const scored = rows
        .filter(({ type, scoreState }) => type === 'response' && scoreState !== undefined)
        .map((row) => readRow(scoredRow, row));
      if (scored.length === 0) return 0;
      const pusher = await findPusher(projectId);
      if (pusher === undefined) return 0;
      const queuedAt = new Date(clock()).toISOString();
      await table.putMany(
        scored.map(({ id, sk }) => ({
          ...withdrawalKey(projectId, shardOf(tokenIdOfAnswer(sk), shards), id),
          type: 'withdrawal',
          projectId,
          id,
          queuedAt,
        })),
      );
      return pusher.deletes === true ? scored.filter(isTried).length : 0;
    },

    async projects() {
      const found = await inFlight(allShards, SHARDS_IN_FLIGHT, projectsIn);
      return [...new Set(found.flat())];
    },

    async waiting(projectId, limit) {
      const found = await inFlight(allShards, SHARDS_IN_FLIGHT, async (shard) => {
        const partition = withdrawalPartition(shard);
        const { rows } = await table.page({ partition, prefix: withdrawalPrefix(projectId), limit });
        return rows.map((row) => ({ ...readRow(withdrawalRow, row), shard }));
      });
      return found.flat();
    },

    async finish({ projectId, shard, id }) {
      await table.delete(withdrawalKey(projectId, shard, id));
    },
  };
}
