import type { Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import { createLogger } from '../../../functions/runtime/logger.ts';
import { createPipeline } from '../../../functions/runtime/pipeline.ts';
import { routes } from '../../../shared/contract/routes.ts';
import { callEvent } from '../../support/service/test-service.ts';

const CAUSE = 'the disk with svc_pk_secret is full';

it.each([
  ['an error', new Error(CAUSE)],
  ['an error with a cause', new Error('outer', { cause: new TypeError(CAUSE) })],
  ['an error that looks like a refusal of the body', Object.assign(new Error(CAUSE), { statusCode: 422 })],
  [
    'an error that looks like a client error',
    Object.assign(new Error(CAUSE), { statusCode: 404, expose: true }),
  ],
  ['text', CAUSE],
  ['nothing', undefined],
  ['null', null],
])('500 when %s is thrown: the reply reveals nothing of it, and it is logged once', async (_, thrown) => {
  const lines: string[] = [];
  const log = createLogger((line) => lines.push(line));
  const handler = createPipeline(routes.bootstrap, { log }, () => Promise.reject(thrown));
  const event = callEvent({ route: routes.bootstrap }, { body: {} });
  const reply = await handler(event, {} as Context);
  const { error } = JSON.parse(reply.body ?? '');
  expect([reply.statusCode, error.code]).toEqual([500, 'internal_error']);
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'requestId']);
  expect(error.requestId).toBe(reply.headers?.['x-request-id']);
  expect(reply.body).not.toMatch(/disk|outer|TypeError|\.ts/);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', status: 500 });
});
