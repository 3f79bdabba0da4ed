/** One look at a project's scores: what is pending to its destination, and a line that says what became of it. */

import { pushScores } from '../../sdk/server/push-scores.ts';
import { SYSTEM_TIMERS, type Timers } from '../../sdk/server/transport/timers.ts';
import type { RunMemory } from '../../shared/data/scores/run-lease.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { longestWait } from '../../shared/domain/scoring.ts';
import { log } from '../runtime/compose.ts';
import { SCORE_PAGE } from '../scores/score-page.ts';
import type { PushEntry } from './adapter-configuration.ts';
import { runLine } from './adapter-log.ts';
import { metricsNamespaceOf, type PushContext } from './push-context.ts';
import { createTableClient, type ScoreClient } from './table-client.ts';

/** For one look at what is left, which costs a run nothing when it fails. */
const LOOK_MS = 2 * SECOND;

export interface PushedProject {
  /** Where the next run goes on. */
  readonly memory: RunMemory;
  readonly polled: number;
}

/**
 * Seconds since the score that has waited longest has waited; undefined when the service did not say. A revised score
 * waits anew and keeps its place, so the first is not always that one: a whole page is looked at.
 */
async function oldestPendingAge(client: ScoreClient, timers: Timers): Promise<number | undefined> {
  try {
    const { scores } = await client.pendingScores(
      { limit: SCORE_PAGE.most, includeWithdrawn: true },
      { deadlineMs: LOOK_MS },
    );
    const since = longestWait(scores);
    return since === undefined ? 0 : Math.max(0, (timers.now() - Date.parse(since)) / SECOND);
  } catch {
    return undefined;
  }
}

/** Never throws: what went wrong is in the line. @param stopAt milliseconds since the epoch */
export async function pushProject(
  { service, timers = SYSTEM_TIMERS, signal }: PushContext,
  { projectId, destination, ...settings }: PushEntry,
  memory: RunMemory,
  stopAt: number,
): Promise<PushedProject> {
  const line = { metricsNamespace: metricsNamespaceOf(service), projectId, destination: destination.name };
  const { cursor: from } = memory;
  try {
    const client = createTableClient(service, projectId);
    const options = { ...settings, client, destination, timers, stopAt, cursor: from };
    const report = await pushScores({ ...options, ...(signal !== undefined && { signal }) });
    const { cursor, halted, left, polled } = report;
    const isDone = from === undefined && cursor === undefined && halted === undefined && left === 0;
    const age = isDone ? 0 : await oldestPendingAge(client, timers);
    const oldest = age === undefined ? {} : { oldestPendingSeconds: age };
    log(service)[halted === undefined ? 'info' : 'error'](
      runLine({ ...line, ...oldest, report, now: timers.now() }),
    );
    return { memory: cursor === undefined ? {} : { cursor }, polled };
  } catch (error) {
    log(service).error(runLine({ ...line, error, now: timers.now() }));
    return { memory, polled: 0 };
  }
}
