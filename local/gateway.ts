import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { type GatewayReply, gatewayEvent, gatewayReply, refusal, splitTarget } from './gateway-messages.ts';
import { invokeLambda } from './lambda-invocation.ts';
import { listen } from './listen.ts';

/** AWS quota: HTTP API payload. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
/** AWS quota: HTTP API integration timeout. */
const INTEGRATION_TIMEOUT_MS = 30_000;

export type GatewayHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

interface GatewayTarget {
  readonly handler: GatewayHandler;
  readonly functionName: string;
  /** 30 s by default and at most. */
  readonly timeoutMs?: number;
}

export interface GatewayRoute extends GatewayTarget {
  readonly method: string;
  /** Braces match any single path segment. */
  readonly path: string;
}

interface CorsSettings {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAge: number;
}

export interface GatewayOptions {
  readonly routes: readonly GatewayRoute[];
  readonly fallback: GatewayTarget;
  readonly cors: CorsSettings;
  /** Port 0 selects a free one. */
  readonly port: number;
  /** Receives a thrown error, or the reason why the result is unusable. */
  readonly onFailure?: (routeKey: string, error: unknown) => void;
}

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** Long enough that clients that poll regularly never meet a closing connection. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Behaves as an API Gateway HTTP API (payload format 2.0, CORS at the gateway).
 * @throws {LocalError} `port_in_use`, `port_forbidden`
 */
export async function startGateway(options: GatewayOptions) {
  const routes = new Map(options.routes.map((route) => [`${route.method} ${route.path}`, route]));
  let stopping = false;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const requestId = randomUUID();
    answer(request, requestId, options, routes).then(
      (reply) => send(response, reply, requestId, stopping),
      () => response.destroy(),
    );
  });
  const port = await listen(server, options.port, '127.0.0.1');
  return {
    port,
    url: `http://localhost:${port}`,
    /** Waits up to `graceMs` for current requests. */
    stop: (graceMs = 5_000) => {
      stopping = true;
      return new Promise<void>((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}

/** API Gateway prefers exact paths. */
function findPattern(
  routes: ReadonlyMap<string, GatewayRoute>,
  method: string,
  path: string,
): GatewayRoute | undefined {
  const parts = path.split('/');
  return [...routes.values()].find((route) => {
    const wanted = route.path.split('/');
    const fits = (part: string, index: number) =>
      part === parts[index] || (/^\{.+\}$/.test(part) && parts[index] !== '');
    return route.method === method && wanted.length === parts.length && wanted.every(fits);
  });
}

/** Rejects only after the client disconnected. */
async function answer(
  request: IncomingMessage,
  requestId: string,
  { fallback, cors, onFailure }: GatewayOptions,
  routes: ReadonlyMap<string, GatewayRoute>,
): Promise<GatewayReply> {
  const { method = '', url = '/', headers } = request;
  if (method === 'OPTIONS' && headers.origin && headers['access-control-request-method'])
    return { status: 204, headers: corsHeaders(headers.origin, cors, true), body: Buffer.alloc(0) };
  const body = await readBody(request);
  if (body === undefined) return refusal(413, 'Request Too Long');

  const { path } = splitTarget(url);
  const route = routes.get(`${method} ${path}`) ?? findPattern(routes, method, path);
  const routeKey = route ? `${route.method} ${route.path}` : '$default';
  const { handler, functionName, timeoutMs = INTEGRATION_TIMEOUT_MS } = route ?? fallback;
  const event = gatewayEvent(request, body, { requestId, routeKey, now: Date.now() });
  const limits = { functionName, timeoutMs: Math.min(timeoutMs, INTEGRATION_TIMEOUT_MS) };
  const outcome = await invokeLambda(handler, event, limits);
  const failed = (status: number, message: string, error: unknown): GatewayReply => {
    onFailure?.(routeKey, error);
    return refusal(status, message);
  };
  switch (outcome.kind) {
    case 'returned': {
      const reply = gatewayReply(outcome.result);
      if (reply === undefined)
        return failed(
          500,
          'Internal Server Error',
          new Error('The result is none that API Gateway can use.'),
        );
      // API Gateway drops functions' own CORS headers.
      const own = Object.entries(reply.headers).filter(([name]) => !name.startsWith('access-control-'));
      return {
        ...reply,
        headers: { ...Object.fromEntries(own), ...corsHeaders(headers.origin, cors, false) },
      };
    }
    case 'failed':
      return failed(500, 'Internal Server Error', outcome.error);
    case 'timed_out':
      return failed(503, 'Service Unavailable', new Error(`No result within ${limits.timeoutMs} ms.`));
    case 'event_too_large':
      return refusal(413, 'Request Too Long');
  }
}

function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) {
      request.resume();
      resolve(undefined);
      return;
    }
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_LIMIT_BYTES) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The client went away.')));
  });
}

function corsHeaders(origin: string | undefined, cors: CorsSettings, isPreflight: boolean) {
  const allowed = cors.allowOrigins.find((each) => each === '*' || each === origin);
  if (origin === undefined || allowed === undefined) return {};
  return {
    'access-control-allow-origin': allowed,
    'access-control-expose-headers': cors.exposeHeaders.join(','),
    ...(isPreflight && {
      'access-control-allow-methods': cors.allowMethods.join(','),
      'access-control-allow-headers': cors.allowHeaders.join(','),
      'access-control-max-age': String(cors.maxAge),
    }),
  };
}

function send(response: ServerResponse, reply: GatewayReply, requestId: string, isLast: boolean): void {
  const { status, headers, body } = reply;
  try {
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  } catch {
    // Node rejected a header. API Gateway also returns 500.
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    send(response, refusal(500, 'Internal Server Error'), requestId, isLast);
    return;
  }
  response.setHeader('apigw-requestid', requestId);
  if (isLast) response.setHeader('connection', 'close');
  if (status !== 204 && status !== 304) response.setHeader('content-length', body.length);
  response.end(body);
}
