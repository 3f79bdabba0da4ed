import { type CreatePurgeStep, purgeScope, stepOnLambda } from './purge-step.ts';

/** Marks what is purged, whatever became of the request that asked for it, and tells the shards to sweep. */
export const begin: CreatePurgeStep =
  ({ records, settings, sweep, clock }) =>
  async (input) => {
    const scope = purgeScope.parse(input);
    const now = clock();
    await settings.mark(scope, new Date(now).toISOString());
    await records.begin(scope, now);
    return { ...scope, shards: Array.from({ length: sweep.shards }, (_, shard) => ({ ...scope, shard })) };
  };

export const handler = stepOnLambda(begin);
