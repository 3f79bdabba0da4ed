import type { Command } from 'commander';
import { erasureLog, expiryProgress } from '../../functions/runtime/parts/privacy.ts';
import { projects } from '../../functions/runtime/parts/projects.ts';
import { results } from '../../functions/runtime/parts/results.ts';
import { formatCount, writeDay } from '../../pages/results/figures.ts';
import type { ProjectRecord } from '../../shared/data/projects/project-record.ts';
import { addDays } from '../../shared/domain/days.ts';
import { completeFrom } from '../../shared/domain/project.ts';
import { FIRST_GENERATIONS } from '../../shared/domain/results/generation.ts';
import { sumResults } from '../../shared/domain/results/results.ts';
import {
  changeRetention,
  completeFromOf,
  isShorterPeriod,
  nextPeriod,
  periodAt,
  type Retention,
  type RetentionPeriod,
} from '../../shared/domain/retention.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { type AdminError, failure, misuse } from './admin-error.ts';
import { type Perform, projectCommand, type Report } from './command.ts';
import { noProject, type Session } from './session.ts';
import { columns, timeText } from './terminal.ts';

export function retentionView(retention: Retention | undefined, now: number) {
  const next = nextPeriod(retention, now);
  return { period: periodAt(retention, now), next: next === undefined ? null : next };
}

export function retentionText(retention: Retention | undefined, now: number): string {
  const { period, next } = retentionView(retention, now);
  const current = period ?? 'none';
  return next === null ? current : `${current}, then ${next.period ?? 'none'} from ${timeText(next.from)}`;
}

/** The periods of surveys are by survey id. Periods that are absent do not change. */
interface RetentionPlan {
  readonly project?: Retention | undefined;
  readonly surveys?: ReadonlyMap<string, Retention | undefined>;
}

interface Expiring {
  readonly slug: string;
  /** A day. Answers before it expire. */
  readonly before: string;
  /** The time at which they expire. */
  readonly from: string;
  readonly responses: number;
  readonly dismissals: number;
}

const FIRST_DAY = '1970-01-01';

/** Counts answers that exist until the change takes effect and expire because of it. */
async function expiringOf(
  session: Session,
  { project, totals }: ProjectRecord,
  survey: Survey,
  plan: RetentionPlan,
): Promise<Expiring | undefined> {
  const ofSurvey = plan.surveys?.has(survey.id) ? plan.surveys.get(survey.id) : survey.retention;
  const [before, after] = [
    [project.retention, survey.retention],
    [plan.project ?? project.retention, ofSurvey],
  ];
  const now = session.now();
  const starts = after.flatMap((each) => nextPeriod(each, now)?.from ?? []).sort();
  const from = starts.at(-1);
  if (from === undefined) return undefined;
  const [kept, left] = [before, after].map((each) => completeFromOf(each, Date.parse(from)));
  if (kept === undefined || left === undefined || left <= kept) return undefined;
  const span = { from: kept === '' ? FIRST_DAY : kept, to: addDays(left, -1) };
  const { shown: generation } = totals.generations?.get(survey.id) ?? FIRST_GENERATIONS;
  const where = { projectId: project.id, surveyId: survey.id, generation };
  const days = await results(session.service).days({ ...where, ...span });
  const { responses, modelRequested, dismissals } = sumResults(survey.content.type, days, span, 'month');
  return {
    slug: survey.content.slug,
    before: left,
    from,
    responses: responses + modelRequested,
    dismissals,
  };
}

