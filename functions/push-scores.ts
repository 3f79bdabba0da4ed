import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { createSecretReader } from '../shared/data/aws/secrets-manager.ts';
import { createRunLease } from '../shared/data/scores/run-lease.ts';
import { createDynamodbClient } from '../shared/data/table/client.ts';
import { createTable } from '../shared/data/table/table.ts';
import { ENVIRONMENT, SCORE_ADAPTER_ENVIRONMENT } from '../shared/settings/environment.ts';
import { runScoreAdapter } from './push/score-adapter.ts';
import { createLogger } from './runtime/logger.ts';
import { underLambda } from './runtime/on-lambda.ts';
import { type Environment, required } from './runtime/service-settings.ts';

const readSettings = (environment: Environment) => ({
  tableName: required(environment, SCORE_ADAPTER_ENVIRONMENT.tableName),
  metricsNamespace: required(environment, ENVIRONMENT.metricsNamespace),
  apiUrl: required(environment, SCORE_ADAPTER_ENVIRONMENT.apiUrl),
  configurationId: required(environment, SCORE_ADAPTER_ENVIRONMENT.configurationId),
});

/** Pushes pending scores to where the configuration says, on a schedule. */
export const handler = underLambda(
  readSettings,
  ({ tableName, metricsNamespace, apiUrl, configurationId }) => {
    const readSecret = createSecretReader();
    const adapter = {
      readConfiguration: () => readSecret(configurationId),
      baseUrl: apiUrl,
      metricsNamespace,
      lease: createRunLease(createTable(createDynamodbClient(), { name: tableName }), 'push-scores'),
      runId: randomUUID,
      log: createLogger(),
    };
    return async (_event: unknown, context: Context) => {
      await runScoreAdapter(adapter, context.getRemainingTimeInMillis());
    };
  },
);
