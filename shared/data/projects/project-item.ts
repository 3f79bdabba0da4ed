import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import {
  type IdentitySecret,
  KEY_KINDS,
  KEY_SCOPES,
  PROJECT_SETTINGS,
  type Project,
  type ProjectKey,
  type ProjectSettingValues,
} from '../../domain/project.ts';
import { FIRST_GENERATIONS, type Generations } from '../../domain/results/generation.ts';
import { type AddedContent, joinContent, splitContent } from '../../domain/surveys/by-rating.ts';
import { type AddedType, joinType, splitType } from '../../domain/surveys/choices.ts';
import { isConditional } from '../../domain/surveys/conditions.ts';
import { type AddedQuestions, joinQuestions, splitQuestions } from '../../domain/surveys/questions.ts';
import { SEGMENT_SOURCES, type Segment } from '../../domain/surveys/segments.ts';
import { SURVEY_STATUSES, type Survey, type SurveyContent } from '../../domain/surveys/survey.ts';
import { type Row, readRow } from '../table/row.ts';
import {
  accessKeyKey,
  answeredAttribute,
  monthOfAttribute,
  projectKey,
  projectListEntry,
  surveyKey,
} from '../table/schema.ts';
import { surveyMark } from './survey-change-item.ts';

export const retentionRow = once(() =>
  z.object({
    entries: z.array(z.object({ from: z.string(), period: z.nullable(z.string()) })),
    goneBefore: z.optional(z.string()),
  }),
);

const projectRow = once(() =>
  z.object({
    id: z.string(),
    probe: z.optional(z.literal(true)),
    retention: z.optional(retentionRow()),
    createdAt: z.string(),
    purgedAt: z.optional(z.string()),
  }),
);

const settingsRow = once(() => {
  const forms = Object.entries(PROJECT_SETTINGS).map(([name, is]) => {
    const form = z.custom(is);
    return [name, is(undefined) ? z.optional(form) : form] as const;
  });
  return z.pipe(z.object(Object.fromEntries(forms)), z.custom<ProjectSettingValues>());
});

const keyRow = once(() =>
  z.object({
    id: z.string(),
    kind: z.enum(KEY_KINDS),
    hash: z.string(),
    createdAt: z.string(),
    scopes: z.optional(z.array(z.enum(KEY_SCOPES))),
    namedScopes: z.optional(z.array(z.string())),
    revokedAt: z.optional(z.string()),
    anyOrigin: z.optional(z.literal(true)),
    expiresAt: z.optional(z.string()),
    editor: z.optional(z.literal(true)),
  }),
);

const declaration = () => ({ since: z.optional(z.string()), retired: z.optional(z.boolean()) });

/** The previous release ignores `from`, and names contain no colon. */
export const segmentRows = (segments: readonly Segment[] | undefined) =>
  segments?.map(({ from, name, ...segment }) => ({
    ...segment,
    name: from === undefined ? name : `${from}:${name}`,
  }));

function readSegment({ name: stored, ...segment }: z.output<ReturnType<typeof segmentRow>>): Segment {
  const [before = '', name] = stored.split(':', 2);
  const from = SEGMENT_SOURCES.find((source) => source === before);
  return from === undefined || name === undefined ? { ...segment, name: stored } : { ...segment, name, from };
}

const segmentRow = once(() =>
  z.object({
    name: z.string(),
    values: z.array(z.object({ text: z.string(), ...declaration() })),
    ...declaration(),
  }),
);

const surveyRow = once(() =>
  z.object({
    id: z.string(),
    status: z.enum(SURVEY_STATUSES),
    activeByConditions: z.optional(z.literal(true)),
    // Validated before it is stored.
    content: z.custom<SurveyContent>((content) => typeof content === 'object' && content !== null),
    added: z.optional(z.nullable(z.custom<AddedContent>((added) => typeof added === 'object'))),
    typed: z.optional(z.nullable(z.custom<AddedType>((typed) => typeof typed === 'object'))),
    questions: z.optional(z.nullable(z.custom<AddedQuestions>((asked) => typeof asked === 'object'))),
    limits: z.object({
      maxResponses: z.optional(z.number()),
      quietPeriodMs: z.optional(z.number()),
      ignoreQuietPeriod: z.optional(z.boolean()),
    }),
    repeat: z.optional(
      z.union([
        z.enum(['session', 'observation']),
        z.object({ answeredMs: z.optional(z.number()), dismissedMs: z.optional(z.number()) }),
      ]),
    ),
    startsAt: z.optional(z.string()),
    endsAt: z.optional(z.string()),
    endWritten: z.optional(z.string()),
    segments: z.optional(z.array(segmentRow())),
    reasonCodes: z.optional(z.array(z.string())),
    retention: z.optional(retentionRow()),
    changed: z.optional(surveyMark()),
    purgedAt: z.optional(z.string()),
  }),
);

