/** One scheduled run: every configured project's scores to its destination, by one runner at a time. */

import { createCanvassClient } from '../../sdk/server/canvass-client.ts';
import { pushScores } from '../../sdk/server/push-scores.ts';
import { SYSTEM_TIMERS, type Timers } from '../../sdk/server/timers.ts';
import type { RunLease, RunMemory } from '../../shared/data/scores/run-lease.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { Logger } from '../runtime/logger.ts';
import { type PushJob, readPushJobs } from './adapter-configuration.ts';
import { idleLine, runLine } from './adapter-log.ts';

/** What a run leaves of its time to acknowledge, to log and to give the lease back. */
const SPARE_MS = 10 * SECOND;
/** For one look at what is left, which costs a run nothing when it fails. */
const LOOK_MS = 2 * SECOND;

export interface ScoreAdapter {
  /** JSON, as `readPushJobs` takes it; read anew each run. */
  readonly readConfiguration: () => Promise<string>;
  /** Where the service is. */
  readonly baseUrl: string;
  /** The CloudWatch namespace of the deployment's metrics. */
  readonly metricsNamespace: string;
  readonly lease: RunLease;
  /** Fresh per run. */
  readonly runId: () => string;
  readonly log: Logger;
  readonly timers?: Timers;
  /** Ends runs early. */
  readonly signal?: AbortSignal;
}

/** Pushes one project's scores and tells what became of them; returns where its next run goes on. */
async function push(
  adapter: ScoreAdapter,
  { serviceKey, projectId, destination, ...settings }: PushJob,
  run: { readonly cursor: string | undefined; readonly stopAt: number },
): Promise<string | undefined> {
  const { timers = SYSTEM_TIMERS, baseUrl, log, metricsNamespace, signal } = adapter;
  const line = { metricsNamespace, projectId, destination: destination.name };
  try {
    const client = createCanvassClient({ baseUrl, secretKey: serviceKey, timers });
    const report = await pushScores({
      ...settings,
      client,
      destination,
      timers,
      ...run,
      ...(signal !== undefined && { signal }),
    });
    const { cursor, halted, left } = report;
    const isDone = run.cursor === undefined && cursor === undefined && halted === undefined && left === 0;
    const age = isDone ? 0 : await oldestPendingAge(client, timers);
    const oldest = age === undefined ? {} : { oldestPendingSeconds: age };
    log[halted === undefined ? 'info' : 'error'](runLine({ ...line, ...oldest, report, now: timers.now() }));
    return cursor;
  } catch (error) {
    log.error(runLine({ ...line, error, now: timers.now() }));
    return run.cursor;
  }
}

/** Seconds since the oldest answer whose score is still pending; undefined when the service did not say. */
async function oldestPendingAge(
  client: ReturnType<typeof createCanvassClient>,
  timers: Timers,
): Promise<number | undefined> {
  try {
    const { scores } = await client.pendingScores({ limit: 1 }, { deadlineMs: LOOK_MS });
    const [oldest] = scores;
    return oldest === undefined ? 0 : Math.max(0, (timers.now() - Date.parse(oldest.at)) / SECOND);
  } catch {
    return undefined;
  }
}

async function runAll(adapter: ScoreAdapter, stopAt: number, memory: RunMemory): Promise<RunMemory> {
  const { timers = SYSTEM_TIMERS, log, metricsNamespace } = adapter;
  const jobs = readPushJobs(await adapter.readConfiguration(), timers.now);
  if (jobs.length === 0) log.info(idleLine(metricsNamespace, timers.now()));
  const cursors = await Promise.all(
    jobs.map((job) => push(adapter, job, { cursor: memory[job.projectId], stopAt })),
  );
  return Object.fromEntries(
    jobs.flatMap(({ projectId }, index) => {
      const cursor = cursors[index];
      return cursor === undefined ? [] : [[projectId, cursor] as const];
    }),
  );
}

/**
 * @param remainingMs how long the runner may live; a run stops with 10 s to spare
 * @returns whether it ran: not when another does
 * @throws ConfigurationError, or what reading configuration and lease throws
 */
export async function runScoreAdapter(adapter: ScoreAdapter, remainingMs: number): Promise<boolean> {
  const { timers = SYSTEM_TIMERS, lease, log, metricsNamespace } = adapter;
  const now = timers.now();
  const holder = adapter.runId();
  try {
    const memory = await lease.acquire(holder, now, now + remainingMs);
    if (memory === undefined) {
      log.info({ message: 'scores: another run is under way' });
      return false;
    }
    let next = memory;
    try {
      next = await runAll(adapter, now + remainingMs - SPARE_MS, memory);
    } finally {
      await lease.release(holder, next);
    }
    return true;
  } catch (error) {
    log.error(runLine({ metricsNamespace, error, now: timers.now() }));
    throw error;
  }
}
