/** `erasures replay`: what was erased stays erased, also after a restore from before. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { createErasureStore } from '../../shared/data/erasure.ts';
import { createErasureLog, type ErasedScope } from '../../shared/data/erasure-log.ts';
import { createIndexReader } from '../../shared/data/index-reader.ts';
import { createPurgeRecords } from '../../shared/data/purge-records.ts';
import { createPurgeSettings } from '../../shared/data/purge-settings.ts';
import { createPurgeSweep } from '../../shared/data/purge-sweep.ts';
import { createPurges } from '../../shared/data/purges.ts';
import { CAP_WINDOW_MS } from '../../shared/domain/eligibility.ts';
import { longestQuietPeriodMs } from '../../shared/domain/erasure.ts';
import { parseMoment } from '../../shared/domain/import-row.ts';
import { openPurgeMachine } from './purge-machine.ts';
import { requireOption } from './require-option.ts';
import type { Perform, Report, Session } from './session.ts';

interface ReplayFlags {
  readonly since: number;
}

function parseSince(text: string): number {
  const moment = parseMoment(text);
  if (Number.isNaN(moment)) throw new InvalidArgumentError('Write a time as 2026-11-20T09:30:00Z.');
  return moment;
}

const keyOf = (scope: ErasedScope): string => JSON.stringify(scope);

async function replay(session: Session, { since }: ReplayFlags): Promise<Report> {
  const { deployment, projects, now } = session;
  const { client, tableName, shards, erasureLogTableName } = deployment;
  const log = createErasureLog(client, erasureLogTableName);
  const erasures = createErasureStore(client, { tableName, shards }, log);
  const machine = openPurgeMachine(session);
  const purges = createPurges({
    log,
    records: createPurgeRecords(client, tableName),
    settings: createPurgeSettings(client, tableName),
    sweep: createPurgeSweep(client, { tableName, shards }, createIndexReader(client, tableName)),
    starter: machine,
  });
  async function quietPeriodOf(projectId: string): Promise<number> {
    const record = await projects.read(projectId);
    if (record === undefined) return CAP_WINDOW_MS;
    const surveys = new Map(record.surveys.map((survey) => [survey.id, survey]));
    return longestQuietPeriodMs({ project: record.project, surveys });
  }

  const scopes = new Map<string, ErasedScope>();
  for await (const { scope } of log.since(since, now())) scopes.set(keyOf(scope), scope);
  const counts = { respondent: 0, survey: 0, account: 0, answersDeleted: 0 };
  for (const scope of scopes.values()) {
    counts[scope.mode] += 1;
    if (scope.mode === 'respondent') {
      const { projectId, respondentHash } = scope;
      const target = { projectId, respondentHash, longestQuietPeriodMs: await quietPeriodOf(projectId) };
      const erased = await erasures.eraseRespondent(target, now());
      counts.answersDeleted += (erased?.responsesDeleted ?? 0) + (erased?.dismissalsDeleted ?? 0);
    } else {
      const { projectId } = scope;
      const purged = { projectId, ...(scope.mode === 'survey' && { surveyId: scope.surveyId }) };
      session.show(`Started ${await purges.open(purged, now())}.`);
    }
  }
  await machine.settle();
  const { respondent: respondents, survey: surveys, account: accounts, answersDeleted } = counts;
  return {
    json: { respondents, surveys, accounts, answersDeleted },
    text: `Repeated: ${respondents} respondents (${answersDeleted} answers deleted), ${surveys} surveys, ${accounts} accounts.`,
  };
}

export function addErasureCommands(program: Command, perform: Perform): void {
  const erasures = program.command('erasures').description('the log of erasures');
  requireOption(
    erasures.command('replay').description('repeat the erasures since a time, after a restore from before'),
    new Option('--since <time>', 'the moment the table was restored to').argParser(parseSince),
  ).action(perform<ReplayFlags>(replay));
}
