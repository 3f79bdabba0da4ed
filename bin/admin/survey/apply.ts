import { isDeepStrictEqual } from 'node:util';
import { erasureLog } from '../../../functions/runtime/parts/privacy.ts';
import { surveys } from '../../../functions/runtime/parts/projects.ts';
import type { ProjectRecord } from '../../../shared/data/projects/project-record.ts';
import { SURVEYS_AT_ONCE } from '../../../shared/data/projects/survey-store.ts';
import { canonicalText } from '../../../shared/domain/canonical-text.ts';
import { composeSurveyId, SURVEY_ID_RANDOM_BYTES } from '../../../shared/domain/ids.ts';
import { type Survey, surveyWithSlug } from '../../../shared/domain/surveys/survey.ts';
import {
  applyUpdate,
  asWritten,
  changedSurveys,
  type FieldChange,
  keepsEnd,
  newSurvey,
  planSurveys,
  type SurveyDraft,
  type SurveyPlan,
  type SurveyUpdate,
  unseenByFile,
} from '../../../shared/domain/surveys/survey-plan.ts';
import {
  brokenRules,
  isReordering,
  orderWith,
  type Served,
  unfitTexts,
  unservable,
} from '../../../shared/domain/surveys/survey-rules.ts';
import { failure, misuse } from '../admin-error.ts';
import type { Report } from '../command.ts';
import {
  listExpiring,
  needsAgreement,
  type RetentionAgreement,
  showExpiring,
} from '../retention-commands.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal.ts';
import { readSurveyFile, type SurveyFile } from './read-survey-file.ts';

interface ApplyFlags extends RetentionAgreement {
  readonly project: string;
  readonly file: string;
  readonly prune?: boolean;
  readonly overwrite?: boolean;
  /** Set in pipelines. The command then asks for confirmation only before answers are deleted. */
  readonly isUnattended?: boolean;
}

const MOST_LOST_RACES = 20;

const toSlug = ({ content }: Pick<SurveyDraft, 'content'>): string => content.slug;

function isWithin(left: SurveyPlan, agreed: SurveyPlan): boolean {
  const listActions = ({ created, updated, archived }: SurveyPlan) =>
    new Map<string, unknown>([
      ...created.map((draft) => [toSlug(draft), { created: draft }] as const),
      ...[...updated, ...archived].map((update) => [toSlug(update.before), { updated: update }] as const),
    ]);
  const agreedActions = listActions(agreed);
  return [...listActions(left)].every(([slug, action]) => isDeepStrictEqual(action, agreedActions.get(slug)));
}

async function agree(
  { terminal }: Session,
  { yes, isUnattended }: ApplyFlags,
  isExpiring: boolean,
): Promise<void> {
  if (yes || (isUnattended && !isExpiring)) return;
  if (isExpiring && (isUnattended || !terminal.isInteractive)) throw needsAgreement();
  if (!terminal.isInteractive)
    throw misuse('There is no terminal to ask on. To apply without asking, use --yes.');
  if (!(await terminal.confirm('Apply?'))) throw failure('Nothing was changed.');
}

/** Logs the periods for `erasures replay`, because an earlier run may have been interrupted. */
async function noteRetentions(session: Session, projectId: string, wanted: readonly SurveyDraft[]) {
  const slugs = new Set(wanted.map(toSlug));
  const { surveys: stored } = await session.record(projectId);
  for (const { id: surveyId, content, retention } of stored) {
    if (retention === undefined || !slugs.has(content.slug)) continue;
    await erasureLog(session.service).recordRetention({ projectId, surveyId, retention }, session.now());
  }
}

function listExpiringBy(session: Session, { plan, record }: Planned, { now }: ApplyFlags) {
  const surveys = new Map(
    plan.updated.map((update) => {
      const { id, retention } = applyUpdate(update, session.now(), { isAtOnce: now === true });
      return [id, retention];
    }),
  );
  return listExpiring(session, record, { surveys });
}

export async function applySurveys(session: Session, flags: ApplyFlags): Promise<Report> {
  const file = readSurveyFile(flags.file);
  const wanted = file.surveys;
  const first = await planApply(session, file, flags);
  const changes = first.plan.created.length + first.plan.updated.length + first.plan.archived.length;
  const warnings = [...file.warnings, ...keptEnds(first, wanted)];
  session.show([...warnings.map((line) => printable(`Warning: ${line}`)), planText(first)].join('\n'));
  const expiring = await listExpiringBy(session, first, flags);
  showExpiring(session, expiring);
  if (changes > 0 || first.isReordered) await agree(session, flags, expiring.length > 0);
  const done = await carryOut(session, file, flags, first);
  await noteRetentions(session, flags.project, wanted);

  const touched = new Set([...done.created, ...done.updated]);
  const unchanged = wanted.map(toSlug).filter((slug) => !touched.has(slug));
  const { created, updated, archived } = done;
  return {
    json: { created, updated, unchanged, archived },
    text: `${created.length} created, ${updated.length} updated, ${unchanged.length} unchanged, ${archived.length} archived.`,
  };
}

const keptEnds = ({ record }: Planned, wanted: readonly SurveyDraft[]): string[] =>
  wanted.flatMap((draft) => {
    const before = surveyWithSlug(record.surveys, toSlug(draft));
    if (before === undefined || !keepsEnd(before, draft)) return [];
    return `${toSlug(draft)} still ends at ${before.endsAt}, because an earlier release stored its end. To include that day, write endsAt: ${draft.endsAt}`;
  });

