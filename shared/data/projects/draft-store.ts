import * as z from 'zod/mini';
import { SECOND } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import type { SurveyDefinition } from '../../domain/surveys/survey.ts';
import { ABSENT } from '../table/expressions.ts';
import { readRow } from '../table/row.ts';
import { draftKey, TABLE } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

const draftRow = once(() =>
  z.object({
    // Validated before it is stored.
    definition: z.custom<SurveyDefinition>(
      (definition) => typeof definition === 'object' && definition !== null,
    ),
    [TABLE.timeToLive]: z.number(),
  }),
);

export function createDraftStore(table: Table) {
  return {
    async put(projectId: string, draftId: string, definition: SurveyDefinition, expiresAt: number) {
      const ttl = { [TABLE.timeToLive]: Math.floor(expiresAt / SECOND) };
      const row = { ...draftKey(projectId, draftId), type: 'draft', projectId, definition, ...ttl };
      await table.put(row, ABSENT);
    },

    /** DynamoDB deletes expired drafts late. */
    async read(projectId: string, draftId: string, now: number): Promise<SurveyDefinition | undefined> {
      const row = await table.get(draftKey(projectId, draftId));
      if (row === undefined) return undefined;
      const { definition, ttl } = readRow(draftRow, row);
      return ttl * SECOND > now ? definition : undefined;
    },
  };
}
