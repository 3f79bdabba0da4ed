/** Requests never write the key's own item. */

import * as z from 'zod/mini';
import type { PresentedKey } from '../../crypto/access-key.ts';
import { dayAt } from '../../domain/days.ts';
import { BoundedMap, once } from '../../domain/memory.ts';
import { withDeadline } from '../table/deadline.ts';
import { readRow } from '../table/row.ts';
import { keyUseKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

const DEADLINE_MS = 300;

const useRow = once(() => z.object({ keyHash: z.string(), usedOn: z.string() }));

export function createKeyUseStore(table: Table, deadlineMs = DEADLINE_MS) {
  return {
    async record(projectId: string, keyHash: string, day: string) {
      const change = { set: { type: 'key-use', keyHash, usedOn: day } };
      await withDeadline(deadlineMs, () => table.update(keyUseKey(projectId, keyHash), change));
    },

    async read(projectId: string, keyHashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await table.getMany(keyHashes.map((hash) => keyUseKey(projectId, hash)));
      const uses = rows.filter((row) => row !== undefined).map((row) => readRow(useRow, row));
      return new Map(uses.map(({ keyHash, usedOn }) => [keyHash, usedOn]));
    },
  };
}

export type KeyUseStore = ReturnType<typeof createKeyUseStore>;

interface FailureLog {
  error(entry: { message: string; projectId: string; error: unknown }): void;
}

const MOST_KEYS = 10_000;

/** At most one write per key, day and instance. */
export function createKeyUse(store: Pick<KeyUseStore, 'record'>, log: FailureLog) {
  const days = new BoundedMap<string, string>(MOST_KEYS);
  return {
    /** Never rejects. */
    async note({ projectId, hash }: PresentedKey, now: number) {
      const day = dayAt(now);
      if (days.get(hash) === day) return;
      days.set(hash, day);
      try {
        await store.record(projectId, hash, day);
      } catch (error) {
        days.set(hash, '');
        log.error({ message: 'key use was not recorded', projectId, error });
      }
    },
  };
}