/** Each batch is planned against the current state. */
async function carryOut(session: Session, file: SurveyFile, flags: ApplyFlags, first: Planned) {
  const wanted = file.surveys;
  const done: Record<'created' | 'updated' | 'archived', string[]> = {
    created: [],
    updated: [],
    archived: [],
  };
  let { plan, record, isReordered } = first;
  for (let lostRaces = 0; ; ) {
    const drafts = plan.created.slice(0, SURVEYS_AT_ONCE);
    const updates = [...plan.updated, ...plan.archived].slice(0, SURVEYS_AT_ONCE - drafts.length);
    if (drafts.length + updates.length === 0 && !isReordered) return done;
    const now = session.now();
    const created = drafts.map((draft) =>
      newSurvey(composeSurveyId(session.random(SURVEY_ID_RANDOM_BYTES)), draft, now),
    );
    const updated = updates.map((update) => applyUpdate(update, now, { isAtOnce: flags.now === true }));
    const changes = { created, updated, order: orderWith(record, wanted, created) };
    const noted = {
      note: { source: 'apply', by: 'operator', at: new Date(now).toISOString() } as const,
      surveys: changedSurveys({ created: drafts, updated: updates, archived: [] }),
      isReordered,
    };
    if (await surveys(session.service).write(flags.project, changes, record.surveysVersion, noted)) {
      done.created.push(...created.map(toSlug));
      for (const update of updates) {
        const list = plan.archived.includes(update) ? done.archived : done.updated;
        list.push(toSlug(update.after));
      }
    } else if (++lostRaces > MOST_LOST_RACES) {
      throw failure('Someone else keeps changing the surveys. Some changes may be applied. Run this again.');
    }
    ({ plan, record, isReordered } = await planApply(session, file, flags));
    if (!isWithin(plan, first.plan)) {
      throw failure(
        'Someone else changed the surveys meanwhile. Some changes may be applied. Run this again.',
      );
    }
  }
}

interface Planned {
  readonly plan: SurveyPlan;
  readonly record: ProjectRecord;
  readonly isReordered: boolean;
}

/** Refuses a file that would undo console changes which it does not include. */
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

/** @param surveys the stored ones, whose texts may stay as they are */
export function assertFit({ surveys: wanted, locate }: SurveyFile, surveys: readonly Survey[]): void {
  const unfit = wanted.flatMap((draft, index) =>
    unfitTexts(draft, surveyWithSlug(surveys, toSlug(draft))).map(({ path, message }) =>
      locate(['surveys', index, ...path], message),
    ),
  );
  if (unfit.length > 0) throw misuse(...unfit);
}

async function planApply(
  session: Session,
  file: SurveyFile,
  { project, prune = false, overwrite = false }: ApplyFlags,
): Promise<Planned> {
  const record = await session.record(project);
  const { surveys } = record;
  const { surveys: wanted, pulled } = file;
  assertFit(file, surveys);
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

/** Refuses more surveys than fit into one bootstrap reply. */
export function assertServable(surveys: readonly Served[]): void {
  const unfit = unservable(surveys);
  if (unfit !== undefined) throw misuse(unfit);
}

const MOST_VALUE_CHARACTERS = 60;

function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'string' ? value : canonicalText(value);
}

function cut(text: string, start: number): string {
  const end = start + MOST_VALUE_CHARACTERS;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`;
}

/** Long values begin shortly before their first difference. */
const changeText = (change: FieldChange): string => {
  const { field, before, after } = asWritten(change);
  const [old, fresh] = [valueText(before), valueText(after)];
  const same = [...old].findIndex((character, at) => character !== fresh[at]);
  const start = Math.max(0, (same < 0 ? old.length : same) - MOST_VALUE_CHARACTERS / 3);
  const from = old.length > MOST_VALUE_CHARACTERS || fresh.length > MOST_VALUE_CHARACTERS ? start : 0;
  return printable(`${field}: ${cut(old, from)} → ${cut(fresh, from)}`);
};

const creationText = ({ content, status, startsAt, endsAt }: SurveyDraft): string =>
  [
    `+ ${content.slug}  create (${content.type}, ${status})`,
    ...(startsAt === undefined ? [] : [`    startsAt: ${startsAt}`]),
    ...(endsAt === undefined ? [] : [`    endsAt: ${endsAt}`]),
  ].join('\n');

const updateText = ({ before, changes }: SurveyUpdate): string =>
  [`~ ${before.content.slug}  update`, ...changes.map((change) => `    ${changeText(change)}`)].join('\n');

const archivalText = ({ before }: SurveyUpdate): string =>
  `- ${before.content.slug}  archive (was ${before.status})`;

function planText({ plan: { created, updated, unchanged, archived }, isReordered }: Planned): string {
  const lines = [...created.map(creationText), ...updated.map(updateText), ...archived.map(archivalText)];
  if (isReordered) lines.push('~ the order of surveys with the same priority');
  if (unchanged.length > 0) lines.push(`= ${unchanged.length} unchanged`);
  return lines.length === 0 ? 'There are no surveys in the file or the project.' : lines.join('\n');
}
