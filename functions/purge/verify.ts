import { modeOfPurge } from '../../shared/domain/purge.ts';
import { purgedDefinitions, purgeRecords, purgeSweep } from '../runtime/compose.ts';
import { type PurgeStep, purgeScope, stepOnLambda } from '../runtime/purge-step.ts';

/**
 * Looks whether anything is left. Of a project that is the settings too, which go here once no index names a row any
 * more; a survey's definition stays until the end.
 */
export const verify: PurgeStep = (service) => async (input) => {
  const scope = purgeScope.parse(input);
  const [records, definitions, sweep] = [
    purgeRecords(service),
    purgedDefinitions(service),
    purgeSweep(service),
  ];
  const rounds = await records.nextRound(scope);
  // A person's answers were swept to their end; what a token that is still good stored since is new.
  if (modeOfPurge(scope) === 'respondent') return { isEmpty: true, rounds };
  if (await sweep.isAnythingIndexed(scope)) return { isEmpty: false, rounds };
  if (scope.surveyId !== undefined) return { isEmpty: true, rounds };
  const removed = await definitions.remove(scope);
  await records.add(scope, { responses: 0, dismissals: 0, others: removed });
  const isEmpty =
    !(await definitions.isAnythingLeft(scope.projectId)) && !(await sweep.isAnythingIndexed(scope));
  return { isEmpty, rounds };
};

export const handler = stepOnLambda(verify);
