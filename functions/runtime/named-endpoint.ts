import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Refusal } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { refuseBeyond, strangerBucket } from './authorise.ts';
import { clock, log, type Service } from './compose.ts';
import type { Endpoint } from './endpoint.ts';
import { countInto, createPipeline, type RequestTrace } from './pipeline.ts';
import { wrongKeyLimiter } from './rate-limiter.ts';
import { viewerAddress } from './request-input.ts';
import { projectSettings } from './settings-cache.ts';

export interface NamedRequest {
  readonly event: APIGatewayProxyEventV2;
  readonly trace: RequestTrace;
  /** Returns undefined for an unknown project, and if the request bypassed the edge. */
  readonly load: (projectId: string) => Promise<ProjectSettings | undefined>;
}

export function namedEndpoint(
  route: Route,
  bucket: string,
  handle: (request: NamedRequest) => Promise<object | Refusal>,
): Endpoint {
  async function work(
    service: Service,
    event: APIGatewayProxyEventV2,
    trace: RequestTrace,
  ): Promise<object | Refusal> {
    const { edge, defaultAddressRate } = service.config;
    const viewer = viewerAddress(event, edge);
    const address = viewer ?? event.requestContext.http.sourceIp;
    const counted = { ...strangerBucket(address, defaultAddressRate), of: bucket };
    const rates = { limiter: wrongKeyLimiter(service), now: clock(service)(), count: countInto(trace) };
    const limited = await refuseBeyond([counted], rates);
    if (limited !== undefined) return limited;
    const load = async (projectId: string) =>
      viewer === undefined ? undefined : projectSettings(service).load(projectId);
    return handle({ event, trace, load });
  }

  return {
    route,
    create(service) {
      projectSettings(service);
      const { requestDeadlineMs } = service.config;
      const dependencies = { log: log(service), clock: clock(service), requestDeadlineMs };
      return createPipeline(route, dependencies, (event, _body, trace) => work(service, event, trace));
    },
  };
}
