/** Two slots, so that one secret can replace the other while both are valid. */

import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import type { IdentitySecret } from '../../domain/project.ts';
import { CHANGEABLE } from '../table/expressions.ts';
import { type Row, readRow } from '../table/row.ts';
import { identitySlotKey, projectKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

const SLOTS = [0, 1] as const;

const slotRow = once(() =>
  z.object({ id: z.string(), createdAt: z.string(), sealed: z.optional(z.string()) }),
);

/** Undefined if the secret was revoked, which deletes its material. */
export function readIdentitySecret(row: Row): IdentitySecret | undefined {
  const { id, createdAt, sealed } = readRow(slotRow, row);
  return sealed === undefined ? undefined : { id, createdAt, sealed };
}

export interface IdentitySecretStore {
  add(projectId: string, secret: IdentitySecret): Promise<'added' | 'both slots are taken' | 'no project'>;
  revoke(projectId: string, id: string, at: string): Promise<boolean>;
}

export function createIdentitySecretStore(table: Table): IdentitySecretStore {
  return {
    async add(projectId, secret) {
      for (const slot of SLOTS) {
        const put = { ...identitySlotKey(projectId, slot), type: 'identity-secret', ...secret };
        const written = await table.transact([
          { check: projectKey(projectId), when: CHANGEABLE },
          { put, when: { text: 'attribute_not_exists(#sealed)' } },
        ]);
        if (written.done) return 'added';
        if (written.failed.has(0)) return 'no project';
      }
      return 'both slots are taken';
    },

    async revoke(projectId, id, at) {
      const isIt = { text: '#id = :id AND attribute_exists(#sealed)', values: { id } };
      const change = { set: { sealed: null, revokedAt: at } };
      for (const slot of SLOTS) {
        if ((await table.update(identitySlotKey(projectId, slot), change, isIt)).done) return true;
      }
      return false;
    },
  };
}
