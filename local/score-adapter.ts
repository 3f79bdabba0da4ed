import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { ConfigurationError, readPushEntries } from '../functions/push/adapter-configuration.ts';
import type { PushContext } from '../functions/push/push-project.ts';
import { runScoreAdapter } from '../functions/push/run-score-adapter.ts';
import type { Service } from '../functions/runtime/compose.ts';
import type { ScoreWaker } from '../shared/data/aws/score-waker.ts';
import { SYSTEM_TIMERS } from '../shared/delivery/timing.ts';
import { MINUTE } from '../shared/domain/duration.ts';
import { LocalError } from './local-error.ts';

/** The same timeout as the deployed function's. */
const RUN_MS = 2 * MINUTE;

interface ScoreAdapterOptions {
  /** The file is read for each run, like the deployed secret. */
  readonly file: string;
  readonly service: Service;
  readonly everyMs?: number;
}

export type LocalScoreAdapter = ReturnType<typeof startScoreAdapter>;

/** @throws {LocalError} `push_scores_file` */
export async function checkConfiguration(file: string): Promise<void> {
  try {
    readPushEntries(await readFile(file, 'utf8'), Date.now);
  } catch (cause) {
    const why = cause instanceof ConfigurationError ? cause.message : 'it cannot be read';
    throw new LocalError('push_scores_file', `${file}: ${why}`, { cause });
  }
}

/** Runs immediately, then every minute, and whenever it is woken. */
export function startScoreAdapter(options: ScoreAdapterOptions) {
  const { file, service, everyMs = MINUTE } = options;
  const stopping = new AbortController();
  const context: PushContext = {
    service,
    readConfiguration: () => readFile(file, 'utf8'),
    runId: randomUUID,
    timers: SYSTEM_TIMERS,
    signal: stopping.signal,
  };
  const woken = new Set<Promise<unknown>>();

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      const begun = performance.now();
      await runScoreAdapter(context, RUN_MS).catch(() => undefined);
      const pause = Math.max(0, everyMs - (performance.now() - begun));
      await setTimeout(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = keepRunning();
  return {
    async wake(wake: Parameters<ScoreWaker['wake']>[0]) {
      if (stopping.signal.aborted) return;
      const run = runScoreAdapter(context, RUN_MS, wake)
        .catch(() => undefined)
        .finally(() => woken.delete(run));
      woken.add(run);
    },

    /** Ends current runs once they have acknowledged what they delivered. */
    async stop() {
      stopping.abort();
      await Promise.all([running, ...woken]);
    },
  };
}
