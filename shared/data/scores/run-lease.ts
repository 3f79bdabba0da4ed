import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import { readRow } from '../table/row.ts';
import { runLeaseKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface RunNote {
  readonly [name: string]: string | number | boolean;
}

export type RunMemory = Readonly<Record<string, string>>;

const leaseRow = once(() =>
  z.object({
    holder: z.optional(z.string()),
    memory: z.optional(z.record(z.string(), z.string())),
  }),
);

/** A try fails only if another run took or released the lease in the meantime. */
const TRIES = 5;

export function createRunLease(table: Table, job: string) {
  const key = runLeaseKey(job);

  async function take(
    holder: string,
    now: number,
    until: number,
    note: RunNote,
  ): Promise<RunMemory | undefined> {
    // The SDK may have repeated a write whose reply was lost.
    const taken = await table.update(
      key,
      { set: { ...note, type: 'run-lease', holder, until, isWanted: null } },
      { text: 'attribute_not_exists(#pk) OR #until <= :now OR #holder = :holder', values: { now, holder } },
      'ALL_NEW',
    );
    return taken.done ? (readRow(leaseRow, taken.row ?? {}).memory ?? {}) : undefined;
  }

  const isHeldByOther = '#until > :now AND #holder <> :holder';
  const isHeld = '#holder = :holder';

  return {
    /**
     * If another run holds the lease, it is told to look for work again, so that none is missed.
     * @param holder an id that is new for each run
     * @returns the memory of the previous run; undefined if another run holds the lease
     */
    async acquire(
      holder: string,
      now: number,
      until: number,
      note: RunNote = {},
    ): Promise<RunMemory | undefined> {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        const memory = await take(holder, now, until, note);
        if (memory !== undefined) return memory;
        const when = { text: isHeldByOther, values: { now, holder } };
        if ((await table.update(key, { set: { isWanted: true } }, when)).done) return undefined;
      }
      return undefined;
    },

    /** @returns whether the holder keeps the lease and must look again */
    async release(holder: string, memory: RunMemory, canLookAgain: boolean): Promise<boolean> {
      const freed = { set: { until: 0, memory, isWanted: null } };
      if (canLookAgain) {
        const unwanted = { text: `${isHeld} AND attribute_not_exists(#isWanted)`, values: { holder } };
        const written = await table.update(key, freed, unwanted);
        if (written.done) return false;
        const again = { text: `${isHeld} AND #until > :zero`, values: { holder, zero: 0 } };
        return (await table.update(key, { set: { memory, isWanted: null } }, again)).done;
      }
      await table.update(key, freed, { text: isHeld, values: { holder } });
      return false;
    },
  };
}

export type RunLease = ReturnType<typeof createRunLease>;
