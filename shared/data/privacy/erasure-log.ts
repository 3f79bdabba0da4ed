/** The erasures to repeat after a point-in-time restore. It contains no personal data. */

import * as z from 'zod/mini';
import { DAY, SECOND } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import { utcMonth } from '../../domain/project.ts';
import type { PurgeScope } from '../../domain/purge.ts';
import type { Retention } from '../../domain/retention.ts';
import { retentionRow } from '../projects/project-item.ts';
import { type Row, readRow } from '../table/row.ts';
import { ERASURE_LOG, type Key, MOST_RESTORED_DAYS } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export type ErasedScope =
  | { readonly mode: 'respondent'; readonly projectId: string; readonly respondentHash: string }
  | { readonly mode: 'survey'; readonly projectId: string; readonly surveyId: string }
  | { readonly mode: 'account'; readonly projectId: string };

export interface ChangedRetention {
  readonly projectId: string;
  readonly surveyId?: string | undefined;
  readonly retention: Retention;
}

/** The reach of a restore, plus a day for the restore itself. */
const KEPT_MS = (MOST_RESTORED_DAYS + 1) * DAY;

export function erasedScope({ projectId, surveyId, respondentHash }: PurgeScope): ErasedScope {
  if (respondentHash !== undefined) return { mode: 'respondent', projectId, respondentHash };
  return surveyId === undefined ? { mode: 'account', projectId } : { mode: 'survey', projectId, surveyId };
}

const describeTarget = (scope: ErasedScope): string =>
  scope.mode === 'respondent' ? scope.respondentHash : scope.mode === 'survey' ? scope.surveyId : '';

const entryRow = once(() =>
  z.discriminatedUnion('mode', [
    z.object({
      at: z.string(),
      mode: z.literal('respondent'),
      projectId: z.string(),
      respondentHash: z.string(),
    }),
    z.object({ at: z.string(), mode: z.literal('survey'), projectId: z.string(), surveyId: z.string() }),
    z.object({ at: z.string(), mode: z.literal('account'), projectId: z.string() }),
  ]),
);

const changedRetentionRow = once(() =>
  z.object({
    projectId: z.string(),
    surveyId: z.optional(z.string()),
    retention: retentionRow(),
  }),
);

/** Older releases cannot read a month that contains other entries. */
const retentionPartition = (month: string): string => `${month}#RETENTION`;

const keyOf = (row: Row): Key => ({
  pk: String(row[ERASURE_LOG.partitionKey]),
  sk: String(row[ERASURE_LOG.sortKey]),
});

function* monthsBetween(since: number, now: number): Generator<string> {
  const last = utcMonth(now);
  const month = new Date(`${utcMonth(since)}-01T00:00:00.000Z`);
  for (; utcMonth(month.getTime()) <= last; month.setUTCMonth(month.getUTCMonth() + 1)) {
    yield utcMonth(month.getTime());
  }
}

export function createErasureLog(table: Table) {
  const add = (partition: string, order: string, entry: Row, now: number) =>
    table.put({
      [ERASURE_LOG.partitionKey]: partition,
      [ERASURE_LOG.sortKey]: order,
      ...entry,
      [ERASURE_LOG.timeToLive]: Math.ceil((now + KEPT_MS) / SECOND),
    });

  return {
    async record(scope: ErasedScope, now: number) {
      const at = new Date(now).toISOString();
      const order = [at, scope.projectId, scope.mode, describeTarget(scope)].join('#');
      await add(utcMonth(now), order, { at, ...scope }, now);
    },

    /** Oldest first. */
    async *since(since: number, now: number) {
      for (const month of monthsBetween(since, now)) {
        const rows = await table.query({ partition: month, from: new Date(since).toISOString() });
        for (const row of rows) {
          const { at, ...scope } = readRow(entryRow, row);
          yield { scope, at };
        }
      }
    },

    /** Call this after the change is stored. Otherwise a restore could apply a change that was never made. */
    async recordRetention({ projectId, surveyId, retention }: ChangedRetention, now: number) {
      const at = new Date(now).toISOString();
      const order = [at, projectId, surveyId ?? ''].join('#');
      await add(retentionPartition(utcMonth(now)), order, { at, projectId, surveyId, retention }, now);
    },

    async retentionsSince(since: number, now: number): Promise<ChangedRetention[]> {
      const last = new Map<string, ChangedRetention>();
      for (const month of monthsBetween(since, now)) {
        const partition = retentionPartition(month);
        for (const row of await table.query({ partition, from: new Date(since).toISOString() })) {
          const change = readRow(changedRetentionRow, row);
          last.set(`${change.projectId}#${change.surveyId ?? ''}`, change);
        }
      }
      return [...last.values()];
    },

    /** The purge's own entry stays, because a restore must repeat the purge. */
    async forgetExceptPurge(projectId: string, now: number) {
      for (const month of monthsBetween(now - KEPT_MS, now)) {
        const erased = (await table.query({ partition: month })).filter((row) => {
          const entry = readRow(entryRow, row);
          return entry.projectId === projectId && entry.mode !== 'account';
        });
        const changed = (await table.query({ partition: retentionPartition(month) })).filter(
          (row) => row.projectId === projectId,
        );
        await table.deleteMany([...erased, ...changed].map(keyOf));
      }
    },
  };
}

export type ErasureLog = ReturnType<typeof createErasureLog>;