const longestLifetimeRow = once(() => z.object({ longestTokenLifetimeMs: z.optional(z.number()) }));
const generationsRow = once(() =>
  z.object({
    version: z.number(),
    shown: z.number(),
    counted: z.array(
      z.object({ number: z.number(), since: z.string(), copiedBefore: z.optional(z.string()) }),
    ),
  }),
);
const surveyTotalRow = once(() =>
  z.object({
    surveyId: z.string(),
    responses: z.number(),
    generations: z.optional(generationsRow()),
  }),
);

export const projectItem = (project: Project): Row => ({
  ...projectKey(project.id),
  ...projectListEntry(project.id),
  type: 'project',
  ...project,
  longestTokenLifetimeMs: project.tokenLifetimeMs,
});

export const readProject = (row: Row): Project => ({
  ...readRow(settingsRow, row),
  ...readRow(projectRow, row),
});

export const readLongestTokenLifetime = (row: Row): number | undefined =>
  readRow(longestLifetimeRow, row).longestTokenLifetimeMs;

export const keyItem = (projectId: string, key: ProjectKey): Row => ({
  ...accessKeyKey(projectId, key.hash),
  type: 'key',
  ...key,
});

/** In older rows, an editor key is a reader key with `editor`, and some scopes are in `namedScopes`. */
export function readKey(row: Row): ProjectKey {
  const { namedScopes = [], scopes, editor, ...stored } = readRow(keyRow, row);
  const key = editor ? { ...stored, kind: 'editor' as const } : stored;
  if (scopes === undefined) return key;
  return { ...key, scopes: [...scopes, ...KEY_SCOPES.filter((scope) => namedScopes.includes(scope))] };
}

const identitySecretRow = once(() =>
  z.object({ id: z.string(), createdAt: z.string(), sealed: z.optional(z.string()) }),
);

export function readIdentitySecret(row: Row): IdentitySecret | undefined {
  const { id, createdAt, sealed } = readRow(identitySecretRow, row);
  return sealed === undefined ? undefined : { id, createdAt, sealed };
}

export const surveyItem = (projectId: string, { choicesEver, questionsEver, ...survey }: Survey): Row => ({
  ...surveyKey(projectId, survey.id),
  type: 'survey',
  ...survey,
  ...contentAttributes({ ...survey, choicesEver, questionsEver }),
  segments: segmentRows(survey.segments),
});

/** Older releases keep attributes that they do not know. */
export function contentAttributes(
  survey: Pick<Survey, 'content' | 'status' | 'choicesEver' | 'questionsEver'>,
) {
  const { known: content, added: questions } = splitQuestions(survey);
  const { known, added: typed } = splitType({ ...survey, content });
  const { plain, added } = splitContent(known.content);
  return { content: plain, status: known.status, added, typed, questions };
}

/** In older rows, an active survey with pages or an event is `paused` with `activeByConditions`. */
export function readSurvey(row: Row): Survey {
  const { segments, activeByConditions, added, typed, questions, ...survey } = readRow(surveyRow, row);
  const isHidden = activeByConditions && survey.status === 'paused' && isConditional(survey.content);
  const content = joinContent(survey.content, added ?? undefined);
  const joined = joinType({ content, status: survey.status }, typed ?? undefined);
  return {
    ...survey,
    ...joined,
    ...joinQuestions(joined.content, questions ?? undefined),
    ...(isHidden && { status: 'active' }),
    ...(typed?.trigger === 'person' && { repeat: undefined }),
    ...(segments !== undefined && { segments: segments.map(readSegment) }),
  };
}

interface SurveyTotal {
  readonly surveyId: string;
  readonly responses: number;
  readonly generations: Generations;
  readonly answeredIn: (generation: number) => number;
}

export function readSurveyTotal(row: Row): SurveyTotal {
  const { generations = FIRST_GENERATIONS, ...total } = readRow(surveyTotalRow, row);
  return { ...total, generations, answeredIn: (number) => Number(row[answeredAttribute(number)] ?? 0) };
}

export function readProjectTotal(row: Row): Map<string, number> {
  const byMonth = new Map<string, number>();
  for (const [attribute, count] of Object.entries(row)) {
    const month = monthOfAttribute(attribute);
    if (month !== undefined) byMonth.set(month, Number(count));
  }
  return byMonth;
}
