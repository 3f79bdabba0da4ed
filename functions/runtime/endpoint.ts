/** An endpoint: a route and its handler, given typed input and a caller whose key, origin and rate are in order. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import { isRefusal, type Refusal } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import { type Abandonable, abandonable } from '../../shared/data/table/deadline.ts';
import { once } from '../../shared/domain/memory.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import {
  type Genuine,
  type Presentation,
  publicBuckets,
  refuseAnswer,
  refuseBeyond,
  refuseOrigin,
  serverBucket,
} from './authorise.ts';
import { clock, keyUse, limiter, log, projectSettings, type Service, wrongKeyLimiter } from './compose.ts';
import { type Count, countInto, createPipeline, type HttpHandler, type RequestTrace } from './pipeline.ts';
import {
  type CallerKey,
  type InputOf,
  type Presented,
  readRequest,
  type SignIn,
} from './presented-request.ts';
import type { RawReply } from './reply.ts';
import { droppedPaths, fieldOf } from './request-input.ts';

type ReplySchema = z.ZodMiniType<object>;

/** A route whose caller brings a key and an input. */
type KeyedRoute<Input extends z.ZodMiniObject, Reply extends ReplySchema> = Route &
  InputOf<Input> & { readonly success: { readonly schema: Reply } };

/** What `prepare` may read before the caller is known: nothing of it reaches a caller who is refused. */
interface Preparation<Input> {
  readonly projectId: string;
  readonly input: Input;
  /** Absent where they are being read at the same time. */
  readonly settings?: ProjectSettings;
  readonly service: Service;
}

export interface EndpointRequest<Input, Prepared> {
  readonly input: Input;
  readonly settings: ProjectSettings;
  /** The caller's. */
  readonly key: CallerKey;
  /** What `prepare` read. */
  readonly prepared: Prepared;
  /** Its show-token, where genuine ones are taken in beyond the rate. */
  readonly token?: Presentation | undefined;
  /** Paths of what was sent beside the input and did not fit; a reply names them. */
  readonly dropped: string[];
  /** Milliseconds since the epoch; one time for the whole request. */
  readonly now: number;
  readonly event: APIGatewayProxyEventV2;
  readonly count: Count;
  readonly service: Service;
}

/** A request whose caller is known. */
type Work = Omit<EndpointRequest<never, never>, 'input' | 'prepared' | 'dropped'> & {
  readonly trace: RequestTrace;
};

type Handle<Input, Reply, Prepared> = (
  request: EndpointRequest<Input, Prepared>,
) => Promise<Reply | RawReply | Refusal>;

/** The reads that do not depend on the project's settings: on a cold cache they run beside the settings' own. */
type Prepare<Input, Prepared> = (request: Preparation<Input>) => Promise<Prepared>;

/** The token of an answer; undefined of an input that brings none or is refused. */
function tokenOf(
  { open }: Genuine,
  parsed: Presented<object>['parsed'],
  more: Pick<Presentation, 'projectId' | 'now' | 'service'>,
): Presentation | undefined {
  if (isRefusal(parsed)) return undefined;
  const { showToken, surveyId }: { showToken?: unknown; surveyId?: unknown } = parsed.input;
  if (typeof showToken !== 'string' || typeof surveyId !== 'string') return undefined;
  const token = { showToken, surveyId, ...more };
  return { ...token, opened: once(() => open(token)) };
}

/** A handler awaiting its service. */
export interface Endpoint {
  readonly route: Route;
  readonly create: (service: Service) => HttpHandler;
}

/** What few endpoints have. */
interface Special {
  /** Takes genuine answers in beyond the rate. */
  readonly genuine?: Genuine | undefined;
  /** Opens it to people who are signed in, of a route that is open to people. */
  readonly signIn?: SignIn | undefined;
}

export function endpoint<Input extends z.ZodMiniObject, Reply extends ReplySchema>(
  route: KeyedRoute<Input, Reply>,
  handle: Handle<z.output<Input>, z.output<Reply>, undefined>,
  special: Special = {},
): Endpoint {
  return preparedEndpoint(route, { prepare: async () => undefined, handle, ...special });
}

