import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { gatewayEvent, gatewayReply, splitTarget } from '../../local/gateway-messages.ts';

const now = Date.UTC(2026, 2, 5, 19, 3, 58, 250);

class FakeSocket extends Socket {
  override readonly remoteAddress = '::ffff:192.0.2.7';
  override readonly localPort = 8787;
}

function eventOf({ url = '/v1/thing', rawHeaders = ['Host', 'api.example:8787'], body = Buffer.alloc(0) }) {
  const request = new IncomingMessage(new FakeSocket());
  Object.assign(request, { method: 'POST', url, rawHeaders, httpVersion: '1.1' });
  return gatewayEvent(request, body, { requestId: 'request-1', routeKey: 'POST /v1/thing', now });
}

test('names request, route, caller and time in the request context', () => {
  const rawHeaders = ['Host', 'api.example:8787', 'User-Agent', 'tests'];
  expect(eventOf({ rawHeaders }).requestContext).toEqual({
    accountId: '000000000000',
    apiId: 'local',
    domainName: 'api.example:8787',
    domainPrefix: 'api',
    http: {
      method: 'POST',
      path: '/v1/thing',
      protocol: 'HTTP/1.1',
      sourceIp: '192.0.2.7',
      userAgent: 'tests',
    },
    requestId: 'request-1',
    routeKey: 'POST /v1/thing',
    stage: '$default',
    time: '05/Mar/2026:19:03:58 +0000',
    timeEpoch: now,
  });
});

test('lowercases and joins headers, drops connection headers, and adds the caller', () => {
  const rawHeaders = ['X-Thing', 'a', 'x-thing', 'b', 'Connection', 'close', 'Cookie', 'c=1', 'HOST', 'h'];
  expect(eventOf({ rawHeaders }).headers).toEqual({
    'x-thing': 'a,b',
    host: 'h',
    'content-length': '0',
    'x-forwarded-for': '192.0.2.7',
    'x-forwarded-port': '8787',
    'x-forwarded-proto': 'http',
  });
  const forwarded = eventOf({ rawHeaders: ['X-Forwarded-For', '198.51.100.1'] });
  expect(forwarded.headers['x-forwarded-for']).toBe('198.51.100.1, 192.0.2.7');
});

test('decodes and joins query parameters, and keeps the raw query', () => {
  const event = eventOf({ url: '/v1/thing?a=1&a=2&b=x%20y+z&flag&%C3%BC=%E2%82%AC&__proto__=1' });
  expect(event.rawPath).toBe('/v1/thing');
  expect(event.rawQueryString).toBe('a=1&a=2&b=x%20y+z&flag&%C3%BC=%E2%82%AC&__proto__=1');
  expect(Object.entries(event.queryStringParameters ?? {})).toEqual([
    ['a', '1,2'],
    ['b', 'x y z'],
    ['flag', ''],
    ['ü', '€'],
    ['__proto__', '1'],
  ]);
  expect(eventOf({ url: '/v1/thing?' })).not.toHaveProperty('queryStringParameters');
});

test.each(['%', '%zz', '%E0%A4', 'a=%&b=%FF', '&&&', '=', '='.repeat(9000)])(
  'accepts the malformed query %j',
  (query) => {
    expect(eventOf({ url: `/v1/thing?${query}` }).rawQueryString).toBe(query);
  },
);

test.each([
  ['/v1/thing', '/v1/thing', ''],
  ['/v1/thing?a=b?c', '/v1/thing', 'a=b?c'],
  ['http://host:1/v1/thing?a=b', '/v1/thing', 'a=b'],
  ['http://host', '/', ''],
  ['http://host?a=b', '/', 'a=b'],
  ['//v1/thing', '//v1/thing', ''],
  ['/a#b?c', '/a', ''],
  ['*', '*', ''],
  ['', '/', ''],
])('splits the target %j into path %j and query %j', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query });
});

test.each([
  ['text/plain;charset=UTF-8', true],
  ['TEXT/html', true],
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/xml', true],
  ['application/octet-stream', false],
  ['application/x-www-form-urlencoded', false],
  ['application/vnd.api+json', false],
  ['', false],
])('passes a body of type %j as text: %j', (type, isText) => {
  const body = Buffer.from('{"a":"ü"}');
  const event = eventOf({ rawHeaders: ['Content-Type', type], body });
  expect(event.isBase64Encoded).toBe(!isText);
  expect(event.body).toBe(body.toString(isText ? 'utf8' : 'base64'));
  expect(event.headers['content-length']).toBe('10');
});

test('omits an empty body', () => {
  expect(eventOf({})).not.toHaveProperty('body');
  expect(eventOf({}).isBase64Encoded).toBe(false);
});

test('returns a result with a status, as plain text by default', () => {
  const headers = { 'X-Count': 3, 'Content-Type': 'text/html' };
  expect(gatewayReply({ statusCode: 201, headers, body: 'ü' })).toEqual({
    status: 201,
    headers: { 'x-count': '3', 'content-type': 'text/html' },
    body: Buffer.from('ü'),
  });
  expect(gatewayReply({ statusCode: 200 })?.headers).toEqual({ 'content-type': 'text/plain;charset=UTF-8' });
});

test('decodes a base64 body', () => {
  const body = Buffer.from([0, 255, 31]);
  const reply = gatewayReply({ statusCode: 200, isBase64Encoded: true, body: body.toString('base64') });
  expect(reply?.body).toEqual(body);
});

test.each([
  null,
  'a text',
  { a: 1 },
  { statusCode: 'many' },
  { statusCode: 99 },
  { statusCode: 1000 },
  { statusCode: 200, body: { an: 'object' } },
  { statusCode: 200, headers: { nested: {} } },
  { statusCode: 200, headers: 'none' },
])('rejects the result %j', (result) => {
  expect(gatewayReply(result)).toBeUndefined();
});