export async function listExpiring(
  session: Session,
  record: ProjectRecord,
  plan: RetentionPlan,
): Promise<Expiring[]> {
  const found: Expiring[] = [];
  for (const survey of record.surveys) {
    const expiring = await expiringOf(session, record, survey, plan);
    if (expiring !== undefined) found.push(expiring);
  }
  return found.sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

function expiringText(expiring: readonly Expiring[], { terminal }: Session): string {
  const rows = expiring.map(({ slug, responses, dismissals, before, from }) => [
    slug,
    String(responses),
    String(dismissals),
    writeDay(before),
    timeText(from),
  ]);
  return [
    'These answers will be permanently deleted. The numbers of their days are kept:',
    columns(['SURVEY', 'RESPONSES', 'DISMISSALS', 'OF DAYS BEFORE', 'DELETED FROM'], rows, terminal),
  ].join('\n');
}

export function showExpiring(session: Session, expiring: readonly Expiring[]): void {
  if (expiring.length > 0) session.show(expiringText(expiring, session));
}

export interface RetentionAgreement {
  readonly yes?: boolean;
  /** Skips the two days of notice. */
  readonly now?: boolean;
}

export const NOW_FLAG = [
  '--now',
  'apply a shorter retention immediately, without the two days in which you can revert it',
] as const;

export const withAgreement = (command: Command): Command =>
  command.option('--yes', 'do not ask before a shorter retention deletes answers').option(...NOW_FLAG);

/** Logs the period for `erasures replay`. */
async function note(session: Session, projectId: string): Promise<void> {
  const { retention } = (await session.record(projectId)).project;
  if (retention === undefined) return;
  await erasureLog(session.service).recordRetention({ projectId, retention }, session.now());
}

export const needsAgreement = (): AdminError =>
  misuse(
    'A shorter retention permanently deletes answers, and there is no terminal to ask on. Confirm with --yes.',
  );

async function agree({ terminal }: Session): Promise<void> {
  if (!terminal.isInteractive) throw needsAgreement();
  if (!(await terminal.confirm('Change the retention?'))) throw failure('Nothing was changed.');
}

/** @throws AdminError if the operator declines or someone else changed the period */
export async function changeProjectRetention(
  session: Session,
  projectId: string,
  period: RetentionPeriod,
  { yes, now: isAtOnce = false }: RetentionAgreement,
): Promise<void> {
  const record = await session.record(projectId);
  const { retention: before } = record.project;
  const change = () => changeRetention(before, { period, now: session.now(), isAtOnce });
  // An earlier run may have been interrupted.
  if (change() === before) return note(session, projectId);
  if (isShorterPeriod(period, periodAt(before, session.now()))) {
    showExpiring(session, await listExpiring(session, record, { project: change() }));
    if (!yes) await agree(session);
  }
  // The waiting period starts when the operator agrees.
  const retention = change();
  if (retention === undefined) return;
  const outcome = await projects(session.service).setRetention(projectId, retention, before);
  if (outcome === 'gone') throw noProject(projectId);
  if (outcome === 'changed') throw failure('Someone else changed the retention. Run this again.');
  await note(session, projectId);
  const next = nextPeriod(retention, session.now());
  if (next === undefined) return;
  const current = periodAt(retention, session.now()) ?? 'none';
  session.terminal.note(
    `From ${timeText(next.from)} on, answers are kept ${next.period === null ? 'forever' : `for ${next.period}`}. Until then, "project update ${projectId} --retention ${current}" reverts the change.`,
  );
}

async function sweep(session: Session, { project }: { readonly project?: string }): Promise<Report> {
  if (project !== undefined) await session.record(project);
  const { purgeMachine, deployment, now } = session;
  const execution = await purgeMachine.sweep(now(), project === undefined ? undefined : [project]);
  session.show(`Started ${execution}.`);
  await purgeMachine.settle();
  const isDone = deployment.origin.kind === 'local';
  const look = 'The sweep runs in AWS. To see its progress, run "retention status --project ID".';
  return { json: { execution, done: isDone }, text: isDone ? 'Done.' : look };
}

/** For an answer of up to 1 KB. An open contact request needs one unit more (docs/operations.md, "Expired answers"). */
const UNITS_A_ROW = 3;

async function status(session: Session, flags: { readonly project: string }): Promise<Report> {
  const settings = await session.settings(flags.project);
  const now = session.now();
  const { current, last } = await expiryProgress(session.service).read(flags.project);
  const surveys = [...settings.surveys.values()].map((survey) => ({
    slug: survey.content.slug,
    retention: retentionView(survey.retention, now),
    completeFrom: completeFrom(settings, survey.id, now) || null,
  }));
  const run = current ?? last;
  const counts = run && { rows: run.rows, expired: run.expired, waiting: run.waiting, failed: run.failed };
  const sweepView = run && {
    startedAt: run.startedAt,
    finishedAt: current === undefined ? (last?.finishedAt ?? null) : null,
    ...counts,
    writeUnits: run.expired * UNITS_A_ROW,
  };
  const rows = surveys.map(({ slug, completeFrom: from }) => [slug, from === null ? 'all' : writeDay(from)]);
  const told =
    sweepView === undefined
      ? 'No sweep has deleted anything yet.'
      : [
          sweepView.finishedAt === null
            ? `A sweep is running since ${timeText(sweepView.startedAt)}:`
            : `Last sweep: ${timeText(sweepView.startedAt)} to ${timeText(sweepView.finishedAt)}.`,
          `${formatCount(run?.expired ?? 0)} of ${formatCount(run?.rows ?? 0)} expired answers were deleted,`,
          `${formatCount(run?.waiting ?? 0)} wait for their scores or links, ${formatCount(run?.failed ?? 0)} failed.`,
          `This used about ${formatCount(sweepView.writeUnits)} write units.`,
        ].join(' ');
  return {
    json: {
      projectId: flags.project,
      retention: retentionView(settings.project.retention, now),
      surveys,
      sweep: sweepView ?? null,
    },
    text: [
      `Retention: ${retentionText(settings.project.retention, now)}`,
      columns(['SURVEY', 'ANSWERS KEPT FROM'], rows, session.terminal),
      told,
    ].join('\n'),
  };
}

export function addRetentionCommands(program: Command, perform: Perform): void {
  const retention = program.command('retention').description('expired answers');
  retention
    .command('sweep')
    .description('delete expired answers now instead of at night')
    .option('--project <id>', 'only this project')
    .action(perform(sweep));
  projectCommand(retention, 'status', 'show what is kept, and the outcome of the last sweep').action(
    perform(status),
  );
}
