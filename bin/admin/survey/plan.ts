/** What `survey apply` is about to do: planned against the table, checked, and shown before the operator agrees. */

import { isDeepStrictEqual } from 'node:util';
import type { ProjectRecord } from '../../../shared/data/projects/project-record.ts';
import { formatDuration } from '../../../shared/domain/duration.ts';
import { MOST_SEGMENTS_EVER, MOST_VALUES_EVER } from '../../../shared/domain/surveys/segments.ts';
import { definitionOf, orderAfter, type Survey } from '../../../shared/domain/surveys/survey.ts';
import {
  applyUpdate,
  type FieldChange,
  isOverfull,
  planSurveys,
  type SurveyDraft,
  type SurveyPlan,
  type SurveyUpdate,
} from '../../../shared/domain/surveys/survey-plan.ts';
import { misuse } from '../admin-error.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal.ts';
import { MOST_SURVEYS } from './survey-file.ts';

export interface Planned {
  readonly plan: SurveyPlan;
  /** The project's surveys, which the plan was made against. */
  readonly record: ProjectRecord;
  /** Whether the file lists surveys that are there already in another order than before. */
  readonly isReordered: boolean;
}

/** @throws AdminError with a line for each reason why the plan cannot be carried out */
export async function planApply(
  session: Session,
  wanted: readonly SurveyDraft[],
  { project, prune = false }: { readonly project: string; readonly prune?: boolean },
): Promise<Planned> {
  const record = await session.record(project);
  const { surveys } = record;
  const plan = planSurveys(surveys, wanted, { prune });
  const count = surveys.length + plan.created.length;
  if (count > MOST_SURVEYS) {
    throw misuse(`The project would have ${count} surveys, archived ones too; at most ${MOST_SURVEYS} fit.`);
  }
  const retyped = plan.updated.filter(({ before, after }) => before.content.type !== after.content.type);
  if (retyped.length > 0) {
    throw misuse(
      ...retyped.map(
        ({ before: { content } }) =>
          `${content.slug}: a survey keeps its type (${content.type}), as its answers do; use another slug.`,
      ),
    );
  }
  const overfull = plan.updated.filter((update) => isOverfull(applyUpdate(update, session.now())));
  if (overfull.length > 0) {
    throw misuse(
      ...overfull.map(
        ({ before: { content } }) =>
          `${content.slug}: its results cannot tell more segments apart, those that were declared before included (at most ${MOST_SEGMENTS_EVER}, of ${MOST_VALUES_EVER} values each).`,
      ),
    );
  }
  const changed = [...plan.updated, ...plan.archived];
  const replaced = new Set(changed.map(({ before }) => before));
  const kept = surveys.filter((survey) => !replaced.has(survey));
  assertServable([...kept, ...changed.map(({ after }) => after), ...plan.created]);
  return { plan, record, isReordered: !isDeepStrictEqual(orderOf(record), orderWith(record, wanted)) };
}

/** Ids of the project's surveys in the order of the file that was applied last. */
const orderOf = ({ surveys, surveyOrder }: ProjectRecord): string[] => orderAfter([], surveys, surveyOrder);

/**
 * The order once the file is applied.
 * @param created surveys that are not in the record yet
 */
export function orderWith(
  { surveys, surveyOrder }: ProjectRecord,
  wanted: readonly SurveyDraft[],
  created: readonly Survey[] = [],
): string[] {
  const idBySlug = new Map([...surveys, ...created].map(({ id, content }) => [content.slug, id]));
  const ids = wanted.map(({ content }) => idBySlug.get(content.slug)).filter((id) => id !== undefined);
  return orderAfter(ids, surveys, surveyOrder);
}

/** AWS quota: the payload of a synchronous invocation, request and response each, 6 MB. */
const PAYLOAD_BYTES = 6 * 1_024 * 1_024;
/** Status and headers, and the suppressed ids of surveys that are no longer served. */
const ENVELOPE_BYTES = 16 * 1_024;
/** A survey's show-token for the longest respondent id, with the survey's id: bootstrap sends both. */
const TOKEN_BYTES = 512;
/** An id is made when a survey is created; all are of this length. */
const SOME_ID = 'sv_0123456789abcdef';
const LARGEST_SHOWN = 5;

type Served = Pick<SurveyDraft, 'content' | 'repeat' | 'status'>;

/** The bytes of a survey in bootstrap's reply as Lambda sends it: JSON in a string of JSON. */
function servedBytes({ content, repeat }: Served): number {
  const definition = JSON.stringify(definitionOf({ id: SOME_ID, content, repeat }));
  return Buffer.byteLength(JSON.stringify(definition)) + TOKEN_BYTES;
}

/**
 * Refuses surveys that bootstrap could not send in one reply. A draft, a paused and an ended survey count as well:
 * each can become active without another check of the file.
 */
export function assertServable(surveys: readonly Served[]): void {
  const sizes = surveys
    .filter(({ status }) => status !== 'archived')
    .map((survey) => ({ slug: survey.content.slug, bytes: servedBytes(survey) }))
    .sort((a, b) => b.bytes - a.bytes);
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, ENVELOPE_BYTES);
  if (total <= PAYLOAD_BYTES) return;
  const largest = sizes.slice(0, LARGEST_SHOWN).map(({ slug, bytes }) => `${slug} (${bytes})`);
  throw misuse(
    `The surveys would not fit into one reply: ${total} of at most ${PAYLOAD_BYTES} bytes, where a quotation mark takes four. ` +
      `Archive or shorten some; the largest are ${largest.join(', ')}.`,
  );
}

const MOST_VALUE_CHARACTERS = 60;
/** The one field that is stored otherwise than it is written. */
const QUIET_PERIOD = 'limits.quietPeriodMs';

function valueText(field: string, value: unknown): string {
  if (value === undefined) return 'none';
  if (field === QUIET_PERIOD && typeof value === 'number') return formatDuration(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST_VALUE_CHARACTERS ? `${text.slice(0, MOST_VALUE_CHARACTERS)}…` : text;
}

const changeText = ({ field, before, after }: FieldChange): string =>
  printable(
    `${field === QUIET_PERIOD ? 'limits.quietPeriod' : field}: ${valueText(field, before)} → ${valueText(field, after)}`,
  );

const creationText = ({ content, status }: SurveyDraft): string =>
  `+ ${content.slug}  create (${content.type}, ${status})`;

const updateText = ({ before, changes }: SurveyUpdate): string =>
  [`~ ${before.content.slug}  update`, ...changes.map((change) => `    ${changeText(change)}`)].join('\n');

const archivalText = ({ before }: SurveyUpdate): string =>
  `- ${before.content.slug}  archive (was ${before.status})`;

/** The plan as operators read it. */
export function planText({ plan: { created, updated, unchanged, archived }, isReordered }: Planned): string {
  const lines = [...created.map(creationText), ...updated.map(updateText), ...archived.map(archivalText)];
  if (isReordered) lines.push('~ the order in which surveys of one priority are asked');
  if (unchanged.length > 0) lines.push(`= ${unchanged.length} unchanged`);
  return lines.length === 0 ? 'The file and the project have no surveys.' : lines.join('\n');
}
