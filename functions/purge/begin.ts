import { erasedScope } from '../../shared/data/privacy/erasure-log.ts';
import { modeOfPurge } from '../../shared/domain/purge.ts';
import { clock, erasureLog, purgedDefinitions, purgeRecords } from '../runtime/compose.ts';
import { type PurgeStep, purgeScope, stepOnLambda } from '../runtime/purge-step.ts';

/** Logs the erasure and closes what is purged, whatever became of the request, and tells the shards to sweep. */
export const begin: PurgeStep = (service) => async (input) => {
  const scope = purgeScope.parse(input);
  const now = clock(service)();
  await erasureLog(service).record(erasedScope(scope), now);
  await purgeRecords(service).begin(scope, now);
  // A person's answers lie in one partition.
  if (modeOfPurge(scope) === 'respondent') return { ...scope, shards: [{ ...scope, shard: 0 }] };
  await purgedDefinitions(service).mark(scope, new Date(now).toISOString());
  const { shards } = service.config;
  return { ...scope, shards: Array.from({ length: shards }, (_, shard) => ({ ...scope, shard })) };
};

export const handler = stepOnLambda(begin);
