import type { Command } from 'commander';
import { purgeRecords } from '../../functions/runtime/parts/privacy.ts';
import { projects } from '../../functions/runtime/parts/projects.ts';
import {
  executionName,
  modeOfPurge,
  type PurgeRecord,
  type PurgeScope,
  purgeScopeOf,
} from '../../shared/domain/purge.ts';
import { failure } from './admin-error.ts';
import { type Perform, type Report, requireProject } from './command.ts';
import type { Session } from './session.ts';
import { columns, timeText } from './terminal.ts';

interface PurgeFlags {
  readonly project: string;
  readonly survey?: string;
}

/** False if its state machine never started. */
export async function hasBegun(
  { service }: Session,
  { projectId, surveyId, respondentHash, state }: PurgeScope & Pick<PurgeRecord, 'state'>,
): Promise<boolean> {
  if (state !== 'requested' || respondentHash !== undefined) return true;
  const record = await projects(service).read(projectId);
  if (record === undefined) return true;
  return surveyId !== undefined && !record.surveys.some(({ id }) => id === surveyId);
}

function view({ startedAt, finishedAt, surveyId, respondentHash, ...record }: PurgeRecord) {
  return {
    ...record,
    surveyId: surveyId ?? null,
    ...(respondentHash !== undefined && { respondentHash }),
    startedAt: startedAt ?? null,
    finishedAt: finishedAt ?? null,
  };
}

function chosen(all: readonly PurgeRecord[], { project, survey }: PurgeFlags): readonly PurgeRecord[] {
  const own = all.filter((record) => modeOfPurge(record) === 'account');
  const found =
    survey === undefined ? (own.length > 0 ? own : all) : all.filter(({ surveyId }) => surveyId === survey);
  if (found.length > 0) return found;
  const what =
    survey === undefined ? `project ${project} or its surveys` : `survey ${survey} in project ${project}`;
  throw failure(`No purge of ${what} was started.`);
}

async function findRetried(session: Session, flags: PurgeFlags): Promise<readonly PurgeRecord[]> {
  const all = await purgeRecords(session.service).list(flags.project);
  const begun: PurgeRecord[] = [];
  for (const record of all) {
    if (flags.survey !== undefined || (await hasBegun(session, record))) begun.push(record);
  }
  return chosen(begun, flags);
}

function report(records: readonly PurgeRecord[], session: Session): Report {
  const rows = records.map(
    ({ surveyId, respondentHash, state, attempt, rounds, deleted, requestedAt, finishedAt }) => [
      respondentHash === undefined ? (surveyId ?? 'the project') : `person ${respondentHash.slice(0, 16)}`,
      state,
      String(attempt),
      String(rounds),
      `${deleted.responses} + ${deleted.dismissals} + ${deleted.others}`,
      timeText(requestedAt),
      timeText(finishedAt),
    ],
  );
  const headings = [
    'WHAT',
    'STATE',
    'ATTEMPT',
    'ROUNDS',
    'RESPONSES + DISMISSALS + OTHERS',
    'REQUESTED',
    'FINISHED',
  ];
  const views = records.map(view);
  return { json: views.length === 1 ? views[0] : views, text: columns(headings, rows, session.terminal) };
}

async function retry(session: Session, flags: PurgeFlags): Promise<Report> {
  const { service, purgeMachine: machine } = session;
  const wanted = await findRetried(session, flags);
  for (const record of wanted) {
    const scope = purgeScopeOf(record);
    const attempt = await purgeRecords(service).retry(scope, session.now());
    if (attempt === undefined) continue;
    await machine.start(scope, attempt);
    session.show(`Started ${executionName(scope, attempt)}.`);
  }
  await machine.settle();
  const nameOf = ({ surveyId, respondentHash }: PurgeScope) => respondentHash ?? surveyId;
  const names = wanted.map(nameOf);
  const after = (await purgeRecords(service).list(flags.project)).filter((record) =>
    names.includes(nameOf(record)),
  );
  return report(after, session);
}

export function addPurgeCommands(program: Command, perform: Perform): void {
  const purge = program.command('purge').description('progress of project and survey purges');
  const inProject = (name: string, description: string): Command =>
    requireProject(purge.command(name).description(description)).option(
      '--survey <id>',
      'ID of the survey whose purge is meant',
    );

  inProject('status', 'show the progress or the outcome of a purge').action(
    perform<PurgeFlags>(async (session, flags) =>
      report(chosen(await purgeRecords(session.service).list(flags.project), flags), session),
    ),
  );
  inProject('retry', 'restart a purge').action(perform(retry));
}
