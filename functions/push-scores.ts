import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { createSecretReader } from '../shared/data/aws/secrets-manager.ts';
import { SYSTEM_TIMERS } from '../shared/delivery/timing.ts';
import { SCORE_ADAPTER_ENVIRONMENT } from '../shared/settings/environment.ts';
import { keepConfiguration } from './push/adapter-configuration.ts';
import type { PushContext } from './push/push-project.ts';
import { runScoreAdapter } from './push/run-score-adapter.ts';
import { compose } from './runtime/compose.ts';
import { type Environment, readServiceConfig, required, underLambda } from './runtime/service-config.ts';

const readSettings = (environment: Environment) => ({
  service: readServiceConfig(environment),
  configurationId: required(environment, SCORE_ADAPTER_ENVIRONMENT.configurationId),
});

const invocation = z.object({ wake: z.exactOptional(z.record(z.string(), z.number())) });

export const handler = underLambda(readSettings, ({ service, configurationId }) => {
  const readSecret = createSecretReader();
  const push: PushContext = {
    service: compose(service),
    readConfiguration: keepConfiguration(() => readSecret(configurationId), Date.now),
    runId: randomUUID,
    timers: SYSTEM_TIMERS,
  };
  return async (event: unknown, context: Context) => {
    await runScoreAdapter(push, context.getRemainingTimeInMillis(), invocation.parse(event).wake);
  };
});
