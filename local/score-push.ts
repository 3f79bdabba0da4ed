/** The score adapter of a local run: the same runs as deployed, on their schedule, configured by a file. */

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { ConfigurationError, readPushJobs } from '../functions/push/adapter-configuration.ts';
import { runScoreAdapter, type ScoreAdapter } from '../functions/push/score-adapter.ts';
import type { Logger } from '../functions/runtime/logger.ts';
import { createRunLease } from '../shared/data/scores/run-lease.ts';
import type { Table } from '../shared/data/table/table.ts';
import { MINUTE } from '../shared/domain/duration.ts';
import { LocalError } from './local-error.ts';

/** As long as the deployed function may run. */
const RUN_MS = 2 * MINUTE;

interface ScorePushOptions {
  /** JSON, as the deployed adapter's secret; read anew each run. */
  readonly file: string;
  /** Where the service is. */
  readonly url: string;
  readonly table: Table;
  readonly log: Logger;
  /** Milliseconds from the beginning of one run to the next; a minute by default. */
  readonly everyMs?: number;
}

export interface ScorePush {
  /** Ends the run under way, acknowledging what it has delivered, and begins no other. */
  stop(): Promise<void>;
}

/** @throws {LocalError} `push_scores_file` when the file cannot be read or is not a configuration */
export async function checkPushFile(file: string): Promise<void> {
  try {
    readPushJobs(await readFile(file, 'utf8'), Date.now);
  } catch (cause) {
    const why = cause instanceof ConfigurationError ? cause.message : 'it cannot be read';
    throw new LocalError('push_scores_file', `${file}: ${why}`, { cause });
  }
}

/** Runs at once, then every minute. */
export function startScorePush(options: ScorePushOptions): ScorePush {
  const { file, url, table, log, everyMs = MINUTE } = options;
  const stopping = new AbortController();
  const adapter: ScoreAdapter = {
    readConfiguration: () => readFile(file, 'utf8'),
    baseUrl: url,
    metricsNamespace: 'canvass-local',
    lease: createRunLease(table, 'push-scores'),
    runId: randomUUID,
    log,
    signal: stopping.signal,
  };

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      const begun = performance.now();
      // What went wrong is in the log; the next run may fare better.
      await runScoreAdapter(adapter, RUN_MS).catch(() => undefined);
      const pause = Math.max(0, everyMs - (performance.now() - begun));
      await setTimeout(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = keepRunning();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
