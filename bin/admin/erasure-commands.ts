/** `erasures replay`: what was erased stays erased, also after a restore from before. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { createErasureStore } from '../../shared/data/erasure.ts';
import { createErasureLog, type ErasedScope, type ErasureLog } from '../../shared/data/erasure-log.ts';
import { createIndexReader } from '../../shared/data/index-reader.ts';
import { createPurgeRecords, type PurgeRecords } from '../../shared/data/purge-records.ts';
import { createPurgeSettings } from '../../shared/data/purge-settings.ts';
import { createPurgeSweep } from '../../shared/data/purge-sweep.ts';
import { createPurges } from '../../shared/data/purges.ts';
import { MINUTE } from '../../shared/domain/duration.ts';
import { longestQuietPeriodMs } from '../../shared/domain/erasure.ts';
import { parseMoment } from '../../shared/domain/import-row.ts';
import type { PurgeScope } from '../../shared/domain/purge.ts';
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

/** A request that was logged before the moment may have deleted after it: none takes so long. */
const REQUEST_MS = MINUTE;

type RespondentScope = Omit<Extract<ErasedScope, { mode: 'respondent' }>, 'mode'>;

/** What has to be repeated: each respondent, survey and project once. */
interface Erased {
  readonly respondents: readonly RespondentScope[];
  readonly purges: readonly PurgeScope[];
}

/** What the log has since the moment, and the purges that the restored table shows under way at it. */
async function findErased(
  log: ErasureLog,
  records: PurgeRecords,
  since: number,
  now: number,
): Promise<Erased> {
  const respondents = new Map<string, RespondentScope>();
  const purges = new Map<string, PurgeScope>();
  const addPurge = ({ projectId, surveyId }: PurgeScope) =>
    purges.set(`${projectId}#${surveyId ?? ''}`, { projectId, ...(surveyId !== undefined && { surveyId }) });
  for (const unfinished of await records.unfinished()) addPurge(unfinished);
  for await (const { scope } of log.since(since - REQUEST_MS, now)) {
    const { projectId } = scope;
    if (scope.mode !== 'respondent') addPurge(scope);
    else
      respondents.set(`${projectId}#${scope.respondentHash}`, {
        projectId,
        respondentHash: scope.respondentHash,
      });
  }
  return { respondents: [...respondents.values()], purges: [...purges.values()] };
}

async function replay(session: Session, { since }: ReplayFlags): Promise<Report> {
  const { deployment, projects, now } = session;
  const { client, tableName, shards, erasureLogTableName } = deployment;
  const log = createErasureLog(client, erasureLogTableName);
  const records = createPurgeRecords(client, tableName);
  const erasures = createErasureStore(client, { tableName, shards }, log);
  const machine = openPurgeMachine(session);
  const purges = createPurges({
    log,
    records,
    settings: createPurgeSettings(client, tableName),
    sweep: createPurgeSweep(client, { tableName, shards }, createIndexReader(client, tableName)),
    starter: machine,
  });
  async function erase({ projectId, respondentHash }: RespondentScope): Promise<number> {
    const record = await projects.read(projectId);
    // A project that the restored table does not have, or no more, must not get rows.
    if (record === undefined) return 0;
    const surveys = new Map(record.surveys.map((survey) => [survey.id, survey]));
    const quietPeriodMs = longestQuietPeriodMs({ project: record.project, surveys });
    const target = { projectId, respondentHash, longestQuietPeriodMs: quietPeriodMs, isKnown: true };
    const erased = await erasures.eraseRespondent(target, now());
    return (erased?.responsesDeleted ?? 0) + (erased?.dismissalsDeleted ?? 0);
  }

  const erased = await findErased(log, records, since, now());
  let answersDeleted = 0;
  for (const respondent of erased.respondents) answersDeleted += await erase(respondent);
  for (const scope of erased.purges) session.show(`Started ${await purges.reopen(scope, now())}.`);
  await machine.settle();
  const respondents = erased.respondents.length;
  const surveys = erased.purges.filter(({ surveyId }) => surveyId !== undefined).length;
  const accounts = erased.purges.length - surveys;
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
