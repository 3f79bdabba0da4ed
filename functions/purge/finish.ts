import { modeOfPurge } from '../../shared/domain/purge.ts';
import { clock, erasureLog, log, purgedDefinitions, purgeRecords } from '../runtime/compose.ts';
import { type PurgeStep, purgeScope, stepOnLambda } from '../runtime/purge-step.ts';

/** Deletes a survey's definition, the last of it, or a project's erasures from their log, and closes the record. */
export const finish: PurgeStep = (service) => async (input) => {
  const scope = purgeScope.parse(input);
  const records = purgeRecords(service);
  const mode = modeOfPurge(scope);
  if (mode === 'survey') {
    const others = await purgedDefinitions(service).remove(scope);
    await records.add(scope, { responses: 0, dismissals: 0, others });
  }
  if (mode === 'account') await erasureLog(service).forgetParts(scope.projectId, clock(service)());
  await records.finish(scope, clock(service)());
  log(service).info({ message: 'purged', ...scope, measures: { purge_done: 1 } });
  return scope;
};

export const handler = stepOnLambda(finish);
