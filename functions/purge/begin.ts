import { erasedScope } from '../../shared/data/privacy/erasure-log.ts';
import { type CreatePurgeStep, purgeScope, stepOnLambda } from '../runtime/purge-step.ts';

/** Logs the erasure and marks what is purged, whatever became of the request, and tells the shards to sweep. */
export const begin: CreatePurgeStep =
  ({ erasureLog, records, settings, sweep, clock }) =>
  async (input) => {
    const scope = purgeScope.parse(input);
    const now = clock();
    await erasureLog.record(erasedScope(scope), now);
    await settings.mark(scope, new Date(now).toISOString());
    await records.begin(scope, now);
    return { ...scope, shards: Array.from({ length: sweep.shards }, (_, shard) => ({ ...scope, shard })) };
  };

export const handler = stepOnLambda(begin);
