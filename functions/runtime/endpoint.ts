/** An endpoint: a route and its handler, given typed input and a caller whose key, origin and rate are in order. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Issue, type Refusal, refuse } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import type { PresentedKey } from '../../shared/crypto/access-key.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { authenticate, NOBODYS_KEY, presentedKey, refuseOrigin, refuseRate } from './authorise.ts';
import type { Dependencies } from './dependencies.ts';
import { type Count, createPipeline, type HttpHandler, type RequestTrace } from './pipeline.ts';
import { inPlainWords } from './plain-words.ts';
import type { RawReply } from './reply.ts';
import { readInput } from './request-input.ts';
import { viewerAddress } from './viewer.ts';

/** A route whose caller brings a key and an input. */
type KeyedRoute<Input extends z.ZodMiniObject, Reply extends z.ZodMiniObject> = Route & {
  readonly input: Input;
  readonly success: { readonly schema: Reply };
};

/** What `prepare` may read before the caller is known: nothing that it does is shown to a caller who is refused. */
interface Preparation<Input> {
  readonly projectId: string;
  readonly input: Input;
}

export interface EndpointRequest<Input, Prepared> {
  readonly input: Input;
  readonly settings: ProjectSettings;
  /** What `prepare` read. */
  readonly prepared: Prepared;
  /** Milliseconds since the epoch; one moment for the whole request. */
  readonly now: number;
  readonly event: APIGatewayProxyEventV2;
  readonly count: Count;
}

interface Definition<Input, Reply, Prepared, Deps> {
  /** The reads that do not depend on the project's settings: on a cold cache they run beside the settings' own. */
  readonly prepare: (request: Preparation<Input>, deps: Deps) => Promise<Prepared>;
  readonly handle: (
    request: EndpointRequest<Input, Prepared>,
    deps: Deps,
  ) => Promise<Reply | RawReply | Refusal>;
}

/** A handler awaiting its dependencies; a few need more than every handler is given. */
export interface Endpoint<Deps = Dependencies> {
  readonly route: Route;
  readonly create: (deps: Deps) => HttpHandler;
}

/** The keys of traits are the sender's own words, which no error quotes. */
function pathOf(path: readonly PropertyKey[]): string {
  const end = path.indexOf('traits') + 1;
  return (end === 0 ? path : path.slice(0, end)).join('.');
}

function issuesOf(error: z.core.$ZodError): Issue[] {
  return error.issues.map(({ path, message }) => ({ path: pathOf(path), message }));
}

export function endpoint<
  Input extends z.ZodMiniObject,
  Reply extends z.ZodMiniObject,
  Prepared,
  Deps extends Dependencies = Dependencies,
>(
  route: KeyedRoute<Input, Reply>,
  { prepare, handle }: Definition<z.output<Input>, z.output<Reply>, Prepared, Deps>,
): Endpoint<Deps> {
  async function work(
    deps: Deps,
    event: APIGatewayProxyEventV2,
    body: unknown,
    trace: RequestTrace,
  ): Promise<object | Refusal> {
    const { fields, malformed, conflict } = readInput(route, event, body);
    if (malformed !== undefined) return malformed;
    const address = viewerAddress(event, deps.edge);
    // Around the edge nobody's key is taken: the firewall would be for those alone who do not know the way.
    const presented =
      address === undefined ? undefined : presentedKey(route, event, fields, deps.keyAbbreviation);
    if (presented !== undefined) trace.projectId = presented.projectId;
    // Nobody's key takes the way of every other key that opens nothing: from the calls made, none can be told apart.
    const key = presented ?? NOBODYS_KEY;
    const count: Count = (metric, by = 1) => {
      trace.measures[metric] = (trace.measures[metric] ?? 0) + by;
    };

    const parsed = z.safeParse(route.input, fields, { error: inPlainWords });
    const prepareNow = (input: z.output<Input>) => prepare({ projectId: key.projectId, input }, deps);
    const isCold = !deps.settings.has(key.projectId);
    const early = isCold && parsed.success ? prepareNow(parsed.data) : undefined;
    // Its failure is nobody's, should the caller be refused; but no call goes on behind the reply.
    const begun: Promise<unknown>[] = [Promise.allSettled([early])];
    const { limiter, defaultAddressRate } = deps;

    async function answer(
      settings: ProjectSettings,
      key: PresentedKey,
      now: number,
    ): Promise<object | Refusal> {
      const refusal =
        refuseOrigin(route, event, settings) ??
        (await refuseRate(route, address ?? '', settings, key, { limiter, defaultAddressRate, now, count }));
      if (refusal !== undefined) return refusal;
      if (conflict !== undefined) return conflict;
      if (!parsed.success) return refuse('invalid_request', { issues: issuesOf(parsed.error) });
      const prepared = await (early ?? prepareNow(parsed.data));
      return handle({ input: parsed.data, settings, prepared, now, event, count }, deps);
    }

    try {
      const settings = await authenticate(key, deps.settings);
      if (settings === undefined) return refuse('invalid_key');
      const now = deps.clock();
      const reply = answer(settings, key, now);
      begun.push(deps.keyUse.note(key, now));
      return await reply;
    } finally {
      await Promise.all(begun);
    }
  }

  return {
    route,
    create: (deps) => createPipeline(route, deps, (event, body, trace) => work(deps, event, body, trace)),
  };
}
