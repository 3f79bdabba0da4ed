import type { Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import { createLogger } from '../../functions/runtime/logger.ts';
import { unknownPath } from '../../functions/unknown-path.ts';
import { CORS } from '../../shared/contract/route.ts';
import { callEvent } from '../support/service/test-service.ts';

it('404 for any method and path, in our error format, without logging query or body', async () => {
  const logs: string[] = [];
  const handler = unknownPath.createOpen({ log: createLogger((line) => logs.push(line)) });
  const event = callEvent(unknownPath, {
    method: 'PATCH',
    path: '/v2/none',
    query: { key: 'svc_pk_hidden' },
    rawBody: 'not json',
  });
  const reply = await handler(event, {} as Context);
  expect(reply.statusCode).toBe(404);
  expect(reply.headers?.['x-request-id']).toBe(event.requestContext.requestId);
  expect(JSON.parse(reply.body ?? '')).toEqual({
    error: {
      code: 'not_found',
      message: expect.any(String),
      requestId: event.requestContext.requestId,
    },
  });
  expect(logs).toHaveLength(1);
  expect(logs[0]).not.toMatch(/hidden|not json/);
});

it('answers a preflight that the gateway passes to the default route', async () => {
  const handler = unknownPath.createOpen({ log: createLogger(() => undefined) });
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
  const ask = (method: string, sent: Record<string, string>) =>
    handler(callEvent(unknownPath, { method, path: '/v1/sdk/responses', headers: sent }), {} as Context);
  expect(await ask('OPTIONS', headers)).toMatchObject({
    statusCode: 200,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': CORS.allowHeaders.join(','),
    },
  });
  expect((await ask('OPTIONS', {})).statusCode).toBe(404);
  expect((await ask('POST', headers)).statusCode).toBe(404);
});
