import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { type CorsSettings, preflightReply, withCors } from './gateway-cors.ts';
import { gatewayEvent, splitTarget } from './gateway-event.ts';
import { type GatewayReply, gatewayReply, refusal } from './gateway-reply.ts';
import { invokeLambda } from './lambda-invocation.ts';
import { listen } from './listen.ts';
import { readBody } from './request-body.ts';

/** AWS quota: HTTP API payload, 10 MB. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
/** AWS quota: HTTP API integration time-out, 30 s. */
const INTEGRATION_TIMEOUT_MS = 30_000;

export type GatewayHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export interface GatewayTarget {
  readonly handler: GatewayHandler;
  readonly functionName: string;
  /** The function's time-out in milliseconds; by default, and at most, the gateway's 30 s. */
  readonly timeoutMs?: number;
}

export interface GatewayRoute extends GatewayTarget {
  readonly method: string;
  /** Matched exactly. */
  readonly path: string;
}

export interface GatewayOptions {
  readonly routes: readonly GatewayRoute[];
  /** The `$default` route: every method and path no route names, `HEAD` of a `GET` route included. */
  readonly fallback: GatewayTarget;
  readonly cors: CorsSettings;
  /** 0 takes any free one. */
  readonly port: number;
  readonly host?: string;
  /** Told what a function threw or why its result was unusable; the client learns nothing of it. */
  readonly onFailure?: (routeKey: string, error: unknown) => void;
}

export interface Gateway {
  readonly port: number;
  readonly url: string;
  /** Accepts nothing new, answers what is under way, waiting at most `graceMs` (default 5,000), then closes every connection. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Serves Lambda handlers over HTTP as an API Gateway HTTP API does (payload format 2.0, CORS at the gateway).
 *
 * @throws {LocalError} `port_in_use`, `port_forbidden`
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const routes = new Map(options.routes.map((route) => [`${route.method} ${route.path}`, route]));
  let stopping = false;
  const server = createServer((request, response) => {
    answer(request, options, routes).then(
      ({ reply, requestId }) => send(response, reply, requestId, stopping),
      () => response.destroy(),
    );
  });
  const host = options.host ?? '127.0.0.1';
  const port = await listen(server, options.port, host);
  return {
    port,
    url: `http://${host === '127.0.0.1' ? 'localhost' : host}:${port}`,
    stop: (graceMs = 5_000) => {
      stopping = true;
      return new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}

/** Rejects only when the client has gone before its request was complete. */
async function answer(
  request: IncomingMessage,
  { fallback, cors, onFailure }: GatewayOptions,
  routes: ReadonlyMap<string, GatewayRoute>,
): Promise<{ reply: GatewayReply; requestId: string }> {
  const requestId = randomUUID();
  const { method = '', url: target = '/', headers } = request;
  const preflight = preflightReply(method, headers, cors);
  if (preflight) return { reply: preflight, requestId };
  const body = await readBody(request, BODY_LIMIT_BYTES);
  if (body === undefined) return { reply: refusal(413, 'Request Too Long'), requestId };

  const route = routes.get(`${method} ${splitTarget(target).path}`);
  const routeKey = route ? `${route.method} ${route.path}` : '$default';
  const { handler, functionName, timeoutMs = INTEGRATION_TIMEOUT_MS } = route ?? fallback;
  const event = gatewayEvent(
    {
      method,
      target,
      rawHeaders: request.rawHeaders,
      body,
      sourceIp: request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
      port: request.socket.localPort ?? 0,
      httpVersion: request.httpVersion,
    },
    { requestId, routeKey, now: Date.now() },
  );
  const outcome = await invokeLambda(handler, event, {
    functionName,
    timeoutMs: Math.min(timeoutMs, INTEGRATION_TIMEOUT_MS),
  });
  switch (outcome.kind) {
    case 'returned': {
      const reply = gatewayReply(outcome.result);
      if (reply) return { reply: withCors(reply, headers.origin, cors), requestId };
      onFailure?.(routeKey, new Error('The result is not one API Gateway understands.'));
      return { reply: refusal(500, 'Internal Server Error'), requestId };
    }
    case 'failed':
      onFailure?.(routeKey, outcome.error);
      return { reply: refusal(500, 'Internal Server Error'), requestId };
    case 'timed_out':
      onFailure?.(routeKey, new Error(`No result within ${timeoutMs} ms.`));
      return { reply: refusal(503, 'Service Unavailable'), requestId };
    case 'event_too_large':
      return { reply: refusal(413, 'Request Too Long'), requestId };
  }
}

function send(response: ServerResponse, reply: GatewayReply, requestId: string, last: boolean): void {
  try {
    response.statusCode = reply.status;
    for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
    if (reply.cookies.length > 0) response.setHeader('set-cookie', reply.cookies);
  } catch {
    // A header Node refuses to send; API Gateway answers 500 as well.
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    send(response, refusal(500, 'Internal Server Error'), requestId, last);
    return;
  }
  response.setHeader('apigw-requestid', requestId);
  if (last) response.setHeader('connection', 'close');
  if (reply.status !== 204 && reply.status !== 304) response.setHeader('content-length', reply.body.length);
  response.end(reply.body);
}
