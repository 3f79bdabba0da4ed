import {
  addCounts,
  executionName,
  modeOfPurge,
  NO_COUNTS,
  type PurgeAttempt,
  type PurgeCounts,
  type PurgeScope,
} from '../../domain/purge.ts';
import type { PurgeStarter } from '../aws/purge-starter.ts';
import { inFlight } from '../table/retry.ts';
import { isUnavailable } from '../table/unavailable.ts';
import { type ErasureLog, erasedScope } from './erasure-log.ts';
import type { PurgeRecords } from './purge-records.ts';
import type { PurgeSweep } from './purge-sweep.ts';
import type { PurgedDefinitions } from './purged-definitions.ts';

export interface Purges {
  /**
   * Starts the state machine, then marks the scope and logs the erasure. The state machine repeats both, so nothing
   * depends on the caller once it has started. An execution that ended without closing the purge is followed by a new
   * attempt.
   * @returns the name of the execution
   * @throws if the state machine did not start
   */
  open(scope: PurgeScope, now: number): Promise<string>;
  /** A new attempt whatever the record's state, for a purge that a restore interrupted or undid. */
  reopen(scope: PurgeScope, now: number): Promise<string>;
  /** The state machine sweeps again in any case. */
  sweepNow(
    scope: PurgeScope,
    isOutOfTime: () => boolean,
  ): Promise<PurgeCounts & { readonly withdrawals: number }>;
}

interface PurgeParts {
  readonly log: ErasureLog;
  readonly records: PurgeRecords;
  readonly starter: PurgeStarter;
  readonly definitions: PurgedDefinitions;
  readonly sweep: PurgeSweep;
}

const SHARDS_IN_FLIGHT = 4;

/** The state machine repeats this work. */
async function unlessUnavailable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return undefined;
  }
}

export function createPurges({ log, records, starter, definitions, sweep }: PurgeParts): Purges {
  async function start(scope: PurgeScope, now: number, attempt: PurgeAttempt): Promise<string> {
    const execution = await starter.start(scope, attempt);
    if (execution !== undefined) return execution;
    const next = await records.retry(scope, now);
    if (next === undefined) throw new Error('the purge record was deleted while the purge started');
    return (await starter.start(scope, next)) ?? executionName(scope, next);
  }

  async function begin(
    scope: PurgeScope,
    now: number,
    attemptOf: () => Promise<PurgeAttempt>,
  ): Promise<string> {
    const execution = await start(scope, now, await attemptOf());
    if (modeOfPurge(scope) !== 'respondent') {
      await unlessUnavailable(definitions.mark(scope, new Date(now).toISOString()));
    }
    await unlessUnavailable(log.record(erasedScope(scope), now));
    return execution;
  }

  return {
    open: (scope, now) => begin(scope, now, () => records.request(scope, now)),

    reopen: (scope, now) =>
      begin(scope, now, async () => (await records.retry(scope, now)) ?? (await records.request(scope, now))),

    async sweepNow(scope, isOutOfTime) {
      const shards = Array.from({ length: sweep.shards }, (_, shard) => shard);
      const swept = await inFlight(shards, SHARDS_IN_FLIGHT, (shard) =>
        unlessUnavailable(sweep.sweepShard(scope, shard, isOutOfTime)),
      );
      const deleted = swept.map((shard) => shard?.deleted ?? NO_COUNTS).reduce(addCounts, NO_COUNTS);
      const withdrawals = swept.reduce((sum, shard) => sum + (shard?.withdrawals ?? 0), 0);
      await unlessUnavailable(records.add(scope, deleted, withdrawals));
      return { ...deleted, withdrawals };
    },
  };
}
