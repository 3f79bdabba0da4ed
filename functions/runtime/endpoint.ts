/** An endpoint: a route and its handler, given typed input and a caller whose key, origin and rate are in order. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { droppedPaths, fieldOf } from '../../shared/contract/dropped-paths.ts';
import { type Issue, isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { type Route, scopeOf } from '../../shared/contract/route.ts';
import { checkAccessKey, type PresentedKey } from '../../shared/crypto/access-key.ts';
import { type Abandonable, abandonable } from '../../shared/data/table/deadline.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { authenticate, claimedKey, refuseKey, refuseOrigin, refuseRate } from './authorise.ts';
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
import { inPlainWords } from './input/plain-words.ts';
import { readInput } from './input/request-input.ts';
import { viewerAddress } from './input/viewer.ts';
import { type Count, createPipeline, type HttpHandler, type RequestTrace } from './pipeline.ts';
import type { RawReply } from './reply.ts';

type ReplySchema = z.ZodMiniType<object>;

/** A route whose caller brings a key and an input. */
type KeyedRoute<Input extends z.ZodMiniObject, Reply extends ReplySchema> = Route & {
  readonly input: Input;
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
  /** What `prepare` read. */
  readonly prepared: Prepared;
  /** Paths of what was sent beside the input and did not fit; a reply names them. */
  readonly dropped: string[];
  /** Milliseconds since the epoch; one time for the whole request. */
  readonly now: number;
  readonly event: APIGatewayProxyEventV2;
  readonly count: Count;
  readonly service: Service;
}

type Handle<Input, Reply, Prepared> = (
  request: EndpointRequest<Input, Prepared>,
) => Promise<Reply | RawReply | Refusal>;

/** The reads that do not depend on the project's settings: on a cold cache they run beside the settings' own. */
type Prepare<Input, Prepared> = (request: Preparation<Input>) => Promise<Prepared>;

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

export function endpoint<Input extends z.ZodMiniObject, Reply extends ReplySchema>(
  route: KeyedRoute<Input, Reply>,
  handle: Handle<z.output<Input>, z.output<Reply>, undefined>,
): Endpoint {
  return preparedEndpoint(route, { prepare: async () => undefined, handle });
}

/** An endpoint that reads something before the caller is known. */
export function preparedEndpoint<Input extends z.ZodMiniObject, Reply extends ReplySchema, Prepared>(
  route: KeyedRoute<Input, Reply>,
  {
    prepare,
    handle,
  }: {
    readonly prepare: Prepare<z.output<Input>, Prepared>;
    readonly handle: Handle<z.output<Input>, z.output<Reply>, Prepared>;
  },
): Endpoint {
  async function work(
    service: Service,
    event: APIGatewayProxyEventV2,
    body: unknown,
    trace: RequestTrace,
  ): Promise<object | Refusal> {
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
    trace.projectId = key.projectId;
    const count: Count = (metric, by = 1) => {
      trace.measures[metric] = (trace.measures[metric] ?? 0) + by;
    };

    const parsed = z.safeParse(route.input, fields, { error: inPlainWords });
    const cache = projectSettings(service);
    const prepareNow = async (input: z.output<Input>, settings?: ProjectSettings) =>
      prepare({ projectId: key.projectId, input, service, ...(settings && { settings }) });
    const isCold = !cache.has(key.projectId);
    const early: Abandonable<Prepared> | undefined =
      isCold && parsed.success ? abandonable(() => prepareNow(parsed.data)) : undefined;
    const begun: Promise<unknown>[] = [];

    async function answer(
      settings: ProjectSettings,
      key: PresentedKey,
      now: number,
    ): Promise<object | Refusal> {
      const refusal =
        refuseOrigin(route, event, settings, key) ??
        (await refuseRate(route, address ?? '', settings, key, {
          limiter: limiter(service),
          defaultAddressRate,
          now,
          count,
        }));
      if (refusal !== undefined) return refusal;
      if (conflict !== undefined) return conflict;
      if (!parsed.success) return refuse('invalid_request', { issues: listIssues(parsed.error) });
      const prepared = await (early?.result ?? prepareNow(parsed.data, settings));
      const dropped = droppedPaths(fields, parsed.data, Object.keys(route.input.shape));
      const reply = await handle({
        input: parsed.data,
        settings,
        prepared,
        dropped,
        now,
        event,
        count,
        service,
      });
      if (dropped.length > 0 && !isRefusal(reply)) {
        count('metadata_dropped', dropped.length);
        trace.dropped = [...new Set(dropped.map(fieldOf))];
      }
      return reply;
    }

    try {
      const needed = { scope: scopeOf(route, fields), now: clock(service)() };
      const settings = await authenticate(key, needed, cache, refuseWrongKey);
      if (isRefusal(settings)) return settings;
      const now = clock(service)();
      const reply = answer(settings, key, now);
      begun.push(keyUse(service).note(key, now));
      return await reply;
    } finally {
      // Who is refused does not wait for it, and no call outlives the reply.
      early?.abandon();
      await Promise.all(begun);
    }
  }

  return {
    route,
    create(service) {
      // Makes the client while the instance starts, not in its first request.
      projectSettings(service);
      const { requestDeadlineMs } = service.config;
      const parts = { log: log(service), clock: clock(service), requestDeadlineMs };
      return createPipeline(route, parts, (event, body, trace) => work(service, event, body, trace));
    },
  };
}
