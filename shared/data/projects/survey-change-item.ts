import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import type { Survey } from '../../domain/surveys/survey.ts';
import type { SurveyMark, SurveySetChange, SurveySource } from '../../domain/surveys/survey-change.ts';
import { type Row, readRow } from '../table/row.ts';
import { surveyChangeKey } from '../table/schema.ts';

const source = () =>
  z.pipe(
    z.string(),
    // Newer releases may have other sources.
    z.transform((text): SurveySource => (text === 'apply' ? 'apply' : 'console')),
  );

export const surveyMark = once(() =>
  z.object({ source: source(), by: z.string(), at: z.string(), revision: z.number() }),
);

const surveySetRow = once(() =>
  z.object({
    surveysVersion: z.optional(z.number()),
    surveyOrder: z.optional(z.array(z.string())),
    surveyOrderChanged: z.optional(surveyMark()),
    surveysChanged: z.optional(z.extend(surveyMark(), { ids: z.array(z.string()) })),
  }),
);

const changeRow = once(() =>
  z.extend(surveyMark(), {
    projectId: z.string(),
    surveys: z.array(
      z.object({ slug: z.string(), action: z.enum(['created', 'updated']), fields: z.array(z.string()) }),
    ),
    isReordered: z.boolean(),
  }),
);

export interface SurveySetMark {
  readonly version: number;
  readonly order: readonly string[];
  readonly orderMark: SurveyMark | undefined;
  readonly changed: (SurveyMark & { readonly ids: readonly string[] }) | undefined;
}

export function readSurveySet(row: Row): SurveySetMark {
  const {
    surveysVersion = 0,
    surveyOrder = [],
    surveyOrderChanged,
    surveysChanged,
  } = readRow(surveySetRow, row);
  return {
    version: surveysVersion,
    order: surveyOrder,
    orderMark: surveyOrderChanged,
    changed: surveysChanged,
  };
}

/**
 * A query may see only part of a transaction (DynamoDB, "Isolation levels"). A release that records no changes may also
 * have purged a `missing` survey.
 */
export function tornBy(
  { version, changed }: SurveySetMark,
  surveys: readonly Survey[],
): 'stale' | 'missing' | undefined {
  const isNewer = surveys.some(({ changed: mark }) => (mark?.revision ?? 0) > version);
  if (isNewer) return 'stale';
  if (changed === undefined) return undefined;
  const byId = new Map(surveys.map((survey) => [survey.id, survey]));
  const written = changed.ids.map((id) => byId.get(id));
  if (written.some((survey) => survey && (survey.changed?.revision ?? 0) < changed.revision)) return 'stale';
  return written.includes(undefined) ? 'missing' : undefined;
}

export const changeItem = (projectId: string, change: SurveySetChange): Row => ({
  ...surveyChangeKey(projectId, change.revision),
  type: 'survey-change',
  projectId,
  ...change,
});

export const readChange = (row: Row): SurveySetChange & { readonly projectId: string } =>
  readRow(changeRow, row);
