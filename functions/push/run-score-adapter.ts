/**
 * A run of the score adapter, the part of a deployment or of a local run that pushes scores: of each configured project
 * it pushes what waits to its destination, unless another run has that project.
 */

import { SYSTEM_TIMERS } from '../../sdk/server/transport/timers.ts';
import { createRunLease, type RunMemory, type RunNote } from '../../shared/data/scores/run-lease.ts';
import { scorePushJob } from '../../shared/data/table/schema.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import { log, table, withdrawals } from '../runtime/compose.ts';
import { type PushEntry, readPushEntries } from './adapter-configuration.ts';
import { idleLine, runLine } from './adapter-log.ts';
import { metricsNamespaceOf, type PushContext } from './push-context.ts';
import { pushProject } from './push-project.ts';
import { reportUnconfigured, withdrawErased } from './withdraw-erased.ts';

/** What a run leaves of its time to acknowledge, to log and to give the lease back. */
const SPARE_MS = 10 * SECOND;
/** When a run that was woken looks again for a score that the index does not show yet. */
const LOOK_AGAIN_MS = [SECOND, 3 * SECOND] as const;

/** How long after its last run a project's erasures still travel to where its scores went. */
const REMEMBERED_MS = 36 * DAY;

/** New scores by project: what a run was woken for. */
export type Wake = Readonly<Record<string, number>>;

interface Run {
  /** Scores that it was woken for. */
  readonly expected: number;
  /** Milliseconds since the epoch. */
  readonly stopAt: number;
  readonly until: number;
  /** Whether scores of the project wait to be deleted where they were delivered. */
  readonly hasWithdrawals: boolean;
}

/** What erasing reads of a project's pusher. */
const noteOf = ({ destination }: PushEntry, now: number): RunNote => ({
  deletes: destination.deletes,
  ttl: Math.ceil((now + REMEMBERED_MS) / SECOND),
});

const isOver = ({ timers = SYSTEM_TIMERS, signal }: PushContext, { stopAt }: Run): boolean =>
  timers.now() >= stopAt || signal?.aborted === true;

/** Pushes until it has seen as many scores as it was woken for, or has looked often enough. */
async function pushAndLook(
  context: PushContext,
  entry: PushEntry,
  memory: RunMemory,
  run: Run,
): Promise<RunMemory> {
  const { timers = SYSTEM_TIMERS, signal } = context;
  let { memory: next, polled: seen } = await pushProject(context, entry, memory, run.stopAt);
  for (const pause of LOOK_AGAIN_MS) {
    if (seen >= run.expected) return next;
    await timers.sleep(pause, signal);
    if (isOver(context, run)) return next;
    const looked = await pushProject(context, entry, next, run.stopAt);
    next = looked.memory;
    seen += looked.polled;
  }
  return next;
}

/** One entry of the configuration, under the lease of its project. @returns whether it ran: not when another run has it */
async function pushUnderLease(context: PushContext, entry: PushEntry, run: Run): Promise<boolean> {
  const { service, timers = SYSTEM_TIMERS } = context;
  const { projectId } = entry;
  const lease = createRunLease(table(service), scorePushJob(projectId));
  const holder = context.runId();
  try {
    const now = timers.now();
    let memory = await lease.acquire(holder, now, run.until, noteOf(entry, now));
    if (memory === undefined) {
      log(service).info({ message: 'scores: another run is under way', projectId });
      return false;
    }
    // At most half of the time, so that scores are not held up by a large erasure.
    const half = (now + run.stopAt) / 2;
    let { withdrawn } = memory;
    if (run.hasWithdrawals) withdrawn = await withdrawErased(context, entry, half, withdrawn);
    for (let { expected } = run; ; expected = 1) {
      memory = await pushAndLook(context, entry, memory, { ...run, expected });
      const next = { ...memory, ...(withdrawn !== undefined && { withdrawn }) };
      if (!(await lease.release(holder, next, !isOver(context, run)))) return true;
    }
  } catch (error) {
    const line = { metricsNamespace: metricsNamespaceOf(service), projectId, now: timers.now() };
    log(service).error(runLine({ ...line, error }));
    return true;
  }
}

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
  const { service, timers = SYSTEM_TIMERS } = context;
  const metricsNamespace = metricsNamespaceOf(service);
  const now = timers.now();
  try {
    const entries = readPushEntries(await context.readConfiguration(wake !== undefined), timers.now);
    const due =
      wake === undefined ? entries : entries.filter(({ projectId }) => wake[projectId] !== undefined);
    if (entries.length === 0 && wake === undefined) {
      log(service).info(idleLine(metricsNamespace, timers.now()));
    }
    const waiting = new Set(wake === undefined ? await withdrawals(service).projects() : []);
    const unconfigured = [...waiting].filter((id) => !entries.some(({ projectId }) => projectId === id));
    const [until, stopAt] = [now + remainingMs, now + remainingMs - SPARE_MS];
    const reported = Promise.all(unconfigured.map((projectId) => reportUnconfigured(context, projectId)));
    const ran = await Promise.all(
      due.map(({ projectId, ...entry }) => {
        const run = { expected: wake?.[projectId] ?? 0, stopAt, until };
        return pushUnderLease(
          context,
          { projectId, ...entry },
          { ...run, hasWithdrawals: waiting.has(projectId) },
        );
      }),
    );
    await reported;
    return ran.length === 0 || ran.includes(true);
  } catch (error) {
    log(service).error(runLine({ metricsNamespace, error, now: timers.now() }));
    throw error;
  }
}
