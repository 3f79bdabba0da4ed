import type { RunMemory } from '../../shared/data/scores/run-lease.ts';
import { withDeadline } from '../../shared/data/table/deadline.ts';
import { pushScores } from '../../shared/delivery/push-scores.ts';
import type { ScoreService, ServiceCall } from '../../shared/delivery/score-service.ts';
import type { Timers } from '../../shared/delivery/timing.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { longestWait } from '../../shared/domain/scoring.ts';
import { log, type Service } from '../runtime/compose.ts';
import { scores } from '../runtime/parts/scores.ts';
import { projectSettings } from '../runtime/settings-cache.ts';
import type { PushEntry } from './adapter-configuration.ts';
import { meteredBy, runLine } from './adapter-log.ts';
import { readScorePage, SCORE_PAGE } from './score-page.ts';

export interface PushContext {
  readonly service: Service;
  readonly readConfiguration: (mayBeKept: boolean) => Promise<string>;
  readonly runId: () => string;
  readonly timers: Timers;
  readonly signal?: AbortSignal;
}

/** The role of the function grants access to the table, so no project key is copied. */
function serviceOnTable(service: Service, projectId: string): ScoreService {
  const within = <T>({ deadlineMs = Number.POSITIVE_INFINITY }: ServiceCall, work: () => Promise<T>) =>
    withDeadline(deadlineMs, work);
  return {
    pendingScores: (query = {}, call = {}) =>
      within(call, async () => {
        const settings = await projectSettings(service).load(projectId);
        if (settings === undefined) return { scores: [] };
        const page = await readScorePage(service, settings, query);
        if (page !== undefined) return page;
        const { cursor: _, ...fromBeginning } = query;
        return (await readScorePage(service, settings, fromBeginning)) ?? { scores: [] };
      }),

    ackScores: (results, call = {}) =>
      within(call, async () => ({
        ok: true,
        updated: await scores(service).acknowledge(projectId, results),
      })),
  };
}

const LOOK_MS = 2 * SECOND;

export interface PushedProject {
  readonly memory: RunMemory;
  readonly polled: number;
}

/**
 * In seconds. A revised score starts to wait again but keeps its place in the list, so all scores of the page are
 * compared.
 */
async function oldestPendingAge(client: ScoreService, timers: Timers): Promise<number | undefined> {
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

export async function pushProject(
  { service, timers, signal }: PushContext,
  { projectId, destination, ...settings }: PushEntry,
  memory: RunMemory,
  stopAt: number,
): Promise<PushedProject> {
  const line = { ...meteredBy(service), projectId, destination: destination.name };
  const { cursor: from } = memory;
  try {
    const client = serviceOnTable(service, projectId);
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
