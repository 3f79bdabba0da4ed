/** Stored beside the key's rate lease, because requests never write the key's own item. */

import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import { withDeadline } from '../table/deadline.ts';
import { readRow } from '../table/row.ts';
import { keyUseKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

const DEADLINE_MS = 300;

export interface KeyUseStore {
  /** @param day UTC, `2026-11-20` */
  record(projectId: string, keyHash: string, day: string): Promise<void>;
  /** By key hash; absent for keys that were never used. */
  read(projectId: string, keyHashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

const useRow = once(() => z.object({ keyHash: z.string(), usedOn: z.string() }));

export function createKeyUseStore(table: Table, deadlineMs = DEADLINE_MS): KeyUseStore {
  return {
    async record(projectId, keyHash, day) {
      const change = { set: { type: 'key-use', keyHash, usedOn: day } };
      await withDeadline(deadlineMs, () => table.update(keyUseKey(projectId, keyHash), change));
    },

    async read(projectId, keyHashes) {
      const rows = await table.getMany(keyHashes.map((hash) => keyUseKey(projectId, hash)));
      const uses = rows.filter((row) => row !== undefined).map((row) => readRow(useRow, row));
      return new Map(uses.map(({ keyHash, usedOn }) => [keyHash, usedOn]));
    },
  };
}
