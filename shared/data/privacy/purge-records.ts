/** Stored outside the project, because they outlive it. */

import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import {
  modeOfPurge,
  PURGE_STATES,
  type PurgeAttempt,
  type PurgeCounts,
  type PurgeRecord,
  type PurgeScope,
} from '../../domain/purge.ts';
import { ABSENT, type Change, type Condition, PRESENT } from '../table/expressions.ts';
import { type Row, readRow } from '../table/row.ts';
import { PURGES_PARTITION, purgeKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface PurgeRecords {
  /** Joins an open purge; a finished purge begins again. */
  request(scope: PurgeScope, now: number): Promise<PurgeAttempt>;
  /** Undefined if the purge was never requested. */
  retry(scope: PurgeScope, now: number): Promise<PurgeAttempt | undefined>;
  begin(scope: PurgeScope, now: number): Promise<void>;
  add(scope: PurgeScope, deleted: PurgeCounts, withdrawals?: number): Promise<void>;
  /** @returns the number of sweeps of this attempt */
  nextRound(scope: PurgeScope): Promise<number>;
  fail(scope: PurgeScope, now: number): Promise<void>;
  /** For a project, all other records of the project are deleted. */
  finish(scope: PurgeScope, now: number): Promise<void>;
  /** The project's own comes first. */
  list(projectId: string): Promise<PurgeRecord[]>;
  /** Running or failed. */
  unfinished(): Promise<PurgeRecord[]>;
}

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

export function createPurgeRecords(table: Table): PurgeRecords {
  async function update(
    scope: PurgeScope,
    change: Change,
    when: Condition = PRESENT,
  ): Promise<Row | undefined> {
    const written = await table.update(purgeKey(scope), change, when, 'ALL_NEW');
    return written.done ? written.row : undefined;
  }

  async function attemptAnew(scope: PurgeScope, now: number, when?: Condition) {
    const set = { state: 'requested', openedAt: iso(now), rounds: 0 };
    const row = await update(scope, { set, remove: ['startedAt', 'finishedAt'], add: { attempt: 1 } }, when);
    return row && readAttempt(row);
  }

  const rowsOf = (projectId: string): Promise<Row[]> => {
    const { pk: partition, sk: prefix } = purgeKey({ projectId });
    return table.query({ partition, prefix });
  };

  return {
    async request(scope, now) {
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
      const anew = await attemptAnew(scope, now, HAS_ENDED);
      if (anew !== undefined) return anew;
      const joined = await update(scope, { add: { rounds: 0 } });
      if (joined === undefined) throw new Error('the purge record was deleted while the purge was requested');
      return readAttempt(joined);
    },

    retry: (scope, now) => attemptAnew(scope, now),

    async begin(scope, now) {
      await update(scope, { set: { state: 'running' }, setOnce: { startedAt: iso(now) } });
    },

    async add(scope, { responses, dismissals, others }, withdrawals = 0) {
      const withdrawn = withdrawals > 0 ? { withdrawals } : {};
      await update(scope, { add: { responses, dismissals, others, ...withdrawn } });
    },

    async nextRound(scope) {
      const row = await update(scope, { add: { rounds: 1 } });
      return row === undefined ? 1 : readRecord(row).rounds;
    },

    async fail(scope, now) {
      await update(scope, { set: { state: 'failed', finishedAt: iso(now) } });
    },

    async finish(scope, now) {
      if (modeOfPurge(scope) === 'account') {
        const own = purgeKey(scope);
        const others = (await rowsOf(scope.projectId)).filter(({ sk }) => sk !== own.sk);
        await table.deleteMany(others.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
      }
      await update(scope, { set: { state: 'done', finishedAt: iso(now) } });
    },

    list: async (projectId) => (await rowsOf(projectId)).map(readRecord),

    async unfinished() {
      const rows = await table.query({ partition: PURGES_PARTITION });
      return rows.filter(({ state }) => state !== 'done').map(readRecord);
    },
  };
}
