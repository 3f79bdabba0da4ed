import {
  createRunLease,
  type RunLease,
  type RunMemory,
  type RunNote,
} from '../../shared/data/scores/run-lease.ts';
import { scorePushJob } from '../../shared/data/table/schema.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import { log, table } from '../runtime/compose.ts';
import { withdrawals } from '../runtime/parts/scores.ts';
import { type PushEntry, readPushEntries } from './adapter-configuration.ts';
import { idleLine, meteredBy, runLine } from './adapter-log.ts';
import { type PushContext, pushProject } from './push-project.ts';
import { reportUnconfigured, withdrawErased } from './withdraw-erased.ts';

const SPARE_MS = 10 * SECOND;
/** The index may not show an expected score yet. */
const LOOK_AGAIN_MS = [SECOND, 3 * SECOND] as const;

/** For this long after the last run to a destination, withdrawals are still sent there. */
const REMEMBERED_MS = 36 * DAY;

export type Wake = Readonly<Record<string, number>>;

interface ProjectRun {
  readonly entry: PushEntry;
  readonly expected: number;
  readonly hasWithdrawals: boolean;
  readonly stopAt: number;
  readonly until: number;
}

const noteOf = ({ destination }: PushEntry, now: number): RunNote => ({
  deletes: destination.deletes,
  ttl: Math.ceil((now + REMEMBERED_MS) / SECOND),
});

const isOver = ({ timers, signal }: PushContext, { stopAt }: ProjectRun): boolean =>
  timers.now() >= stopAt || signal?.aborted === true;

async function pushAndLook(
  context: PushContext,
  run: ProjectRun,
  expected: number,
  memory: RunMemory,
): Promise<RunMemory> {
  const { entry, stopAt } = run;
  let { memory: next, polled: seen } = await pushProject(context, entry, memory, stopAt);
  for (const pause of LOOK_AGAIN_MS) {
    if (seen >= expected) return next;
    await context.timers.sleep(pause, context.signal);
    if (isOver(context, run)) return next;
    const looked = await pushProject(context, entry, next, stopAt);
    next = looked.memory;
    seen += looked.polled;
  }
  return next;
}

async function withdrawFirst(context: PushContext, run: ProjectRun, memory: RunMemory): Promise<RunMemory> {
  let { withdrawn } = memory;
  if (run.hasWithdrawals) {
    // A large erasure must not hold up scores.
    const half = (context.timers.now() + run.stopAt) / 2;
    withdrawn = await withdrawErased(context, run.entry, half, withdrawn);
  }
  return withdrawn === undefined ? {} : { withdrawn };
}

async function pushAsHolder(
  context: PushContext,
  run: ProjectRun,
  memory: RunMemory,
  giveBack: (memory: RunMemory) => ReturnType<RunLease['release']>,
): Promise<void> {
  const withdrawn = await withdrawFirst(context, run, memory);
  let pushed = await pushAndLook(context, run, run.expected, memory);
  while (await giveBack({ ...pushed, ...withdrawn })) pushed = await pushAndLook(context, run, 1, pushed);
}

async function pushUnderLease(context: PushContext, run: ProjectRun): Promise<boolean> {
  const { service, timers } = context;
  const { projectId } = run.entry;
  const lease = createRunLease(table(service), scorePushJob(projectId));
  const holder = context.runId();
  try {
    const now = timers.now();
    const memory = await lease.acquire(holder, now, run.until, noteOf(run.entry, now));
    if (memory === undefined) {
      log(service).info({ message: 'scores: another run is in progress', projectId });
      return false;
    }
    await pushAsHolder(context, run, memory, (next) => lease.release(holder, next, !isOver(context, run)));
  } catch (error) {
    const line = { ...meteredBy(service), projectId, now: timers.now() };
    log(service).error(runLine({ ...line, error }));
  }
  return true;
}

function chooseRuns(
  entries: readonly PushEntry[],
  wake: Wake | undefined,
  waiting: ReadonlySet<string>,
  until: number,
): ProjectRun[] {
  const due = wake === undefined ? entries : entries.filter(({ projectId }) => wake[projectId] !== undefined);
  return due.map((entry) => ({
    entry,
    expected: wake?.[entry.projectId] ?? 0,
    hasWithdrawals: waiting.has(entry.projectId),
    stopAt: until - SPARE_MS,
    until,
  }));
}

const unconfigured = (entries: readonly PushEntry[], waiting: ReadonlySet<string>): string[] =>
  [...waiting].filter((id) => !entries.some(({ projectId }) => projectId === id));

export async function runScoreAdapter(
  context: PushContext,
  remainingMs: number,
  wake?: Wake,
): Promise<boolean> {
  const { service, timers } = context;
  const until = timers.now() + remainingMs;
  const isScheduled = wake === undefined;
  try {
    const entries = readPushEntries(await context.readConfiguration(!isScheduled), timers.now);
    if (isScheduled && entries.length === 0) {
      log(service).info(idleLine(meteredBy(service), timers.now()));
    }
    const waiting = new Set(isScheduled ? await withdrawals(service).projects() : []);
    const runs = chooseRuns(entries, wake, waiting, until);
    const [ran] = await Promise.all([
      Promise.all(runs.map((run) => pushUnderLease(context, run))),
      Promise.all(unconfigured(entries, waiting).map((id) => reportUnconfigured(context, id))),
    ]);
    return ran.length === 0 || ran.includes(true);
  } catch (error) {
    log(service).error(runLine({ ...meteredBy(service), error, now: timers.now() }));
    throw error;
  }
}
