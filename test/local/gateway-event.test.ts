import { expect, test } from 'vitest';
import { gatewayEvent, type ReceivedRequest, splitTarget } from '../../local/gateway-event.ts';

const received: ReceivedRequest = {
  method: 'POST',
  target: '/v1/thing',
  rawHeaders: ['Host', 'api.example:8787', 'User-Agent', 'tests'],
  body: Buffer.alloc(0),
  sourceIp: '192.0.2.7',
  port: 8787,
  httpVersion: '1.1',
};
const invocation = {
  requestId: 'request-1',
  routeKey: 'POST /v1/thing',
  now: Date.UTC(2026, 2, 5, 19, 3, 58, 250),
};

const eventOf = (request: Partial<ReceivedRequest>) => gatewayEvent({ ...received, ...request }, invocation);

test('the request context names request, route, caller and time', () => {
  expect(eventOf({}).requestContext).toEqual({
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
    timeEpoch: invocation.now,
  });
});

test('header names are lower-cased and duplicates joined', () => {
  const { headers } = eventOf({
    rawHeaders: ['X-Thing', 'a', 'x-thing', 'b', 'Connection', 'close', 'HOST', 'h'],
  });
  expect(headers).toMatchObject({
    'x-thing': 'a,b',
    host: 'h',
    'x-forwarded-for': '192.0.2.7',
    'x-forwarded-proto': 'http',
  });
  expect(headers).not.toHaveProperty('connection');
});

test('the caller is appended to x-forwarded-for', () => {
  const { headers } = eventOf({ rawHeaders: ['X-Forwarded-For', '198.51.100.1'] });
  expect(headers['x-forwarded-for']).toBe('198.51.100.1, 192.0.2.7');
});

test('cookies have a field of their own', () => {
  const event = eventOf({ rawHeaders: ['Cookie', 'a=1; b=2', 'Cookie', 'c=3'] });
  expect(event.cookies).toEqual(['a=1', 'b=2', 'c=3']);
  expect(event.headers).not.toHaveProperty('cookie');
  expect(eventOf({})).not.toHaveProperty('cookies');
});

test('query parameters are decoded, duplicates joined; the raw query stays as it was', () => {
  const event = eventOf({ target: '/v1/thing?a=1&a=2&b=x%20y+z&empty=&flag&%C3%BC=%E2%82%AC' });
  expect(event.rawPath).toBe('/v1/thing');
  expect(event.rawQueryString).toBe('a=1&a=2&b=x%20y+z&empty=&flag&%C3%BC=%E2%82%AC');
  expect(event.queryStringParameters).toEqual({ a: '1,2', b: 'x y z', empty: '', flag: '', ü: '€' });
  expect(eventOf({ target: '/v1/thing?' })).not.toHaveProperty('queryStringParameters');
});

test('a parameter named like an object built-in is a parameter', () => {
  const parameters = eventOf({ target: '/?__proto__=1&constructor=2' }).queryStringParameters;
  expect(Object.entries(parameters ?? {})).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});

test.each(['%', '%zz', '%E0%A4', 'a=%&b=%FF', '&&&', '=', '='.repeat(9000)])(
  'the malformed query %j is no error',
  (query) => {
    expect(eventOf({ target: `/v1/thing?${query}` }).rawQueryString).toBe(query);
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
])('the target %j has path %j and query %j', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query });
});

test.each([
  'text/plain;charset=UTF-8',
  'TEXT/html',
  'application/json',
  'application/json; charset=utf-8',
  'application/xml',
])('a body of type %s is text', (type) => {
  const event = eventOf({ rawHeaders: ['Content-Type', type], body: Buffer.from('{"a":"ü"}') });
  expect(event).toMatchObject({ body: '{"a":"ü"}', isBase64Encoded: false });
  expect(event.headers['content-length']).toBe('10');
});

test.each([
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'application/vnd.api+json',
  undefined,
])('a body of type %s is base64', (type) => {
  const body = Buffer.from([0, 255, 128, 65]);
  const event = eventOf({ rawHeaders: type ? ['Content-Type', type] : [], body });
  expect(event.isBase64Encoded).toBe(true);
  expect(Buffer.from(event.body ?? '', 'base64')).toEqual(body);
});

test('no body is no body', () => {
  expect(eventOf({})).not.toHaveProperty('body');
  expect(eventOf({}).isBase64Encoded).toBe(false);
});
