/** An endpoint: a route and its handler, given typed input and a caller whose key, origin and rate are in order. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Issue, isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { type Route, scopeOf } from '../../shared/contract/route.ts';
import { checkAccessKey, type PresentedKey } from '../../shared/crypto/access-key.ts';
import { type Abandonable, abandonable } from '../../shared/data/table/deadline.ts';
import { once } from '../../shared/domain/memory.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import {
  authenticate,
  claimedKey,
  type Genuine,
  type Presentation,
  publicBuckets,
  refuseAnswer,
  refuseBeyond,
  refuseKey,
  refuseOrigin,
  serverBucket,
} from './authorise.ts';
import {
  clock,
  keyUse,
  limiter,
  log,
  projectSettings,
  type Service,
  secrets,
  wrongKeyLimiter,
} from './compose.ts';
import { type Count, countInto, createPipeline, type HttpHandler, type RequestTrace } from './pipeline.ts';
import type { RawReply } from './reply.ts';
import { droppedPaths, fieldOf, inPlainWords, readInput } from './request-input.ts';
import { viewerAddress } from './viewer.ts';

type ReplySchema = z.ZodMiniType<object>;

/** A route whose caller brings a key and an input. */
type KeyedRoute<Input extends z.ZodMiniObject, Reply extends ReplySchema> = Route & {
  readonly input: Input;
  readonly serverInput?: z.ZodMiniType<z.output<Input>>;
  readonly success: { readonly schema: Reply };
};

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
  readonly key: PresentedKey;
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

/** The keys of traits are the sender's own words, which no error quotes. */
function quotablePath(path: readonly PropertyKey[]): string {
  const end = path.indexOf('traits') + 1;
  return (end === 0 ? path : path.slice(0, end)).join('.');
}

function listIssues(error: z.core.$ZodError): Issue[] {
  return error.issues.map(({ path, message }) => ({ path: quotablePath(path), message }));
}

/** A request as it comes: a key that may be one of ours, and what it says. */
interface Presented<Input> {
  readonly key: PresentedKey;
  /** The caller's; undefined for a request that went around the edge. */
  readonly address: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The input, or why it is refused once the caller is admitted (docs/contract.md §4.2, row 5). */
  readonly parsed: { readonly input: Input } | Refusal;
  /** The refusal of a key that turns out to open nothing. */
  readonly refuseWrongKey: () => Promise<Refusal>;
}

/** Reads key and input off the event; calls nothing but the secrets. */
async function readRequest<Input extends z.ZodMiniObject>(
  route: Route & { readonly input: Input; readonly serverInput?: z.ZodMiniType<z.output<Input>> },
  service: Service,
  event: APIGatewayProxyEventV2,
  body: unknown,
): Promise<Presented<z.output<Input>> | Refusal> {
  const { fields, malformed, conflict } = readInput(route, event, body);
  if (malformed !== undefined) return malformed;
  const { keyAbbreviation, edge, defaultAddressRate } = service.config;
  // A request that bypasses CloudFront presents no key: otherwise the firewall could be avoided.
  const address = viewerAddress(event, edge);
  const claimed = address === undefined ? undefined : claimedKey(route, event, fields, keyAbbreviation);
  const refuseWrongKey = () =>
    refuseKey(route, address ?? event.requestContext.http.sourceIp, {
      limiter: wrongKeyLimiter(service),
      rate: defaultAddressRate,
      now: clock(service)(),
    });
  const key = claimed && checkAccessKey(await secrets(service).hashSecret(), claimed);
  if (key === undefined) return refuseWrongKey();
  const schema = (key.kind === 'secret' && route.serverInput) || route.input;
  const { success, data, error } = z.safeParse(schema, fields, { error: inPlainWords });
  const parsed = success ? { input: data } : refuse('invalid_request', { issues: listIssues(error) });
  return { key, address, fields, parsed: conflict ?? parsed, refuseWrongKey };
}

/** Who calls: the settings of the project that owns the key, or rows 2 and 3 of docs/contract.md §4.2. */
function identify(
  route: Route,
  service: Service,
  { key, fields, refuseWrongKey }: Presented<unknown>,
): Promise<ProjectSettings | Refusal> {
  const needed = { scope: scopeOf(route, key.kind, fields), now: clock(service)() };
  return authenticate(key, needed, projectSettings(service), refuseWrongKey);
}

export function endpoint<Input extends z.ZodMiniObject, Reply extends ReplySchema>(
  route: KeyedRoute<Input, Reply>,
  handle: Handle<z.output<Input>, z.output<Reply>, undefined>,
  genuine?: Genuine,
): Endpoint {
  return preparedEndpoint(route, { prepare: async () => undefined, handle, genuine });
}

/** An endpoint that reads something before the caller is known. */
export function preparedEndpoint<Input extends z.ZodMiniObject, Reply extends ReplySchema, Prepared>(
  route: KeyedRoute<Input, Reply>,
  {
    prepare,
    handle,
    genuine,
  }: {
    readonly prepare: Prepare<z.output<Input>, Prepared>;
    readonly handle: Handle<z.output<Input>, z.output<Reply>, Prepared>;
    readonly genuine?: Genuine | undefined;
  },
): Endpoint {
  /** On a cold cache the handler's first reads begin beside those of the settings. */
  function prepareEarly(
    service: Service,
    { key: { projectId }, parsed }: Presented<z.output<Input>>,
  ): Abandonable<Prepared> | undefined {
    if (isRefusal(parsed) || projectSettings(service).has(projectId)) return undefined;
    return abandonable(async () => prepare({ projectId, input: parsed.input, service }));
  }

  /** Whether the caller may ask this now: origin, project, rate (docs/contract.md §4.2, rows 3 and 4). */
  async function admit(
    { event, settings, token, now, count, service }: Omit<Work, 'trace'>,
    { key, address = '' }: Presented<z.output<Input>>,
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
    const presented = await readRequest<Input>(route, service, event, body);
    if (isRefusal(presented)) return presented;
    trace.projectId = presented.key.projectId;
    const early = prepareEarly(service, presented);
    let noted: Promise<void> | undefined;
    try {
      const settings = await identify(route, service, presented);
      if (isRefusal(settings)) return settings;
      const now = clock(service)();
      const { key } = presented;
      const projectId = settings.project.id;
      const token = genuine && tokenOf(genuine, presented.parsed, { projectId, now, service });
      const work: Work = { event, settings, key, token, now, count: countInto(trace), service, trace };
      noted = keyUse(service).note(key, now);
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
