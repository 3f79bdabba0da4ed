/** `purge status|retry`. */

import type { Command } from 'commander';
import { createPurgeRecords, type PurgeRecords } from '../../shared/data/purge-records.ts';
import type { PurgeRecord } from '../../shared/domain/purge.ts';
import { failure } from './admin-error.ts';
import { openPurgeMachine } from './purge-machine.ts';
import { requireProject } from './require-option.ts';
import type { Perform, Report, Session } from './session.ts';
import { columns } from './terminal.ts';

interface PurgeFlags {
  readonly project: string;
  readonly survey?: string;
}

const recordsOf = ({ deployment: { client, tableName } }: Session): PurgeRecords =>
  createPurgeRecords(client, tableName);

function view({ startedAt, finishedAt, surveyId, ...record }: PurgeRecord) {
  return {
    ...record,
    surveyId: surveyId ?? null,
    startedAt: startedAt ?? null,
    finishedAt: finishedAt ?? null,
  };
}

/** The records that the flags speak of: the project's own, or else those of its surveys, or one of these. */
async function chosen(session: Session, { project, survey }: PurgeFlags): Promise<PurgeRecord[]> {
  const all = await recordsOf(session).list(project);
  const own = all.filter(({ surveyId }) => surveyId === undefined);
  const found =
    survey === undefined ? (own.length > 0 ? own : all) : all.filter(({ surveyId }) => surveyId === survey);
  if (found.length > 0) return found;
  throw failure(`No purge of ${survey ?? 'this project'} was ever asked for in project ${project}.`);
}

function report(records: readonly PurgeRecord[], session: Session): Report {
  const rows = records.map(({ surveyId, state, attempt, rounds, deleted, requestedAt, finishedAt }) => [
    surveyId ?? 'the project',
    state,
    String(attempt),
    String(rounds),
    `${deleted.responses} + ${deleted.dismissals} + ${deleted.others}`,
    requestedAt,
    finishedAt ?? '',
  ]);
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
  const records = recordsOf(session);
  const machine = openPurgeMachine(session);
  for (const { projectId, surveyId } of await chosen(session, flags)) {
    const scope = { projectId, ...(surveyId !== undefined && { surveyId }) };
    const attempt = await records.retry(scope, session.now());
    if (attempt !== undefined) session.show(`Started ${await machine.start(scope, attempt)}.`);
  }
  await machine.settle();
  return report(await chosen(session, flags), session);
}

export function addPurgeCommands(program: Command, perform: Perform): void {
  const purge = program.command('purge').description('purges of projects and surveys');
  const inProject = (name: string, description: string): Command =>
    requireProject(purge.command(name).description(description)).option(
      '--survey <id>',
      'the purge of this survey, by its id',
    );

  inProject('status', 'how far a purge is, or its record').action(
    perform<PurgeFlags>(async (session, flags) => report(await chosen(session, flags), session)),
  );
  inProject('retry', 'start a purge again, whatever became of it').action(perform<PurgeFlags>(retry));
}
