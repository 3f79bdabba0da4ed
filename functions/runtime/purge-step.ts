/** A step of the purge's state machine: its state's input in, its output out. */

import * as z from 'zod/mini';
import { SECOND } from '../../shared/domain/duration.ts';
import { compose, type Service } from './compose.ts';
import { underLambda } from './on-lambda.ts';
import { readServiceConfig } from './service-config.ts';

export type PurgeStepHandler = (input: unknown) => Promise<object>;

/** A step awaiting its service. */
export type PurgeStep = (service: Service) => PurgeStepHandler;

/** No caller waits for a purge: more and longer attempts outlast a throttled table. */
export const PATIENT_CLIENT = { maxAttempts: 10, requestTimeoutMs: 5 * SECOND } as const;

export const purgeScope = z.object({
  projectId: z.string(),
  surveyId: z.exactOptional(z.string()),
  respondentHash: z.exactOptional(z.string()),
});

/** A step as a function of its own. */
export function stepOnLambda(step: PurgeStep): PurgeStepHandler {
  return underLambda(readServiceConfig, (config) =>
    step(compose(config, { clientSettings: PATIENT_CLIENT })),
  );
}
