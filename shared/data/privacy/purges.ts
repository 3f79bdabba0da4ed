import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import {
  addCounts,
  executionName,
  modeOfPurge,
  NO_COUNTS,
  PURGE_STATES,
  type PurgeAttempt,
  type PurgeCounts,
  type PurgeRecord,
  type PurgeScope,
} from '../../domain/purge.ts';
import type { PurgeStarter } from '../aws/purge-starter.ts';
import { ABSENT, type Change, type Condition, PRESENT } from '../table/expressions.ts';
import { inFlight } from '../table/retry.ts';
import { keyOf, type Row, readRow } from '../table/row.ts';
import { PURGES_PARTITION, purgeKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { isUnavailable } from '../table/unavailable.ts';
import { type ErasureLog, erasedScope } from './erasure-log.ts';
import type { PurgeSweep } from './purge-sweep.ts';
import type { PurgedDefinitions } from './purged-definitions.ts';

const recordRow = once(() =>
  z.object({
    projectId: z.string(),
    surveyId: z.optional(z.string()),
    respondentHash: z.optional(z.string()),
    state: z.enum(PURGE_STATES),
    attempt: z.number(),
    rounds: z.number(),
    openedAt: z.string(),
    requestedAt: z.string(),
    startedAt: z.optional(z.string()),
    finishedAt: z.optional(z.string()),
    responses: z.number(),
    dismissals: z.number(),
    others: z.number(),
    withdrawals: z.optional(z.number()),
  }),
);

function readRecord(row: Row): PurgeRecord {
  const { responses, dismissals, others, openedAt: _, ...record } = readRow(recordRow, row);
  return { ...record, deleted: { responses, dismissals, others } };
}

function readAttempt(row: Row): PurgeAttempt {
  const { attempt, openedAt } = readRow(recordRow, row);
  return { attempt, openedAt };
}

const iso = (now: number): string => new Date(now).toISOString();

const HAS_ENDED: Condition = {
  text: '#state IN (:failed, :done)',
  values: { failed: 'failed', done: 'done' },
};

export function createPurgeRecords(table: Table) {
  async function update(
    scope: PurgeScope,
    change: Change,
    when: Condition = PRESENT,
  ): Promise<Row | undefined> {
    const written = await table.update(purgeKey(scope), change, when, 'ALL_NEW');
    return written.done ? written.row : undefined;
  }

  async function attemptAgain(scope: PurgeScope, now: number, when?: Condition) {
    const set = { state: 'requested', openedAt: iso(now), rounds: 0 };
    const row = await update(scope, { set, remove: ['startedAt', 'finishedAt'], add: { attempt: 1 } }, when);
    return row && readAttempt(row);
  }

  const rowsOf = (projectId: string): Promise<Row[]> => {
    const { pk: partition, sk: prefix } = purgeKey({ projectId });
    return table.query({ partition, prefix });
  };

  return {
    /** If an earlier purge has finished, a new one begins. */
    async request(scope: PurgeScope, now: number): Promise<PurgeAttempt> {
      const { projectId, surveyId, respondentHash } = scope;
      const at = iso(now);
      const opened = await update(
        scope,
        {
          set: {
            type: 'purge',
            projectId,
            surveyId,
            respondentHash,
            state: 'requested',
            requestedAt: at,
            openedAt: at,
            attempt: 1,
            rounds: 0,
            responses: 0,
            dismissals: 0,
            others: 0,
          },
        },
        ABSENT,
      );
      if (opened !== undefined) return { attempt: 1, openedAt: at };
      const again = await attemptAgain(scope, now, HAS_ENDED);
      if (again !== undefined) return again;
      const joined = await update(scope, { add: { rounds: 0 } });
      if (joined === undefined) throw new Error('the purge record was deleted while the purge was requested');
      return readAttempt(joined);
    },

    retry: (scope: PurgeScope, now: number): Promise<PurgeAttempt | undefined> => attemptAgain(scope, now),

    async begin(scope: PurgeScope, now: number) {
      await update(scope, { set: { state: 'running' }, setOnce: { startedAt: iso(now) } });
    },

    async add(scope: PurgeScope, { responses, dismissals, others }: PurgeCounts, withdrawals: number = 0) {
      const withdrawn = withdrawals > 0 ? { withdrawals } : {};
      await update(scope, { add: { responses, dismissals, others, ...withdrawn } });
    },

    async nextRound(scope: PurgeScope): Promise<number> {
      const row = await update(scope, { add: { rounds: 1 } });
      return row === undefined ? 1 : readRecord(row).rounds;
    },

    async fail(scope: PurgeScope, now: number) {
      await update(scope, { set: { state: 'failed', finishedAt: iso(now) } });
    },

    async finish(scope: PurgeScope, now: number) {
      if (modeOfPurge(scope) === 'account') {
        const own = purgeKey(scope);
        const others = (await rowsOf(scope.projectId)).filter(({ sk }) => sk !== own.sk);
        await table.deleteMany(others.map(keyOf));
      }
      await update(scope, { set: { state: 'done', finishedAt: iso(now) } });
    },

    /** The purge of the project itself comes first. */
    list: async (projectId: string): Promise<PurgeRecord[]> => (await rowsOf(projectId)).map(readRecord),

    async unfinished(): Promise<PurgeRecord[]> {
      const rows = await table.query({ partition: PURGES_PARTITION });
      return rows.filter(({ state }) => state !== 'done').map(readRecord);
    },
  };
}

type PurgeRecords = ReturnType<typeof createPurgeRecords>;

interface PurgeDependencies {
  readonly log: ErasureLog;
  readonly records: PurgeRecords;
  readonly starter: PurgeStarter;
  readonly definitions: PurgedDefinitions;
  readonly sweep: PurgeSweep;
}

const SHARDS_IN_FLIGHT = 4;

/** If this fails, the state machine repeats the work. */
async function unlessUnavailable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return undefined;
  }
}

