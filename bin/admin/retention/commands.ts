/** `retention sweep|status`: how far answers past their end have left the table. */

import type { Command } from 'commander';
import { expiryProgress } from '../../../functions/runtime/compose.ts';
import { formatCount } from '../../../pages/results/figures.ts';
import { completeFrom } from '../../../shared/domain/project.ts';
import { type Perform, type Report, requireProject } from '../command.ts';
import type { Session } from '../session.ts';
import { columns } from '../terminal.ts';
import { retentionText, retentionView } from './retention-view.ts';

interface SweepFlags {
  readonly project?: string;
}

async function sweep(session: Session, { project }: SweepFlags): Promise<Report> {
  if (project !== undefined) await session.record(project);
  const { purgeMachine, deployment, now } = session;
  const execution = await purgeMachine.sweep(now(), project === undefined ? undefined : [project]);
  session.show(`Started ${execution}.`);
  await purgeMachine.settle();
  // What runs in AWS is not waited for.
  const isDone = deployment.origin.kind === 'local';
  const look = '"retention status --project ID" says how far it is.';
  return { json: { execution, done: isDone }, text: isDone ? 'Done.' : look };
}

/** Of an answer of up to 1 KB (docs/operations.md, "Expired answers"); one more where the person had no summary. */
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
  const rows = surveys.map(({ slug, completeFrom: from }) => [slug, from ?? 'all']);
  const told =
    sweepView === undefined
      ? 'No sweep had anything to take yet.'
      : [
          sweepView.finishedAt === null
            ? `A sweep of ${sweepView.startedAt} goes on:`
            : `Last sweep: ${sweepView.startedAt} to ${sweepView.finishedAt}.`,
          `${formatCount(run?.expired ?? 0)} of ${formatCount(run?.rows ?? 0)} answers past their end have left the table,`,
          `${formatCount(run?.waiting ?? 0)} wait for their scores or links, ${formatCount(run?.failed ?? 0)} failed;`,
          `about ${formatCount(sweepView.writeUnits)} write units.`,
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
  const retention = program.command('retention').description('answers past their end');
  retention
    .command('sweep')
    .description('take them out of the table now, rather than in the night')
    .option('--project <id>', 'of this project alone')
    .action(perform<SweepFlags>(sweep));
  requireProject(
    retention.command('status').description('what is kept, and what the last sweep came to'),
  ).action(perform<{ readonly project: string }>(status));
}
