import { compose, type Service } from './compose.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpHandler } from './pipeline.ts';
import { type Environment, readServiceConfig } from './service-config.ts';

/** Creates the handler during initialization. Away from Lambda the handler throws when it is called. */
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

export function serviceOnLambda<Event, Result, Rest extends unknown[]>(
  create: (service: Service) => (event: Event, ...rest: Rest) => Promise<Result>,
): (event: Event, ...rest: Rest) => Promise<Result> {
  return underLambda(readServiceConfig, (config) => create(compose(config)));
}

export function onLambda(endpoint: Endpoint): HttpHandler {
  return serviceOnLambda(endpoint.create);
}