/** An endpoint that reads something before the caller is known. */
export function preparedEndpoint<Input extends z.ZodMiniObject, Reply extends ReplySchema, Prepared>(
  route: KeyedRoute<Input, Reply>,
  {
    prepare,
    handle,
    genuine,
    signIn,
  }: {
    readonly prepare: Prepare<z.output<Input>, Prepared>;
    readonly handle: Handle<z.output<Input>, z.output<Reply>, Prepared>;
  } & Special,
): Endpoint {
  /** On a cold cache the handler's first reads begin beside those of the settings. */
  function prepareEarly(
    service: Service,
    { projectId, isKeyed, parsed }: Presented<z.output<Input>>,
  ): Abandonable<Prepared> | undefined {
    if (!isKeyed || isRefusal(parsed) || projectSettings(service).has(projectId)) return undefined;
    return abandonable(async () => prepare({ projectId, input: parsed.input, service }));
  }

  /** Whether the caller may ask this now: origin, project, rate (docs/contract.md §4.2, rows 3 and 4). */
  async function admit(
    { event, settings, key, token, now, count, service }: Omit<Work, 'trace'>,
    { address = '' }: Presented<z.output<Input>>,
  ): Promise<Refusal | undefined> {
    const refusal = refuseOrigin(route, event, settings, key);
    if (refusal !== undefined || route.rateLimited !== true) return refusal;
    const { project } = settings;
    const rates = { limiter: limiter(service), memory: wrongKeyLimiter(service), now, count };
    if (key.kind !== 'publishable') return refuseBeyond([serverBucket(project, key)], rates);
    const { defaultAddressRate } = service.config;
    const caller = { route, project, address, keyName: key.hash, defaultAddressRate };
    if (genuine === undefined) return refuseBeyond(publicBuckets(caller), rates);
    return refuseAnswer(genuine, token, caller, rates);
  }

  /** The handler's reply to an admitted caller whose input fits. */
  async function answer(
    { trace, ...work }: Work,
    { fields, parsed }: Presented<z.output<Input>>,
    early: Abandonable<Prepared> | undefined,
  ): Promise<object | Refusal> {
    if (isRefusal(parsed)) return parsed;
    const { input } = parsed;
    const { settings, service, count } = work;
    const projectId = settings.project.id;
    const prepared = await (early?.result ?? prepare({ projectId, input, settings, service }));
    const dropped = droppedPaths(fields, input, Object.keys(route.input.shape));
    const reply = await handle({ ...work, input, prepared, dropped });
    if (work.token !== undefined) genuine?.note(work.token, reply);
    if (dropped.length > 0 && !isRefusal(reply)) {
      count('metadata_dropped', dropped.length);
      trace.dropped = [...new Set(dropped.map(fieldOf))];
    }
    return reply;
  }

  async function serve(
    service: Service,
    event: APIGatewayProxyEventV2,
    body: unknown,
    trace: RequestTrace,
  ): Promise<object | Refusal> {
    const presented = await readRequest<Input>(route, service, event, body, signIn);
    if (isRefusal(presented)) return presented;
    if (presented.isKeyed) trace.projectId = presented.projectId;
    const early = prepareEarly(service, presented);
    let noted: Promise<void> | undefined;
    try {
      const identified = await presented.identify();
      if (isRefusal(identified)) return identified;
      const { settings, key } = identified;
      const now = clock(service)();
      const projectId = settings.project.id;
      trace.projectId = projectId;
      const token = genuine && tokenOf(genuine, presented.parsed, { projectId, now, service });
      const work: Work = { event, settings, key, token, now, count: countInto(trace), service, trace };
      const isNoted = key.kind !== 'publishable' && key.person === undefined;
      noted = isNoted ? keyUse(service).note(key, now) : undefined;
      return (await admit(work, presented)) ?? (await answer(work, presented, early));
    } finally {
      // Who is refused does not wait for it, and no call outlives the reply.
      early?.abandon();
      await noted;
    }
  }

  return {
    route,
    create(service) {
      // Makes the client while the instance starts, not in its first request.
      projectSettings(service);
      const { requestDeadlineMs } = service.config;
      const parts = { log: log(service), clock: clock(service), requestDeadlineMs };
      return createPipeline(route, parts, (event, body, trace) => serve(service, event, body, trace));
    },
  };
}
