/**
 * A run of the score adapter, the part of a deployment or of a local run that pushes scores: of each configured project
 * it pushes what waits to its destination, unless another run has that project.
 */

import {
  createRunLease,
  type RunLease,
  type RunMemory,
  type RunNote,
} from '../../shared/data/scores/run-lease.ts';
import { scorePushJob } from '../../shared/data/table/schema.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import { log, table, withdrawals } from '../runtime/compose.ts';
import { type PushEntry, readPushEntries } from './adapter-configuration.ts';
import { idleLine, meteredBy, runLine } from './adapter-log.ts';
import { type PushContext, pushProject } from './push-project.ts';
import { reportUnconfigured, withdrawErased } from './withdraw-erased.ts';

/** What a run leaves of its time to acknowledge, to log and to give the lease back. */
const SPARE_MS = 10 * SECOND;
/** When a run that was woken looks again for a score that the index does not show yet. */
const LOOK_AGAIN_MS = [SECOND, 3 * SECOND] as const;

/** How long after its last run a project's erasures still travel to where its scores went. */
const REMEMBERED_MS = 36 * DAY;

/** New scores by project: what a run was woken for. */
export type Wake = Readonly<Record<string, number>>;

/** The run of one project. */
interface ProjectRun {
  readonly entry: PushEntry;
  /** Scores that it was woken for. */
  readonly expected: number;
  /** Whether scores of the project wait to be deleted where they were delivered. */
  readonly hasWithdrawals: boolean;
  /** Milliseconds since the epoch. */
  readonly stopAt: number;
  readonly until: number;
}

/** What erasing reads of a project's pusher. */
const noteOf = ({ destination }: PushEntry, now: number): RunNote => ({
  deletes: destination.deletes,
  ttl: Math.ceil((now + REMEMBERED_MS) / SECOND),
});

const isOver = ({ timers, signal }: PushContext, { stopAt }: ProjectRun): boolean =>
  timers.now() >= stopAt || signal?.aborted === true;

/** Pushes until it has seen as many scores as are expected, or has looked often enough. */
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

/** Takes back what was erased, if anything was. @returns what the next run must know of that */
async function withdrawFirst(context: PushContext, run: ProjectRun, memory: RunMemory): Promise<RunMemory> {
  let { withdrawn } = memory;
  if (run.hasWithdrawals) {
    // At most half of the time, so that scores are not held up by a large erasure.
    const half = (context.timers.now() + run.stopAt) / 2;
    withdrawn = await withdrawErased(context, run.entry, half, withdrawn);
  }
  return withdrawn === undefined ? {} : { withdrawn };
}

/** What is done under the lease, until it is given back: once, and again where another run wanted it meanwhile. */
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

/** The run of one project, under its lease. @returns whether it ran: not when another run has the project */
async function pushUnderLease(context: PushContext, run: ProjectRun): Promise<boolean> {
  const { service, timers } = context;
  const { projectId } = run.entry;
  const lease = createRunLease(table(service), scorePushJob(projectId));
  const holder = context.runId();
  try {
    const now = timers.now();
    const memory = await lease.acquire(holder, now, run.until, noteOf(run.entry, now));
    if (memory === undefined) {
      log(service).info({ message: 'scores: another run is under way', projectId });
      return false;
    }
    await pushAsHolder(context, run, memory, (next) => lease.release(holder, next, !isOver(context, run)));
  } catch (error) {
    const line = { ...meteredBy(service), projectId, now: timers.now() };
    log(service).error(runLine({ ...line, error }));
  }
  return true;
}

/** The projects to run: those that the run was woken for, or all. */
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

/** Projects whose withdrawals wait, and that have no entry. */
const unconfigured = (entries: readonly PushEntry[], waiting: ReadonlySet<string>): string[] =>
  [...waiting].filter((id) => !entries.some(({ projectId }) => projectId === id));

/**
 * @param remainingMs how long the runner may live; a run stops with 10 s to spare
 * @param wake the projects to run for; absent: all of them
 * @returns whether it ran: not when others do
 * @throws ConfigurationError, or what reading the configuration throws
 */
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
