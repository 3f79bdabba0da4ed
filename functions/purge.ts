/** Steps of shared/purge/state-machine.ts, each with its own grants (decision 50). */

import * as z from 'zod/mini';
import { erasedScope } from '../shared/data/privacy/erasure-log.ts';
import type { Swept } from '../shared/data/privacy/purge-sweep.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { modeOfPurge, NO_COUNTS, SWEEP_TIME_MS } from '../shared/domain/purge.ts';
import type { PurgeStepName } from '../shared/purge/state-machine.ts';
import { expire } from './privacy/expire-answers.ts';
import { clock, compose, log, type Service } from './runtime/compose.ts';
import {
  erasureLog,
  erasures,
  purgedDefinitions,
  purgeRecords,
  purgeSweep,
} from './runtime/parts/privacy.ts';
import { readServiceConfig, underLambda } from './runtime/service-config.ts';

type PurgeStepHandler = (input: unknown) => Promise<object>;

export type PurgeStep = (service: Service) => PurgeStepHandler;

/** More and longer attempts outlast a throttled table. */
export const PATIENT_CLIENT = { maxAttempts: 10, requestTimeoutMs: 5 * SECOND } as const;

const purgeScope = z.object({
  projectId: z.string(),
  surveyId: z.exactOptional(z.string()),
  respondentHash: z.exactOptional(z.string()),
});

const begin: PurgeStep = (service) => async (input) => {
  const scope = purgeScope.parse(input);
  const now = clock(service)();
  await erasureLog(service).record(erasedScope(scope), now);
  await purgeRecords(service).begin(scope, now);
  // A person's answers are in one partition.
  if (modeOfPurge(scope) === 'respondent') return { ...scope, shards: [{ ...scope, shard: 0 }] };
  await purgedDefinitions(service).mark(scope, new Date(now).toISOString());
  const { shards } = service.config;
  return { ...scope, shards: Array.from({ length: shards }, (_, shard) => ({ ...scope, shard })) };
};

const shardInput = z.extend(purgeScope, { shard: z.int() });

async function sweepPerson(
  service: Service,
  target: { readonly projectId: string; readonly respondentHash: string },
  isOutOfTime: () => boolean,
): Promise<Swept> {
  const quietPeriod = { longestQuietPeriodMs: Number.POSITIVE_INFINITY };
  const erased = await erasures(service).eraseByHash(
    { ...target, ...quietPeriod, isOutOfTime },
    clock(service)(),
  );
  if (erased === undefined) return { deleted: NO_COUNTS, withdrawals: 0, more: false };
  const { responsesDeleted: responses, dismissalsDeleted: dismissals, withdrawals, more } = erased;
  return { deleted: { responses, dismissals, others: 0 }, withdrawals, more };
}

const sweepShard: PurgeStep = (service) => async (input) => {
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

const verify: PurgeStep = (service) => async (input) => {
  const scope = purgeScope.parse(input);
  const [records, definitions, sweep] = [
    purgeRecords(service),
    purgedDefinitions(service),
    purgeSweep(service),
  ];
  const rounds = await records.nextRound(scope);
  // Later answers of a valid token are new.
  if (modeOfPurge(scope) === 'respondent') return { isEmpty: true, rounds };
  if (await sweep.isAnythingIndexed(scope)) return { isEmpty: false, rounds };
  if (scope.surveyId !== undefined) return { isEmpty: true, rounds };
  const removed = await definitions.remove(scope);
  await records.add(scope, { responses: 0, dismissals: 0, others: removed });
  const isEmpty =
    !(await definitions.isAnythingLeft(scope.projectId)) && !(await sweep.isAnythingIndexed(scope));
  return { isEmpty, rounds };
};

const finish: PurgeStep = (service) => async (input) => {
  const scope = purgeScope.parse(input);
  const records = purgeRecords(service);
  const mode = modeOfPurge(scope);
  if (mode === 'survey') {
    const others = await purgedDefinitions(service).remove(scope);
    await records.add(scope, { responses: 0, dismissals: 0, others });
  }
  if (mode === 'account') await erasureLog(service).forgetExceptPurge(scope.projectId, clock(service)());
  await records.finish(scope, clock(service)());
  log(service).info({ message: 'purged', ...scope, measures: { purge_done: 1 } });
  return scope;
};

const failedInput = z.extend(purgeScope, {
  error: z.exactOptional(z.object({ Error: z.exactOptional(z.string()) })),
});

const recordFailure: PurgeStep = (service) => async (input) => {
  const { error, ...scope } = failedInput.parse(input);
  await purgeRecords(service).fail(scope, clock(service)());
  log(service).error({
    message: 'purge failed',
    ...scope,
    code: error?.Error ?? 'still_not_empty',
    measures: { purge_failed: 1 },
  });
  return scope;
};

export const PURGE_STEP: Readonly<Record<PurgeStepName, PurgeStep>> = {
  Begin: begin,
  SweepShard: sweepShard,
  Verify: verify,
  Finish: finish,
  RecordFailure: recordFailure,
  Expire: expire,
};

function stepOnLambda(step: PurgeStep): PurgeStepHandler {
  return underLambda(readServiceConfig, (config) =>
    step(compose(config, { clientSettings: PATIENT_CLIENT })),
  );
}

export const onBegin = stepOnLambda(begin);
export const onSweepShard = stepOnLambda(sweepShard);
export const onVerify = stepOnLambda(verify);
export const onFinish = stepOnLambda(finish);
export const onRecordFailure = stepOnLambda(recordFailure);
export const onExpire = stepOnLambda(expire);
