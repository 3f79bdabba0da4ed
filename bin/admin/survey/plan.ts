import type { ProjectRecord } from '../../../shared/data/projects/project-record.ts';
import { unseenByFile } from '../../../shared/domain/surveys/survey-conflicts.ts';
import {
  asWritten,
  type FieldChange,
  planSurveys,
  type SurveyDraft,
  type SurveyPlan,
  type SurveyUpdate,
} from '../../../shared/domain/surveys/survey-plan.ts';
import {
  brokenRules,
  isReordering,
  type Served,
  unservable,
} from '../../../shared/domain/surveys/survey-rules.ts';
import { failure, misuse } from '../admin-error.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal.ts';
import type { SurveyFile } from './read-survey-file.ts';

export interface Planned {
  readonly plan: SurveyPlan;
  readonly record: ProjectRecord;
  /** Whether the file changes the order of existing surveys. */
  readonly isReordered: boolean;
}

interface PlanFlags {
  readonly project: string;
  readonly prune?: boolean;
  readonly overwrite?: boolean;
}

/** Refuses a file that would undo console changes it does not include. */
function assertSeen(
  { plan, record, isReordered }: Planned,
  wanted: readonly SurveyDraft[],
  pulled: SurveyFile['pulled'],
): void {
  const { surveys, surveyOrderMark: orderMark, project } = record;
  const shown = pulled?.project === project.id ? pulled.revision : 0;
  const { slugs, order } = unseenByFile({ surveys, wanted, plan, isReordered, orderMark }, shown);
  const what = [...slugs, ...(order ? ['the order of the surveys'] : [])];
  if (what.length === 0) return;
  throw failure(
    `Changed in the console since this file was pulled: ${what.join(', ')}. Nothing was changed. ` +
      'Run "survey pull" to write the current surveys into the file, or use --overwrite to apply the file anyway.',
  );
}

/** @throws AdminError with a line for each reason */
export async function planApply(
  session: Session,
  { surveys: wanted, pulled }: Pick<SurveyFile, 'surveys' | 'pulled'>,
  { project, prune = false, overwrite = false }: PlanFlags,
): Promise<Planned> {
  const record = await session.record(project);
  const { surveys } = record;
  const plan = planSurveys(surveys, wanted, { prune });
  const broken = brokenRules(surveys, plan, session.now());
  if (broken.length > 0) {
    throw misuse(
      ...broken.map(({ slug, message }) => (slug === undefined ? message : `${slug}: ${message}`)),
    );
  }
  const planned = { plan, record, isReordered: isReordering(record, wanted) };
  if (!overwrite) assertSeen(planned, wanted, pulled);
  return planned;
}

/** Refuses surveys that exceed one bootstrap reply. */
export function assertServable(surveys: readonly Served[]): void {
  const unfit = unservable(surveys);
  if (unfit !== undefined) throw misuse(unfit);
}

const MOST_VALUE_CHARACTERS = 60;

function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST_VALUE_CHARACTERS ? `${text.slice(0, MOST_VALUE_CHARACTERS)}…` : text;
}

const changeText = (change: FieldChange): string => {
  const { field, before, after } = asWritten(change);
  return printable(`${field}: ${valueText(before)} → ${valueText(after)}`);
};

const creationText = ({ content, status }: SurveyDraft): string =>
  `+ ${content.slug}  create (${content.type}, ${status})`;

const updateText = ({ before, changes }: SurveyUpdate): string =>
  [`~ ${before.content.slug}  update`, ...changes.map((change) => `    ${changeText(change)}`)].join('\n');

const archivalText = ({ before }: SurveyUpdate): string =>
  `- ${before.content.slug}  archive (was ${before.status})`;

export function planText({ plan: { created, updated, unchanged, archived }, isReordered }: Planned): string {
  const lines = [...created.map(creationText), ...updated.map(updateText), ...archived.map(archivalText)];
  if (isReordered) lines.push('~ the order of surveys with the same priority');
  if (unchanged.length > 0) lines.push(`= ${unchanged.length} unchanged`);
  return lines.length === 0 ? 'There are no surveys in the file or the project.' : lines.join('\n');
}
