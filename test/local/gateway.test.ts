import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createConnection, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type GatewayHandler,
  type GatewayOptions,
  type GatewayRoute,
  startGateway,
} from '../../local/gateway.ts';
import { listen } from '../../local/listen.ts';

const cors = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['content-type'],
  exposeHeaders: ['retry-after', 'x-request-id'],
  maxAge: 7200,
};
const echo: GatewayHandler = async (event) => ({ statusCode: 200, body: JSON.stringify(event) });
const unknownPath: GatewayHandler = async (event) => ({
  statusCode: 404,
  body: `no ${event.routeKey} ${event.rawPath}`,
});

const route = (
  method: string,
  path: string,
  handler: GatewayHandler,
  more: Partial<GatewayRoute> = {},
): GatewayRoute => ({
  method,
  path,
  handler,
  functionName: 'tested',
  ...more,
});

async function start(routes: GatewayRoute[], more: Partial<GatewayOptions> = {}) {
  const fallback = { handler: unknownPath, functionName: 'fallback' };
  const gateway = await startGateway({ routes, fallback, cors, port: 0, ...more });
  onTestFinished(() => gateway.stop(0));
  return gateway;
}

/** Sends raw bytes and returns everything that is received until the connection closes. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  socket.end(bytes);
  return text(socket);
}

test('passes a request to its handler as an event, and returns the result', async () => {
  const { url } = await start([route('POST', '/v1/echo', echo)]);
  const response = await fetch(`${url}/v1/echo?a=1&a=2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"x":1}',
  });
  expect(response.status).toBe(200);
  const event: APIGatewayProxyEventV2 = JSON.parse(await response.text());
  expect(event).toMatchObject({
    routeKey: 'POST /v1/echo',
    queryStringParameters: { a: '1,2' },
    body: '{"x":1}',
    requestContext: { http: { method: 'POST', sourceIp: '127.0.0.1' } },
  });
  expect(response.headers.get('apigw-requestid')).toBe(event.requestContext.requestId);
});

test('passes binary bodies unchanged in both directions', async () => {
  const { url } = await start([
    route('POST', '/bytes', async ({ body = '', isBase64Encoded }) => ({
      statusCode: 200,
      body,
      isBase64Encoded,
    })),
  ]);
  const body = new Uint8Array([0, 159, 146, 150, 255]);
  const response = await fetch(`${url}/bytes`, { method: 'POST', body });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(body);
});

test('sends unknown paths and methods to the default route, HEAD included', async () => {
  const { url } = await start([route('GET', '/thing', echo), route('DELETE', '/thing', echo)]);
  const unknown = await fetch(`${url}/nothing`);
  expect([unknown.status, await unknown.text()]).toEqual([404, 'no $default /nothing']);
  expect((await fetch(`${url}/thing`, { method: 'PUT' })).status).toBe(404);
  expect((await fetch(`${url}/thing`, { method: 'HEAD' })).status).toBe(404);
  expect((await fetch(`${url}/thing`, { method: 'DELETE' })).status).toBe(200);
});

test('matches a part in braces with any part, but prefers an exact path', async () => {
  const { url } = await start([
    route('GET', '/l/{token}', echo),
    route('HEAD', '/l/{token}', echo),
    route('GET', '/l/exact', echo),
  ]);
  const keyOf = async (path: string) => {
    const reply = await fetch(`${url}${path}`);
    return reply.status === 200 ? JSON.parse(await reply.text()).routeKey : reply.status;
  };
  expect(await keyOf('/l/abc-_.d?x=1')).toBe('GET /l/{token}');
  expect(await keyOf('/l/exact')).toBe('GET /l/exact');
  for (const path of ['/l/', '/l', '/l/a/b']) expect(await keyOf(path)).toBe(404);
  expect((await fetch(`${url}/l/abc`, { method: 'HEAD' })).status).toBe(200);
});

test('answers preflight requests for any path', async () => {
  const { url } = await start([]);
  const response = await fetch(`${url}/anything`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
  });
  expect(response.status).toBe(204);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET,POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '7200',
  });
  expect(response.headers.has('access-control-allow-credentials')).toBe(false);
});

test('treats OPTIONS without an origin as an ordinary request', async () => {
  const { url } = await start([]);
  expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(404);
});

test('adds its own CORS headers and drops those of the function', async () => {
  const own = {
    'Access-Control-Allow-Origin': 'https://evil.example',
    'access-control-allow-credentials': 'true',
  };
  const { url } = await start([route('GET', '/', async () => ({ statusCode: 200, headers: own }))]);
  const crossOrigin = await fetch(url, { headers: { origin: 'https://shop.example' } });
  expect(crossOrigin.headers.get('access-control-allow-origin')).toBe('*');
  expect(crossOrigin.headers.get('access-control-expose-headers')).toBe('retry-after,x-request-id');
  expect(crossOrigin.headers.has('access-control-allow-credentials')).toBe(false);
  const sameOrigin = await fetch(url);
  expect([...sameOrigin.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('allows only listed origins', async () => {
  const listed = { ...cors, allowOrigins: ['https://shop.example'] };
  const { url } = await start([route('GET', '/', echo)], { cors: listed });
  const allowed = await fetch(url, { headers: { origin: 'https://shop.example' } });
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  const other = await fetch(url, { headers: { origin: 'https://other.example' } });
  expect(other.headers.has('access-control-allow-origin')).toBe(false);
});

test('creates a new context for each invocation', async () => {
  const contexts: Context[] = [];
  const { url } = await start([
    route(
      'GET',
      '/',
      async (_, context) => {
        contexts.push(context);
        return { statusCode: 200, body: String(context.getRemainingTimeInMillis()) };
      },
      { timeoutMs: 20_000 },
    ),
  ]);
  const remaining = Number(await (await fetch(url)).text());
  await fetch(url);
  expect(remaining).toBeGreaterThan(0);
  expect(remaining).toBeLessThanOrEqual(20_000);
  expect(contexts.map(({ functionName }) => functionName)).toEqual(['tested', 'tested']);
  expect(new Set(contexts.map(({ awsRequestId }) => awsRequestId)).size).toBe(2);
});

test.each<[string, number, string, GatewayHandler, number?]>([
  ['throws', 500, 'Internal Server Error', async () => Promise.reject(new Error('secret'))],
  [
    'throws at once',
    500,
    'Internal Server Error',
    () => {
      throw new Error('secret');
    },
  ],
  ['answers nonsense', 500, 'Internal Server Error', async () => ({ statusCode: 7 })],
  [
    'sends a header that is none',
    500,
    'Internal Server Error',
    async () => ({ statusCode: 200, headers: { 'a b': 'c' } }),
  ],
  [
    'answers more than 6 MB',
    500,
    'Internal Server Error',
    async () => ({ statusCode: 200, body: 'x'.repeat(6_300_000) }),
  ],
  ['never answers', 503, 'Service Unavailable', () => new Promise(() => undefined), 1],
])('hides the failure of a handler that %s behind %i', async (_, status, message, handler, timeoutMs) => {
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  const { url } = await start([route('GET', '/', handler, limit)]);
  const response = await fetch(url);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ message });
});

test('reports what a handler threw', async () => {
  const onFailure = vi.fn();
  const failure = new Error('secret');
  const { url } = await start([route('GET', '/', () => Promise.reject(failure))], { onFailure });
  await fetch(url);
  expect(onFailure).toHaveBeenCalledWith('GET /', failure);
});

test('rejects bodies over 10 MB and events over 6 MB with 413, and keeps the connection', async () => {
  const { url } = await start([route('POST', '/', async () => ({ statusCode: 200 }))]);
  const post = async (body: string) => {
    const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'text/plain' } });
    return [response.status, await response.text()];
  };
  const refused = [413, '{"message":"Request Too Long"}'];
  expect(await post('x'.repeat(10 * 1024 * 1024 + 1))).toEqual(refused);
  expect(await post('x'.repeat(7 * 1024 * 1024))).toEqual(refused);
  expect(await post('x'.repeat(5 * 1024 * 1024))).toEqual([200, '']);
});

test('rejects a body over 10 MB of unknown length with 413', async () => {
  const { port } = await start([route('POST', '/', async () => ({ statusCode: 200 }))]);
  const request = httpRequest({ port, method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
  const responded = once(request, 'response');
  for (let i = 0; i < 11; i++) request.write(Buffer.alloc(1024 * 1024));
  request.end();
  const [response] = await responded;
  expect(response.statusCode).toBe(413);
});

test.each([
  ['a malformed escape', 'GET /%zz?%=%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '404'],
  ['an absolute target', 'GET http://x/known?a=b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '200'],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '404'],
  ['a very long target', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, '431'],
  ['no HTTP at all', 'hello\r\n\r\n', '400'],
  ['HTTP/1.0', 'GET /known HTTP/1.0\r\n\r\n', '200'],
])('answers %s', async (_, bytes, status) => {
  const { url, port } = await start([route('GET', '/known', async () => ({ statusCode: 200 }))]);
  expect((await raw(port, bytes)).split(' ')[1]).toBe(status);
  expect((await fetch(`${url}/known`)).status).toBe(200);
});

test('survives a client that disconnects in the middle of its body', async () => {
  const handler = vi.fn(echo);
  const { url, port } = await start([route('POST', '/', handler)]);
  const socket = createConnection(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy());
  await once(socket, 'close');
  expect((await fetch(url, { method: 'POST' })).status).toBe(200);
  expect(handler).toHaveBeenCalledTimes(1);
});

test('finishes requests when it stops, accepts no new ones, and closes idle connections', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const gateway = await start([
    route('GET', '/slow', async () => {
      enter();
      await released;
      return { statusCode: 200, body: 'done' };
    }),
  ]);
  await fetch(`${gateway.url}/idle`).then((response) => response.text());
  const underWay = fetch(`${gateway.url}/slow`);
  await entered;
  const stopped = gateway.stop();
  await expect(fetch(gateway.url)).rejects.toThrow();
  release();
  expect(await (await underWay).text()).toBe('done');
  await stopped;
});

test('does not wait for a handler forever when it stops', async () => {
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const gateway = await start([route('GET', '/', () => new Promise(() => enter()))]);
  const underWay = fetch(gateway.url);
  await entered;
  await Promise.all([gateway.stop(0), expect(underWay).rejects.toThrow()]);
});

/** Root may use every port, so the refusal is simulated. */
class ForbiddenServer extends Server {
  override listen() {
    queueMicrotask(() => this.emit('error', Object.assign(new Error('listen EACCES'), { code: 'EACCES' })));
    return this;
  }
}

test('reports a port that the user may not use as a typed error', async () => {
  await expect(listen(new ForbiddenServer(), 80, '127.0.0.1')).rejects.toMatchObject({
    code: 'port_forbidden',
    message: expect.stringContaining('80'),
  });
});
