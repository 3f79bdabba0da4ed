/** Either the erasure is done and its event sent, or the reply is 503 and nothing was deleted. */

import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { createEventOutlet, createEventQueue } from '../../shared/data/events/event-outlet.ts';
import { linkedAnswer, NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { scanAll } from '../support/scan-all.ts';
import { serveInTest } from '../support/serve.ts';
import { createTestService } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';

const say = (response: ServerResponse, status: number, body: object | string) =>
  void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));

const FAULTS = {
  throttled: (response) => say(response, 400, { __type: 'com.amazonaws.sqs#RequestThrottled' }),
  broken: (response) => say(response, 500, { __type: 'InternalFailure' }),
  'a page': (response) => say(response, 503, '<html></html>'),
  'a page of 200': (response) => say(response, 200, '<html></html>'),
  'without its key': (response) => say(response, 400, { __type: 'com.amazonaws.sqs#KmsThrottled' }),
  reset: (response) => void response.destroy(),
  refused: (response) => say(response, 200, { Failed: [{ Id: '0', Code: 'InternalError' }] }),
} satisfies Record<string, (response: ServerResponse) => void>;

const healthy = await createTestService({ table: await createTestTable() });
afterEach(() => {
  vi.unstubAllEnvs();
});

async function startQueue(fault: keyof typeof FAULTS, times: number) {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  const kept: string[] = [];
  let asked = 0;
  const url = await serveInTest(async (request, response) => {
    const body = JSON.stringify(await json(request));
    asked += 1;
    if (asked <= times) return FAULTS[fault](response);
    kept.push(body);
    say(response, 200, { Successful: [{ Id: '0' }] });
  });
  return { kept, outlet: createEventOutlet(createEventQueue(`${url}/1/events`)) };
}

const CASES = (Object.keys(FAULTS) as (keyof typeof FAULTS)[]).flatMap((fault) =>
  [1, Number.POSITIVE_INFINITY].map((times) => ({ fault, times })),
);

it.each(CASES)('handles a queue that is $fault $times times', async ({ fault, times }) => {
  const { kept, outlet } = await startQueue(fault, times);
  const service = await createTestService({
    table: healthy.table,
    clock: healthy.clock,
    eventOutlet: outlet,
  });
  const tenant = await healthy.tenant({ limits: NO_LIMITS });
  await linkedAnswer(healthy, tenant, { mint: { respondentId: 'ann' } });
  const stored = async () =>
    (await scanAll(healthy.table, tenant.project.id)).filter(({ type }) => type === 'response').length;
  const request = { secretKey: tenant.secretKey, query: { respondentId: 'ann' } };
  const { status } = await service.call(erase, request);
  expect([200, 503]).toContain(status);
  if (times > 1) expect(status).toBe(503);
  expect([kept.length > 0, await stored()]).toEqual(status === 200 ? [true, 0] : [false, 1]);
  expect((await healthy.call(erase, request)).status).toBe(200);
  expect(await stored()).toBe(0);
});
