import * as z from 'zod/mini';
import type { Swept } from '../../shared/data/privacy/purge-sweep.ts';
import { NO_COUNTS, SWEEP_TIME_MS } from '../../shared/domain/purge.ts';
import { clock, erasures, purgeRecords, purgeSweep, type Service } from '../runtime/compose.ts';
import { type PurgeStep, purgeScope, stepOnLambda } from '../runtime/purge-step.ts';

const shardInput = z.extend(purgeScope, { shard: z.int() });

async function sweepPerson(
  service: Service,
  target: { readonly projectId: string; readonly respondentHash: string },
  isOutOfTime: () => boolean,
): Promise<Swept> {
  // Which times a longer quiet period needs, the settings would tell: the latest is kept in any case.
  const quietPeriod = { longestQuietPeriodMs: Number.POSITIVE_INFINITY };
  const erased = await erasures(service).eraseByHash(
    { ...target, ...quietPeriod, isOutOfTime },
    clock(service)(),
  );
  if (erased === undefined) return { deleted: NO_COUNTS, withdrawals: 0, more: false };
  const { responsesDeleted: responses, dismissalsDeleted: dismissals, withdrawals, more } = erased;
  return { deleted: { responses, dismissals, others: 0 }, withdrawals, more };
}

/** Deletes rows of one shard, or of one person, for some minutes; `more` says that it goes on. */
export const sweepShard: PurgeStep = (service) => async (input) => {
  const { shard, ...scope } = shardInput.parse(input);
  const now = clock(service);
  const startedAt = now();
  const isOutOfTime = () => now() - startedAt >= SWEEP_TIME_MS;
  const { projectId, respondentHash } = scope;
  const { deleted, withdrawals, more } =
    respondentHash === undefined
      ? await purgeSweep(service).sweepShard(scope, shard, isOutOfTime)
      : await sweepPerson(service, { projectId, respondentHash }, isOutOfTime);
  await purgeRecords(service).add(scope, deleted, withdrawals);
  return { ...scope, shard, more };
};

export const handler = stepOnLambda(sweepShard);
