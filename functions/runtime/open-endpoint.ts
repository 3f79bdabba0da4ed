/** These endpoints use no key, table or secret, so their bundles need no SDK. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Refusal } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import { ENVIRONMENT } from '../../shared/settings/environment.ts';
import { readWatching } from '../../shared/settings/metrics.ts';
import type { Endpoint } from './endpoint.ts';
import { createLogger } from './logger.ts';
import { createPipeline, type HttpHandler, type PipelineDependencies, type RawReply } from './pipeline.ts';

export interface OpenEndpoint extends Endpoint {
  readonly createOpen: (dependencies: PipelineDependencies) => HttpHandler;
}

export function openEndpoint(
  route: Route,
  handle: (event: APIGatewayProxyEventV2) => Promise<RawReply | Refusal>,
): OpenEndpoint {
  const createOpen = (dependencies: PipelineDependencies) => createPipeline(route, dependencies, handle);
  return {
    route,
    createOpen,
    create: ({ config, overrides }) =>
      createOpen({
        log: overrides.log ?? createLogger(undefined, config),
        clock: overrides.clock,
      }),
  };
}

export function openOnLambda(endpoint: OpenEndpoint): HttpHandler {
  const { [ENVIRONMENT.metricsNamespace]: metricsNamespace, [ENVIRONMENT.watching]: watching } = process.env;
  return endpoint.createOpen({
    log: createLogger(undefined, { metricsNamespace, watching: readWatching(watching) }),
  });
}
