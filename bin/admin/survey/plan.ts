/** What `survey apply` is about to do: planned against the table, checked, and shown before the operator agrees. */

import type { ProjectRecord } from '../../../shared/data/projects/project-record.ts';
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
import { misuse } from '../admin-error.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal.ts';

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
  const broken = brokenRules(surveys, plan, session.now());
  if (broken.length > 0) {
    throw misuse(
      ...broken.map(({ slug, message }) => (slug === undefined ? message : `${slug}: ${message}`)),
    );
  }
  return { plan, record, isReordered: isReordering(record, wanted) };
}

/** Refuses surveys that bootstrap could not send in one reply. */
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

/** The plan as operators read it. */
export function planText({ plan: { created, updated, unchanged, archived }, isReordered }: Planned): string {
  const lines = [...created.map(creationText), ...updated.map(updateText), ...archived.map(archivalText)];
  if (isReordered) lines.push('~ the order in which surveys of one priority are asked');
  if (unchanged.length > 0) lines.push(`= ${unchanged.length} unchanged`);
  return lines.length === 0 ? 'The file and the project have no surveys.' : lines.join('\n');
}
