/** The entry point of a deployed function. */

import { compose, type Service } from './compose.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpHandler } from './pipeline.ts';
import { type Environment, readServiceConfig } from './service-config.ts';

/**
 * Makes a handler while the instance starts, from what the environment says; away from Lambda the
 * handler only says so when it is called.
 */
export function underLambda<Config, Event, Result, Rest extends unknown[]>(
  read: (environment: Environment) => Config,
  create: (config: Config) => (event: Event, ...rest: Rest) => Promise<Result>,
): (event: Event, ...rest: Rest) => Promise<Result> {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME === undefined) {
    return async () => {
      throw new Error('this entry point runs under AWS Lambda only');
    };
  }
  return create(read(process.env));
}

/** A handler of a service as a function of its own. */
export function serviceOnLambda<Event, Result, Rest extends unknown[]>(
  create: (service: Service) => (event: Event, ...rest: Rest) => Promise<Result>,
): (event: Event, ...rest: Rest) => Promise<Result> {
  return underLambda(readServiceConfig, (config) => create(compose(config)));
}

/** An HTTP endpoint as a function of its own; the first request that needs the secrets reads them. */
export function onLambda(endpoint: Endpoint): HttpHandler {
  return serviceOnLambda(endpoint.create);
}
