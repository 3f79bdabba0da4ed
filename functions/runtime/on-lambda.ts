/** The entry point of a deployed function. */

import { createSecretsManagerSource } from '../../shared/data/aws/secrets-manager.ts';
import { createDependencies } from './dependencies.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpHandler } from './pipeline.ts';
import { type Environment, type RuntimeSettings, readRuntimeSettings } from './runtime-settings.ts';

/** Makes a handler from the environment while the instance starts; away from Lambda it only says so when called. */
export function underLambda<Event, Result, Rest extends unknown[]>(
  create: (environment: RuntimeSettings) => (event: Event, ...rest: Rest) => Promise<Result>,
): (event: Event, ...rest: Rest) => Promise<Result> {
  return underLambdaWith(readRuntimeSettings, create);
}

/** The same for a function with settings of its own. */
export function underLambdaWith<Settings, Event, Result, Rest extends unknown[]>(
  read: (environment: Environment) => Settings,
  create: (settings: Settings) => (event: Event, ...rest: Rest) => Promise<Result>,
): (event: Event, ...rest: Rest) => Promise<Result> {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME === undefined) {
    return async () => {
      throw new Error('this entry point runs under AWS Lambda only');
    };
  }
  return create(read(process.env));
}

/** An HTTP endpoint as a function of its own; the secrets are asked for by the first request that needs them. */
export function onLambda(endpoint: Endpoint): HttpHandler {
  return underLambda((environment) =>
    endpoint.create(createDependencies(environment, createSecretsManagerSource(environment))),
  );
}
