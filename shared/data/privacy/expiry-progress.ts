import * as z from 'zod/mini';
import { DAY, SECOND } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import { readRow } from '../table/row.ts';
import { expirySweepKey, expiryToldKey, TABLE } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface ExpiryCounts {
  readonly rows: number;
  readonly expired: number;
  /** Answers that are kept because their scores are undelivered or their links are valid. */
  readonly waiting: number;
  readonly failed: number;
}

export const NOTHING_EXPIRED: ExpiryCounts = { rows: 0, expired: 0, waiting: 0, failed: 0 };

export function addExpired(a: ExpiryCounts, b: ExpiryCounts): ExpiryCounts {
  return {
    rows: a.rows + b.rows,
    expired: a.expired + b.expired,
    waiting: a.waiting + b.waiting,
    failed: a.failed + b.failed,
  };
}

/** Earlier shards are done, and so are earlier surveys of this shard and answers up to `after`. */
export interface ExpiryPosition {
  readonly shard: number;
  readonly surveyId: string;
  /** A position without the survey's id; empty at the start of the survey. */
  readonly after: string;
}

const FIRST_POSITION: ExpiryPosition = { shard: 0, surveyId: '', after: '' };

interface Run extends ExpiryCounts {
  readonly startedAt: string;
}

export interface ExpiryStatus {
  /** The current sweep, which may have been interrupted. */
  readonly current?: (Run & ExpiryPosition) | undefined;
  readonly last?: (Run & { readonly finishedAt: string }) | undefined;
}

/** Sweeps run every day, so a record lives much longer than the time until the next sweep. */
const KEPT_MS = 30 * DAY;

const runRow = once(() =>
  z.object({
    startedAt: z.string(),
    rows: z.number(),
    expired: z.number(),
    waiting: z.number(),
    failed: z.number(),
  }),
);
const statusRow = once(() =>
  z.object({
    current: z.optional(z.extend(runRow(), { shard: z.number(), surveyId: z.string(), after: z.string() })),
    last: z.optional(z.extend(runRow(), { finishedAt: z.string() })),
  }),
);

const toldRow = once(() => z.object({ days: z.record(z.string(), z.string()) }));

export function createExpiryProgress(table: Table) {
  async function read(projectId: string): Promise<ExpiryStatus> {
    // Functions that only read have no permission for GetItem.
    const [row] = await table.getMany([expirySweepKey(projectId)]);
    return row === undefined ? {} : readRow(statusRow, row);
  }

  const write = (projectId: string, status: ExpiryStatus, now: number) =>
    table.update(expirySweepKey(projectId), {
      set: {
        type: 'expiry-sweep',
        current: status.current ?? null,
        last: status.last,
        [TABLE.timeToLive]: Math.floor((now + KEPT_MS) / SECOND),
      },
    });

  return {
    read,

    async begin(projectId: string, now: number): Promise<Run & ExpiryPosition> {
      const { current } = await read(projectId);
      const startedAt = new Date(now).toISOString();
      return current ?? { ...NOTHING_EXPIRED, ...FIRST_POSITION, startedAt };
    },

    async keep(projectId: string, current: Run & ExpiryPosition, now: number) {
      await write(projectId, { current }, now);
    },

    async finish(projectId: string, { startedAt, rows, expired, waiting, failed }: Run, now: number) {
      const finishedAt = new Date(now).toISOString();
      await write(projectId, { last: { startedAt, finishedAt, rows, expired, waiting, failed } }, now);
    },

    /** For each survey, the day up to which events have reported expired answers. */
    async told(projectId: string): Promise<ReadonlyMap<string, string>> {
      const row = await table.get(expiryToldKey(projectId));
      return new Map(row === undefined ? [] : Object.entries(readRow(toldRow, row).days));
    },

    async keepTold(projectId: string, days: ReadonlyMap<string, string>) {
      const set = { type: 'expiry-told', days: Object.fromEntries(days) };
      await table.update(expiryToldKey(projectId), { set });
    },
  };
}

export type ExpiryProgress = ReturnType<typeof createExpiryProgress>;
