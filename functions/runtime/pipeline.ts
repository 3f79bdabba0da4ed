/** The one middy pipeline around every HTTP handler: request id, body, errors, one log line. */

import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { invalid, isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import { isUnavailable } from '../../shared/data/unavailable.ts';
import { admitBody, isBodyParseError } from './json-body.ts';
import type { Logger } from './logger.ts';
import { refusalReply, successReply } from './reply.ts';

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** What is known of a request while it is handled; the log line tells it. */
export interface RequestTrace {
  projectId?: string;
}

/** A handler's work: an event with its parsed body in, a reply or a refusal out. */
export type Work = (
  event: APIGatewayProxyEventV2,
  body: unknown,
  trace: RequestTrace,
) => Promise<object | Refusal>;

/** What a caller waits before trying again when a dependency did not answer. */
const RETRY_AFTER_SECONDS = 1;

function refusalOf(error: unknown): Refusal {
  if (isBodyParseError(error)) return invalid('', 'the body must be a JSON object');
  if (isUnavailable(error))
    return refuse('temporarily_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return refuse('internal_error');
}

export function createPipeline(route: Route, log: Logger, work: Work): HttpHandler {
  const traces = new WeakMap<object, RequestTrace>();

  function shape(
    event: APIGatewayProxyEventV2,
    reply: object,
    error?: unknown,
  ): APIGatewayProxyStructuredResultV2 {
    const { requestId } = event.requestContext;
    const shaped = isRefusal(reply)
      ? refusalReply(reply, requestId, route)
      : successReply(route, reply, requestId);
    const entry = {
      message: 'request',
      route: route.name,
      requestId,
      ...traces.get(event),
      ...(shaped.statusCode !== undefined && { status: shaped.statusCode }),
      ...(isRefusal(reply) && { code: reply.refused }),
    };
    if ((shaped.statusCode ?? 500) >= 500) log.error({ ...entry, error });
    else log.info(entry);
    return shaped;
  }

  const pipeline = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>().onError((request) => {
    const { error, event } = request;
    request.response = shape(event, refusalOf(error), error);
  });
  if (route.body === true) {
    pipeline.before(({ event }) => {
      const refusal = admitBody(event);
      return refusal && shape(event, refusal);
    });
    pipeline.use(httpJsonBodyParser({ disableContentTypeCheck: true }));
  }
  return pipeline.handler(async (event: APIGatewayProxyEventV2) => {
    const trace: RequestTrace = {};
    traces.set(event, trace);
    return shape(event, await work(event, route.body === true ? event.body : undefined, trace));
  });
}
