import * as z from 'zod/mini';
import { SWEEP_TIME_MS } from '../../shared/domain/purge.ts';
import { type CreatePurgeStep, purgeScope, stepOnLambda } from '../runtime/purge-step.ts';

const shardInput = z.extend(purgeScope, { shard: z.int() });

/** Deletes rows of one shard for some minutes; `more` says that the shard goes on. */
export const sweepShard: CreatePurgeStep =
  ({ records, sweep, clock }) =>
  async (input) => {
    const { shard, ...scope } = shardInput.parse(input);
    const startedAt = clock();
    const { deleted, more } = await sweep.sweepShard(
      scope,
      shard,
      () => clock() - startedAt >= SWEEP_TIME_MS,
    );
    await records.add(scope, deleted);
    return { ...scope, shard, more };
  };

export const handler = stepOnLambda(sweepShard);
