import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import { isRefusal, type Refusal } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import { type Abandonable, abandonable } from '../../shared/data/table/deadline.ts';
import { once } from '../../shared/domain/memory.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import {
  type Genuine,
  type PresentedToken,
  publicBuckets,
  refuseAnswer,
  refuseBeyond,
  refuseOrigin,
  serverBucket,
} from './authorise.ts';
import { clock, log, type Service } from './compose.ts';
import {
  type CallerKey,
  type IncomingRequest,
  type InputOf,
  readRequest,
  type SignIn,
} from './incoming-request.ts';
import { keyUse } from './parts/projects.ts';
import {
  type Count,
  countInto,
  createPipeline,
  type HttpHandler,
  type RawReply,
  type RequestTrace,
} from './pipeline.ts';
import { limiter, wrongKeyLimiter } from './rate-limiter.ts';
import { droppedPaths, fieldOf } from './request-input.ts';
import { projectSettings } from './settings-cache.ts';

type ReplySchema = z.ZodMiniType<object>;

type KeyedRoute<Input extends z.ZodMiniObject, Reply extends ReplySchema> = InputOf<Input> &
  Route & { readonly success: { readonly schema: () => Reply } };

/** The input of `prepare`, which runs before the caller is authorized. */
interface Preparation<Input> {
  readonly projectId: string;
  readonly input: Input;
  readonly settings?: ProjectSettings;
  readonly service: Service;
}

export interface EndpointRequest<Input, Prepared> {
  readonly input: Input;
  readonly settings: ProjectSettings;
  readonly key: CallerKey;
  readonly prepared: Prepared;
  readonly token?: PresentedToken | undefined;
  /** Paths of discarded input. A reply with `dropped` lists these and those that its handler discarded. */
  readonly dropped: readonly string[];
  readonly now: number;
  readonly event: APIGatewayProxyEventV2;
  readonly count: Count;
  readonly service: Service;
}

type Work = Omit<EndpointRequest<never, never>, 'input' | 'prepared' | 'dropped'> & {
  readonly trace: RequestTrace;
};

type Handle<Input, Reply, Prepared> = (
  request: EndpointRequest<Input, Prepared>,
) => Promise<Reply | RawReply | Refusal>;

/**
 * Starts reads that need no settings, so that they run in parallel with reading the settings if those are not cached.
 */
type Prepare<Input, Prepared> = (request: Preparation<Input>) => Promise<Prepared>;

function tokenOf(
  { unseal }: Genuine,
  parsed: IncomingRequest<object>['parsed'],
  more: Pick<PresentedToken, 'projectId' | 'now' | 'service'>,
): PresentedToken | undefined {
  if (isRefusal(parsed)) return undefined;
  const { showToken, surveyId }: { showToken?: unknown; surveyId?: unknown } = parsed.input;
  if (typeof showToken !== 'string' || typeof surveyId !== 'string') return undefined;
  const token = { showToken, surveyId, ...more };
  return { ...token, unsealed: once(() => unseal(token)) };
}

const droppedIn = (reply: object): readonly string[] | undefined =>
  'dropped' in reply && Array.isArray(reply.dropped) ? reply.dropped : undefined;

export interface Endpoint {
  readonly route: Route;
  readonly create: (service: Service) => HttpHandler;
}

interface Special {
  readonly genuine?: Genuine | undefined;
  readonly signIn?: SignIn | undefined;
}

export function endpoint<Input extends z.ZodMiniObject, Reply extends ReplySchema>(
  route: KeyedRoute<Input, Reply>,
  handle: Handle<z.output<Input>, z.output<Reply>, undefined>,
  special: Special = {},
): Endpoint {
  return preparedEndpoint(route, { prepare: async () => undefined, handle, ...special });
}

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
  function prepareEarly(
    service: Service,
    { projectId, isKeyed, parsed }: IncomingRequest<z.output<Input>>,
  ): Abandonable<Prepared> | undefined {
    if (!isKeyed || isRefusal(parsed) || projectSettings(service).has(projectId)) return undefined;
    return abandonable(async () => prepare({ projectId, input: parsed.input, service }));
  }

  /** See docs/contract.md §4.2, rows 3 and 4. */
  async function admit(
    { event, settings, key, token, now, count, service }: Omit<Work, 'trace'>,
    { address = '' }: IncomingRequest<z.output<Input>>,
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

  async function answer(
    { trace, ...work }: Work,
    { fields, parsed }: IncomingRequest<z.output<Input>>,
    early: Abandonable<Prepared> | undefined,
  ): Promise<object | Refusal> {
    if (isRefusal(parsed)) return parsed;
    const { input } = parsed;
    const { settings, service, count } = work;
    const projectId = settings.project.id;
    const prepared = await (early?.result ?? prepare({ projectId, input, settings, service }));
    const unread = droppedPaths(fields, input, Object.keys(route.input().shape));
    const reply = await handle({ ...work, input, prepared, dropped: unread });
    if (work.token !== undefined) genuine?.note(work.token, reply);
    const dropped = droppedIn(reply) ?? unread;
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
    const incoming = await readRequest<Input>(route, service, event, body, signIn);
    if (isRefusal(incoming)) return incoming;
    if (incoming.isKeyed) trace.projectId = incoming.projectId;
    const early = prepareEarly(service, incoming);
    let noted: Promise<void> | undefined;
    try {
      const identified = await incoming.identify();
      if (isRefusal(identified)) return identified;
      const { settings, key } = identified;
      const now = clock(service)();
      const projectId = settings.project.id;
      trace.projectId = projectId;
      const token = genuine && tokenOf(genuine, incoming.parsed, { projectId, now, service });
      const work: Work = { event, settings, key, token, now, count: countInto(trace), service, trace };
      const isNoted = key.kind !== 'publishable' && key.person === undefined;
      noted = isNoted ? keyUse(service).note(key, now) : undefined;
      return (await admit(work, incoming)) ?? (await answer(work, incoming, early));
    } finally {
      // A refusal does not wait for these reads, and no call continues after the reply.
      early?.abandon();
      await noted;
    }
  }

  return {
    route,
    create(service) {
      // This creates the client during initialization.
      projectSettings(service);
      const { requestDeadlineMs } = service.config;
      const dependencies = { log: log(service), clock: clock(service), requestDeadlineMs };
      return createPipeline(route, dependencies, (event, body, trace) => serve(service, event, body, trace));
    },
  };
}
