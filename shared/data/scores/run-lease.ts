/** Single flight of a scheduled job: one item says which run holds it until when, and keeps what the next must know. */

import * as z from 'zod/mini';
import { readRow } from '../table/row.ts';
import { runLeaseKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

/** Small texts by name that one run leaves to the next. */
export type RunMemory = Readonly<Record<string, string>>;

export interface RunLease {
  /**
   * Takes the lease until a time (milliseconds since the epoch); one that has passed is free.
   * @param holder fresh per run
   * @returns what the run before left, or undefined when another holds it
   */
  acquire(holder: string, now: number, until: number): Promise<RunMemory | undefined>;
  /** Gives it back with what the next run must know; does nothing when another holds it by now. */
  release(holder: string, memory: RunMemory): Promise<void>;
}

const leaseRow = z.object({ memory: z.optional(z.record(z.string(), z.string())) });

export function createRunLease(table: Table, job: string): RunLease {
  const key = runLeaseKey(job);
  return {
    async acquire(holder, now, until) {
      // The holder may be this run, when the SDK repeats a write whose reply was lost.
      const taken = await table.update(
        key,
        { set: { type: 'run-lease', holder, until } },
        { text: 'attribute_not_exists(#pk) OR #until <= :now OR #holder = :holder', values: { now, holder } },
        'ALL_NEW',
      );
      return taken.done ? (readRow(leaseRow, taken.row ?? {}).memory ?? {}) : undefined;
    },

    async release(holder, memory) {
      const change = { set: { until: 0, memory } };
      await table.update(key, change, { text: '#holder = :holder', values: { holder } });
    },
  };
}
