import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Service } from '../../functions/runtime/compose.ts';
import { erasureLog, erasures, purgeRecords, purges } from '../../functions/runtime/parts/privacy.ts';
import { projects, surveys } from '../../functions/runtime/parts/projects.ts';
import { switchTimeToLiveOn } from '../../shared/data/aws/operator-access.ts';
import type { ChangedRetention, ErasedScope } from '../../shared/data/privacy/erasure-log.ts';
import { TABLE } from '../../shared/data/table/schema.ts';
import { longestQuietPeriodMs } from '../../shared/domain/answers/erasure.ts';
import { MINUTE } from '../../shared/domain/duration.ts';
import { parseTime } from '../../shared/domain/import/import-row.ts';
import {
  executionName,
  modeOfPurge,
  type PurgeRecord,
  type PurgeScope,
  purgeScopeOf,
} from '../../shared/domain/purge.ts';
import { RETENTION_SETTLES_MS } from '../../shared/domain/retention.ts';
import { failure, misuse } from './admin-error.ts';
import { type Perform, projectCommand, type Report, requireOptions } from './command.ts';
import type { Session } from './session.ts';
import { columns, timeText } from './terminal.ts';

const MOST_LOST_RACES = 20;

async function attempt(service: Service, change: ChangedRetention): Promise<'done' | 'changed' | 'gone'> {
  const { projectId, surveyId, retention } = change;
  const record = await projects(service).read(projectId);
  if (record === undefined) return 'gone';
  if (surveyId === undefined) {
    return projects(service).setRetention(projectId, retention, record.project.retention);
  }
  const survey = record.surveys.find(({ id }) => id === surveyId);
  if (survey === undefined) return 'gone';
  const changes = { created: [], updated: [{ ...survey, retention }] };
  return (await surveys(service).write(projectId, changes, record.surveysVersion)) ? 'done' : 'changed';
}

async function set({ service }: Session, change: ChangedRetention): Promise<boolean> {
  for (let lostRaces = 0; lostRaces < MOST_LOST_RACES; lostRaces++) {
    const outcome = await attempt(service, change);
    if (outcome !== 'changed') return outcome === 'done';
  }
  throw failure(`Someone else keeps changing project ${change.projectId}. Run this again.`);
}

/**
 * Waits until all functions have read the retention periods. Otherwise erasing an expired answer would change the
 * results of its day.
 */
async function replayRetentions(session: Session, since: number): Promise<number> {
  let count = 0;
  for (const change of await erasureLog(session.service).retentionsSince(since, session.now())) {
    if (await set(session, change)) count += 1;
  }
  if (count > 0) await session.sleep(RETENTION_SETTLES_MS, new AbortController().signal);
  return count;
}

function parseSince(text: string): number {
  const since = parseTime(text);
  if (Number.isNaN(since)) throw new InvalidArgumentError('Write a time such as 2026-11-20T09:30:00Z.');
  return since;
}

/** A request may delete answers for this long after it was logged. */
const REQUEST_MS = MINUTE;

type RespondentScope = Extract<ErasedScope, { mode: 'respondent' }>;

/**
 * Returns each erasure that was logged since then, and purges that are unfinished in the restored table. A project's
 * purge includes the purges of its surveys.
 */
async function findErased(session: Session, since: number) {
  const { service, now } = session;
  const respondents = new Map<string, RespondentScope>();
  const purges = new Map<string, PurgeScope>();
  const nameScope = (projectId: string, part = '') => `${projectId}#${part}`;
  const add = (scope: PurgeScope) =>
    purges.set(nameScope(scope.projectId, scope.respondentHash ?? scope.surveyId), purgeScopeOf(scope));
  for (const unfinished of await purgeRecords(service).unfinished()) {
    if (await hasBegun(session, unfinished)) add(unfinished);
  }
  for await (const { scope } of erasureLog(service).since(since - REQUEST_MS, now())) {
    if (scope.mode === 'respondent') {
      respondents.set(nameScope(scope.projectId, scope.respondentHash), scope);
      continue;
    }
    const { projectId, surveyId }: PurgeScope = scope;
    const known = (await purgeRecords(service).list(projectId)).find(
      (record) => record.respondentHash === undefined && record.surveyId === surveyId,
    );
    if (known?.state !== 'done' || Date.parse(known.finishedAt ?? '') > since) add(scope);
  }
  const wanted = [...purges.values()].filter(
    (scope) => modeOfPurge(scope) === 'account' || !purges.has(nameScope(scope.projectId)),
  );
  return { respondents: [...respondents.values()], purges: wanted };
}

const COUNTED_AS = { respondent: 'respondents', survey: 'surveys', account: 'accounts' } as const;

async function replay(session: Session, { since }: { readonly since: number }): Promise<Report> {
  const { service, deployment, purgeMachine, now } = session;
  if (since > now()) throw misuse('--since is in the future.');
  const counts = { respondents: 0, surveys: 0, accounts: 0, answersDeleted: 0 };
  await switchTimeToLiveOn(deployment.client, deployment.tableName, TABLE.timeToLive);
  const retentions = await replayRetentions(session, since - REQUEST_MS);

  const erased = await findErased(session, since);
  for (const { projectId, respondentHash } of erased.respondents) {
    const record = await projects(service).read(projectId);
    // Nothing may be written for a project that the restored table does not have.
    if (record === undefined) continue;
    const surveys = new Map(record.surveys.map((survey) => [survey.id, survey]));
    const quietPeriodMs = longestQuietPeriodMs({ project: record.project, surveys });
    const target = { projectId, respondentHash, longestQuietPeriodMs: quietPeriodMs, isKnown: true };
    const deleted = await erasures(service).eraseByHash(target, now());
    counts.respondents += 1;
    counts.answersDeleted += (deleted?.responsesDeleted ?? 0) + (deleted?.dismissalsDeleted ?? 0);
  }
  for (const scope of erased.purges) {
    const mode = modeOfPurge(scope);
    if (mode !== 'account' && (await projects(service).read(scope.projectId)) === undefined) continue;
    session.show(`Started ${await purges(service).reopen(scope, now())}.`);
    counts[COUNTED_AS[mode]] += 1;
  }
  await purgeMachine.settle();
  const { respondents, surveys, accounts, answersDeleted } = counts;
  return {
    json: { ...counts, retentions, timeToLive: 'on' },
    text: `Repeated: respondents ${respondents} (answers deleted: ${answersDeleted}), surveys ${surveys}, accounts ${accounts}, retentions ${retentions}. Time to live is on.`,
  };
}

export function addErasureCommands(program: Command, perform: Perform): void {
  const erasures = program.command('erasures').description('erasures and restores');
  requireOptions(
    erasures.command('replay').description('repeat erasures and retention changes after a restore'),
    new Option('--since <time>', 'the point in time that the table was restored to').argParser(parseSince),
  ).action(perform(replay));
}

interface PurgeFlags {
  readonly project: string;
  readonly survey?: string;
}

/** False for a purge whose state machine never started. */
async function hasBegun(
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
    projectCommand(purge, name, description).option('--survey <id>', 'ID of the survey whose purge is meant');

  inProject('status', 'show the progress or the outcome of a purge').action(
    perform<PurgeFlags>(async (session, flags) =>
      report(chosen(await purgeRecords(session.service).list(flags.project), flags), session),
    ),
  );
  inProject('retry', 'restart a purge').action(perform(retry));
}
