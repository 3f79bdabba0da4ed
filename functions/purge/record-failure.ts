import * as z from 'zod/mini';
import { clock, log, purgeRecords } from '../runtime/compose.ts';
import { type PurgeStep, purgeScope, stepOnLambda } from '../runtime/purge-step.ts';

const failedInput = z.extend(purgeScope, {
  error: z.exactOptional(z.object({ Error: z.exactOptional(z.string()) })),
});

/** Notes that the purge did not end; the execution then fails, which alarms. */
export const recordFailure: PurgeStep = (service) => async (input) => {
  const { error, ...scope } = failedInput.parse(input);
  await purgeRecords(service).fail(scope, clock(service)());
  log(service).error({
    message: 'a purge failed',
    ...scope,
    code: error?.Error ?? 'still_not_empty',
    measures: { purge_failed: 1 },
  });
  return scope;
};

export const handler = stepOnLambda(recordFailure);
