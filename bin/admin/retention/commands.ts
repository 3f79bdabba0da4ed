import type { Command } from 'commander';
import { expiryProgress } from '../../../functions/runtime/parts/privacy.ts';
import { formatCount, writeDay } from '../../../pages/results/figures.ts';
import { completeFrom } from '../../../shared/domain/project.ts';
import { type Perform, type Report, requireProject } from '../command.ts';
import type { Session } from '../session.ts';
import { columns, timeText } from '../terminal.ts';
import { retentionText, retentionView } from './change-retention.ts';

interface SweepFlags {
  readonly project?: string;
}

async function sweep(session: Session, { project }: SweepFlags): Promise<Report> {
  if (project !== undefined) await session.record(project);
  const { purgeMachine, deployment, now } = session;
  const execution = await purgeMachine.sweep(now(), project === undefined ? undefined : [project]);
  session.show(`Started ${execution}.`);
  await purgeMachine.settle();
  const isDone = deployment.origin.kind === 'local';
  const look = 'The sweep runs in AWS. To see its progress, run "retention status --project ID".';
  return { json: { execution, done: isDone }, text: isDone ? 'Done.' : look };
}

/** For an answer of 1 KB (docs/operations.md, "Expired answers"), plus one if there is no summary. */
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
  requireProject(
    retention.command('status').description('show what is kept, and the outcome of the last sweep'),
  ).action(perform(status));
}
