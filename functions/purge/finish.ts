import { type CreatePurgeStep, purgeScope, stepOnLambda } from '../runtime/purge-step.ts';

/** Deletes a survey's definition, the last of it, and closes the record. */
export const finish: CreatePurgeStep =
  ({ records, settings, clock, log }) =>
  async (input) => {
    const scope = purgeScope.parse(input);
    if (scope.surveyId !== undefined) {
      await records.add(scope, { responses: 0, dismissals: 0, others: await settings.remove(scope) });
    }
    await records.finish(scope, clock());
    log.info({ message: 'purged', ...scope, measures: { purge_done: 1 } });
    return scope;
  };

export const handler = stepOnLambda(finish);
