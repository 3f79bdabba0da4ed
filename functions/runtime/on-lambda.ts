/** The entry point of a deployed function. */

import { createSecretsManagerSource } from '../../shared/data/secrets-manager.ts';
import { createDependencies } from './dependencies.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpHandler } from './pipeline.ts';
import { readRuntimeSettings } from './runtime-settings.ts';

/** Under Lambda the dependencies are made, and the secrets asked for, while the instance starts; elsewhere never. */
export function onLambda(endpoint: Endpoint): HttpHandler {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME === undefined) {
    return async () => {
      throw new Error('this entry point runs under AWS Lambda only');
    };
  }
  const environment = readRuntimeSettings(process.env);
  return endpoint.create(createDependencies(environment, createSecretsManagerSource(environment)));
}
