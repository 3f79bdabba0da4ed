import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isRefusal, type Refusal, refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/console-routes.ts';
import { appearanceOf, consoleProviderOf } from '../shared/domain/project.ts';
import { refuseBeyond, strangerBucket } from './runtime/authorise.ts';
import { clock, log, projectSettings, type Service, wrongKeyLimiter } from './runtime/compose.ts';
import type { Endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { countInto, createPipeline, type RequestTrace } from './runtime/pipeline.ts';
import { parseInput, readInput } from './runtime/request-input.ts';
import { viewerAddress } from './runtime/viewer.ts';

const route = routes.consoleSignIn;

async function work(
  service: Service,
  event: APIGatewayProxyEventV2,
  trace: RequestTrace,
): Promise<object | Refusal> {
  const { edge, defaultAddressRate } = service.config;
  const viewer = viewerAddress(event, edge);
  const address = viewer ?? event.requestContext.http.sourceIp;
  // It writes nothing, so that is counted in the memory of each instance.
  const bucket = { ...strangerBucket(address, defaultAddressRate), of: 'SIGN_IN_PAGE' };
  const rates = { limiter: wrongKeyLimiter(service), now: clock(service)(), count: countInto(trace) };
  const limited = await refuseBeyond([bucket], rates);
  if (limited !== undefined) return limited;
  const { fields, conflict } = readInput(route, event, undefined);
  const parsed = conflict ?? parseInput(route.input, fields);
  if (isRefusal(parsed)) return parsed;
  const settings = viewer && (await projectSettings(service).load(parsed.input.project));
  const found = settings ? consoleProviderOf(settings.project) : undefined;
  if (!settings || found === undefined) return refuse('sign_in_not_found');
  const { project } = settings;
  trace.projectId = project.id;
  const { name, accent = null } = appearanceOf(project);
  const { jwks: _, ...provider } = found;
  return { project: { id: project.id, name, accent }, ...provider };
}

/** Tells a page where people of a project sign in. It is the same for everybody, and holds no secret. */
export const consoleSignIn: Endpoint = {
  route,
  create(service) {
    projectSettings(service);
    const { requestDeadlineMs } = service.config;
    const parts = { log: log(service), clock: clock(service), requestDeadlineMs };
    return createPipeline(route, parts, (event, _body, trace) => work(service, event, trace));
  },
};

export const handler = onLambda(consoleSignIn);