export function createPurges({ log, records, starter, definitions, sweep }: PurgeDependencies) {
  async function start(scope: PurgeScope, now: number, attempt: PurgeAttempt): Promise<string> {
    const execution = await starter.start(scope, attempt);
    if (execution !== undefined) return execution;
    const next = await records.retry(scope, now);
    if (next === undefined) throw new Error('the purge record was deleted while the purge started');
    return (await starter.start(scope, next)) ?? executionName(scope, next);
  }

  async function begin(
    scope: PurgeScope,
    now: number,
    attemptOf: () => Promise<PurgeAttempt>,
  ): Promise<string> {
    const execution = await start(scope, now, await attemptOf());
    if (modeOfPurge(scope) !== 'respondent') {
      await unlessUnavailable(definitions.mark(scope, new Date(now).toISOString()));
    }
    await unlessUnavailable(log.record(erasedScope(scope), now));
    return execution;
  }

  return {
    /**
     * Nothing depends on the caller once the state machine has started, because it repeats marking and logging. An
     * execution that ended without closing the purge is followed by a new attempt.
     */
    open: (scope: PurgeScope, now: number): Promise<string> =>
      begin(scope, now, () => records.request(scope, now)),

    /** For a purge that a restore interrupted or undid. */
    reopen: (scope: PurgeScope, now: number): Promise<string> =>
      begin(scope, now, async () => (await records.retry(scope, now)) ?? (await records.request(scope, now))),

    async sweepNow(
      scope: PurgeScope,
      isOutOfTime: () => boolean,
    ): Promise<PurgeCounts & { readonly withdrawals: number }> {
      const shards = Array.from({ length: sweep.shards }, (_, shard) => shard);
      const swept = await inFlight(shards, SHARDS_IN_FLIGHT, (shard) =>
        unlessUnavailable(sweep.sweepShard(scope, shard, isOutOfTime)),
      );
      const deleted = swept.map((shard) => shard?.deleted ?? NO_COUNTS).reduce(addCounts, NO_COUNTS);
      const withdrawals = swept.reduce((sum, shard) => sum + (shard?.withdrawals ?? 0), 0);
      await unlessUnavailable(records.add(scope, deleted, withdrawals));
      return { ...deleted, withdrawals };
    },
  };
}
