/** How the set of a project's surveys, and the log of its changes, lie in the table. */

import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import type { Survey } from '../../domain/surveys/survey.ts';
import type { SurveyMark, SurveySetChange, SurveySource } from '../../domain/surveys/survey-change.ts';
import { type Row, readRow } from '../table/row.ts';
import { surveyChangeKey } from '../table/schema.ts';

const source = () =>
  z.pipe(
    z.string(),
    // A source that only a newer release knows is not the command line.
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

/** What the project's item says of its surveys as one set. */
export interface SurveySetMark {
  /** How often the set was changed: its revision. */
  readonly version: number;
  /** Ids in the order that was said last. */
  readonly order: readonly string[];
  /** Who said so; undefined where that was not noted. */
  readonly orderMark: SurveyMark | undefined;
  /** The last change that was noted, and the surveys that it wrote. */
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
 * A query may see one item of a transaction and not yet another (DynamoDB, "Isolation levels"), and a long one goes over
 * several pages: then a survey is newer than the set, or older than the change that wrote it (`stale`), or not there yet
 * (`missing`), as one that was purged since by a release that does not note changes.
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
