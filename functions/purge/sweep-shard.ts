import * as z from 'zod/mini';
import { SWEEP_TIME_MS } from '../../shared/domain/purge.ts';
import { clock, purgeRecords, purgeSweep } from '../runtime/compose.ts';
import { type PurgeStep, purgeScope, stepOnLambda } from '../runtime/purge-step.ts';

const shardInput = z.extend(purgeScope, { shard: z.int() });

/** Deletes rows of one shard for some minutes; `more` says that the shard goes on. */
export const sweepShard: PurgeStep = (service) => async (input) => {
  const { shard, ...scope } = shardInput.parse(input);
  const now = clock(service);
  const startedAt = now();
  const isOutOfTime = () => now() - startedAt >= SWEEP_TIME_MS;
  const { deleted, more } = await purgeSweep(service).sweepShard(scope, shard, isOutOfTime);
  await purgeRecords(service).add(scope, deleted);
  return { ...scope, shard, more };
};

export const handler = stepOnLambda(sweepShard);
