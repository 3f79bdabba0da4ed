/** Purges from the request to the start of the state machine that carries them out. */

import {
  addCounts,
  NO_COUNTS,
  type PurgeAttempt,
  type PurgeCounts,
  type PurgeScope,
} from '../domain/purge.ts';
import type { ErasureLog } from './erasure-log.ts';
import { inFlight } from './in-flight.ts';
import type { PurgeRecords } from './purge-records.ts';
import type { PurgeSettings } from './purge-settings.ts';
import type { PurgeStarter } from './purge-starter.ts';
import type { PurgeSweep } from './purge-sweep.ts';

export interface Purges {
  /**
   * Logs the erasure, opens the purge, starts its state machine and marks what is purged. Repeating it repairs what
   * was cut short; once the machine has started, nothing depends on the caller any more.
   * @param now milliseconds since the epoch
   * @returns the name of the execution
   */
  open(scope: PurgeScope, now: number): Promise<string>;
  /** The same for a purge that a restore cut short or took back: a new attempt, whatever the record says. */
  reopen(scope: PurgeScope, now: number): Promise<string>;
  /** Deletes what it can until `isOutOfTime`; the state machine sweeps again in any case. */
  sweepNow(scope: PurgeScope, isOutOfTime: () => boolean): Promise<PurgeCounts>;
}

interface PurgeParts {
  readonly log: ErasureLog;
  readonly records: PurgeRecords;
  readonly starter: PurgeStarter;
  readonly settings: PurgeSettings;
  readonly sweep: PurgeSweep;
}

const SHARDS_IN_FLIGHT = 4;

export function createPurges({ log, records, starter, settings, sweep }: PurgeParts): Purges {
  async function begin(
    scope: PurgeScope,
    now: number,
    attemptOf: () => Promise<PurgeAttempt>,
  ): Promise<string> {
    const { projectId, surveyId } = scope;
    await log.record(
      surveyId === undefined ? { mode: 'account', projectId } : { mode: 'survey', projectId, surveyId },
      now,
    );
    const execution = await starter.start(scope, await attemptOf());
    await settings.mark(scope, new Date(now).toISOString());
    return execution;
  }

  return {
    open: (scope, now) => begin(scope, now, () => records.request(scope, now)),

    reopen: (scope, now) =>
      begin(scope, now, async () => (await records.retry(scope, now)) ?? (await records.request(scope, now))),

    async sweepNow(scope, isOutOfTime) {
      const shards = Array.from({ length: sweep.shards }, (_, shard) => shard);
      const swept = await inFlight(shards, SHARDS_IN_FLIGHT, (shard) =>
        sweep.sweepShard(scope, shard, isOutOfTime),
      );
      const deleted = swept.map((shard) => shard.deleted).reduce(addCounts, NO_COUNTS);
      await records.add(scope, deleted);
      return deleted;
    },
  };
}
