/** Drafts of surveys to be tried on a page: of no survey, read by nothing but a preview, gone after a while. */

import * as z from 'zod/mini';
import { SECOND } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import type { SurveyDefinition } from '../../domain/surveys/survey.ts';
import { ABSENT } from '../table/expressions.ts';
import { readRow } from '../table/row.ts';
import { draftKey, TABLE } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface DraftStore {
  /**
   * @param draftId random, so that nothing is there
   * @param definition what clients will see
   * @param expiresAt milliseconds since the epoch
   */
  put(projectId: string, draftId: string, definition: SurveyDefinition, expiresAt: number): Promise<void>;
  /** Undefined when it is gone, or has ended and the table still has it. */
  read(projectId: string, draftId: string, now: number): Promise<SurveyDefinition | undefined>;
}

const draftRow = once(() =>
  z.object({
    // Checked field by field before it is stored.
    definition: z.custom<SurveyDefinition>(
      (definition) => typeof definition === 'object' && definition !== null,
    ),
    [TABLE.timeToLive]: z.number(),
  }),
);

export function createDraftStore(table: Table): DraftStore {
  return {
    async put(projectId, draftId, definition, expiresAt) {
      const ttl = { [TABLE.timeToLive]: Math.floor(expiresAt / SECOND) };
      const row = { ...draftKey(projectId, draftId), type: 'draft', projectId, definition, ...ttl };
      await table.put(row, ABSENT);
    },

    async read(projectId, draftId, now) {
      const row = await table.get(draftKey(projectId, draftId));
      if (row === undefined) return undefined;
      const { definition, ttl } = readRow(draftRow, row);
      return ttl * SECOND > now ? definition : undefined;
    },
  };
}
