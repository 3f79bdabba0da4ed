import { expect, test } from 'vitest';
import { gatewayReply } from '../../local/gateway-reply.ts';

const text = (result: unknown) => gatewayReply(result)?.body.toString();

test('a structured result is the reply', () => {
  const result = {
    statusCode: 201,
    headers: { 'X-Count': 3, 'Content-Type': 'text/html' },
    cookies: ['a=1'],
    body: 'ü',
  };
  expect(gatewayReply(result)).toEqual({
    status: 201,
    headers: { 'x-count': '3', 'content-type': 'text/html' },
    cookies: ['a=1'],
    body: Buffer.from('ü'),
  });
});

test('without a content type it is plain text', () => {
  expect(gatewayReply({ statusCode: 200 })?.headers).toEqual({ 'content-type': 'text/plain;charset=UTF-8' });
});

test('a base64-encoded body is decoded', () => {
  const body = Buffer.from([0, 255, 31]);
  expect(
    gatewayReply({ statusCode: 200, isBase64Encoded: true, body: body.toString('base64') })?.body,
  ).toEqual(body);
});

test.each([
  [{ a: 1 }, '{"a":1}'],
  [['a'], '["a"]'],
  ['as it is', 'as it is'],
  [null, 'null'],
])('%j without a status code is 200 with JSON', (result, body) => {
  expect(gatewayReply(result)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json' },
  });
  expect(text(result)).toBe(body);
});

test.each([
  { statusCode: 'many' },
  { statusCode: 99 },
  { statusCode: 1000 },
  { statusCode: 200, body: { an: 'object' } },
  { statusCode: 200, headers: { nested: {} } },
  { statusCode: 200, headers: 'none' },
  { statusCode: 200, cookies: 'a=1' },
])('%j is unusable', (result) => {
  expect(gatewayReply(result)).toBeUndefined();
});
