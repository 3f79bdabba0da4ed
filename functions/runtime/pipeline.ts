/** Wraps every HTTP handler (docs/contract.md §4.1). */

import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { isRefusal, MESSAGE_OF, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { type Route, statusOf } from '../../shared/contract/route.ts';
import { withDeadline } from '../../shared/data/table/deadline.ts';
import { isUnavailable } from '../../shared/data/table/unavailable.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { MetricName } from '../../shared/settings/metrics.ts';
import type { Logger } from './logger.ts';
import { parseBody } from './request-input.ts';

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export interface RequestTrace {
  projectId?: string;
  dropped?: readonly string[];
  readonly measures: { -readonly [Name in MetricName]?: number };
}

export type Count = (metric: MetricName, by?: number) => void;

export const countInto =
  ({ measures }: RequestTrace): Count =>
  (metric, by = 1) => {
    measures[metric] = (measures[metric] ?? 0) + by;
  };

export interface PipelineDependencies {
  readonly log: Logger;
  readonly clock?: (() => number) | undefined;
  /** In milliseconds. By default, the time that the route's timeout leaves. */
  readonly requestDeadlineMs?: number | undefined;
  readonly refusalPage?: (refusal: Refusal, event: APIGatewayProxyEventV2) => RawReply;
}

export type Work = (
  event: APIGatewayProxyEventV2,
  body: unknown,
  trace: RequestTrace,
) => Promise<object | Refusal>;

/** Reserved for checking a write whose outcome is unclear, and for the reply. */
const RESERVE_MS = 4 * SECOND;

const RETRY_AFTER_SECONDS = 1;

function toRefusal(error: unknown): Refusal {
  if (isUnavailable(error))
    return refuse('temporarily_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return refuse('internal_error');
}

export function createPipeline(
  route: Route,
  { log, clock = Date.now, requestDeadlineMs, refusalPage }: PipelineDependencies,
  work: Work,
): HttpHandler {
  const traces = new WeakMap<object, RequestTrace & { readonly startedAt: number }>();
  let isCold = true;

  function begin(event: APIGatewayProxyEventV2): void {
    traces.set(event, { startedAt: clock(), measures: isCold ? { cold_start: 1 } : {} });
    isCold = false;
  }

  function shapeRefusal(refusal: Refusal, event: APIGatewayProxyEventV2) {
    const { requestId } = event.requestContext;
    if (refusalPage === undefined) return refusalReply(refusal, requestId, route);
    return refusedPage(refusal, refusalPage(refusal, event), requestId, route);
  }

  function shape(
    event: APIGatewayProxyEventV2,
    given: object,
    error?: unknown,
  ): APIGatewayProxyStructuredResultV2 {
    const { requestId } = event.requestContext;
    const success = isRefusal(given) ? undefined : successReply(route, given, requestId);
    const isCarried = success !== undefined && !isTooLarge(success);
    const reply = isRefusal(given) || isCarried ? given : refuse('internal_error');
    const shaped = isRefusal(reply) ? shapeRefusal(reply, event) : (success ?? {});
    const { startedAt = clock(), measures = {}, projectId, dropped } = traces.get(event) ?? {};
    const entry = {
      message: 'request',
      route: route.name,
      requestId,
      ...(projectId !== undefined && { projectId }),
      ...(shaped.statusCode !== undefined && { status: shaped.statusCode }),
      ...(isRefusal(reply) && { code: reply.refused }),
      ...(dropped !== undefined && { dropped }),
      measures: {
        ...measures,
        latency: clock() - startedAt,
        ...(isRefusal(reply) && { refused: 1 }),
        ...(success !== undefined && !isCarried && { reply_too_large: 1 }),
      },
    };
    if ((shaped.statusCode ?? 500) >= 500) log.error({ ...entry, error });
    else log.info(entry);
    return shaped;
  }

  const pipeline = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>().onError((request) => {
    const { error, event } = request;
    request.response = shape(event, toRefusal(error), error);
  });
  pipeline.before(({ event }) => begin(event));
  if (route.body === true)
    pipeline.before(async (request) => {
      const refusal = await parseBody(request);
      return refusal && shape(request.event, refusal);
    });
  return pipeline.handler(async (event: APIGatewayProxyEventV2) => {
    const trace = traces.get(event) ?? { measures: {} };
    const deadlineMs = requestDeadlineMs ?? route.timeoutSeconds * SECOND - RESERVE_MS;
    return shape(
      event,
      await withDeadline(deadlineMs, () => work(event, route.body === true ? event.body : undefined, trace)),
    );
  });
}

export interface RawReply {
  readonly raw: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isBase64Encoded?: boolean;
  /** Instead of the route's own status. */
  readonly status?: 304;
}

const FIXED_HEADERS = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
} as const;

const JSON_HEADERS = {
  ...FIXED_HEADERS,
  'content-type': 'application/json',
  'cache-control': 'no-store',
} as const;

export function jsonReply(json: string): RawReply {
  return { raw: json, headers: { 'content-type': JSON_HEADERS['content-type'] } };
}

function isRawReply(reply: object): reply is RawReply {
  return 'raw' in reply;
}

/** AWS quota of a synchronous invocation, including the escapes of JSON text. */
export const PAYLOAD_LIMIT_BYTES = 6 * 1_024 * 1_024;
const RESERVE_BYTES = 1_024;
/** JSON escapes a character with at most six bytes. */
const MOST_BYTES_PER_CHARACTER = 6;

function isTooLarge(reply: APIGatewayProxyStructuredResultV2): boolean {
  const limit = PAYLOAD_LIMIT_BYTES - RESERVE_BYTES;
  if ((reply.body?.length ?? 0) * MOST_BYTES_PER_CHARACTER < limit) return false;
  return Buffer.byteLength(JSON.stringify(reply)) > limit;
}

function rawReply(
  statusCode: number,
  { raw, headers, isBase64Encoded = false }: RawReply,
  requestId: string,
): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: { ...FIXED_HEADERS, 'cache-control': 'no-store', ...headers, 'x-request-id': requestId },
    body: raw,
    isBase64Encoded,
  };
}

function refusedPage(
  { refused, retryAfterSeconds }: Refusal,
  { raw, headers }: RawReply,
  requestId: string,
  route: Route,
): APIGatewayProxyStructuredResultV2 {
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return rawReply(statusOf(refused, route), { raw, headers: { ...headers, ...wait } }, requestId);
}

function successReply(route: Route, reply: object, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { status } = route.success;
  if (isRawReply(reply)) return rawReply(reply.status ?? status, reply, requestId);
  return {
    statusCode: status,
    headers: { ...JSON_HEADERS, 'x-request-id': requestId },
    body: JSON.stringify(reply),
  };
}

function refusalReply(
  { refused, issues, details, retryAfterSeconds }: Refusal,
  requestId: string,
  route?: Route,
): APIGatewayProxyStructuredResultV2 {
  const error = { code: refused, message: MESSAGE_OF[refused], requestId, issues, details };
  return {
    statusCode: statusOf(refused, route),
    headers: {
      ...JSON_HEADERS,
      'x-request-id': requestId,
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    body: JSON.stringify({ error }),
  };
}
