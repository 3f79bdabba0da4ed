import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { createDynamodbClient } from '../../../shared/data/table/client.ts';
import { createClientAround } from '../../support/faults/failing-client.ts';
import { startFaultProxy } from '../../support/faults/fault-proxy.ts';
import { aKey } from '../../support/fixtures/builders.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { NO_LIMIT } from '../../support/service/test-table.ts';

const service = await createTestService();

const tenant = await service.tenant();

async function createHoldingService(words: { readonly fails: string; readonly waits: string }) {
  const held = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  const order: string[] = [];
  const client = createClientAround(service.table.endpoint, async ({ input }, next) => {
    if (input.includes(words.waits)) {
      waiting.resolve();
      await held.promise;
      order.push('the call ended');
    } else if (input.includes(words.fails)) {
      failed.resolve();
      throw new TypeError('a defect');
    }
    return next();
  });
  const instance = await createTestService({ table: service.table, client });
  return { instance, order, begun: Promise.all([waiting.promise, failed.promise]), letGo: held.resolve };
}

describe('a request that fails', () => {
  it('leaves no call behind its reply, not even a write', async () => {
    const { instance, order, begun, letGo } = await createHoldingService({ fails: '#R#', waits: 'key-use' });
    const request = { body: { respondentId: 'ann', sessionId: 's' }, secretKey: tenant.secretKey };
    const replied = instance.call(mintTokens, request).then((reply) => order.push(codeOf(reply)));
    await begun;
    // Only the held call is pending, so a reply that did not wait for it would arrive now.
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    expect(order).toEqual([]);
    letGo();
    await replied;
    expect(order).toEqual(['the call ended', '500 internal_error']);
  });

  it('does not wait for a read that is no longer needed', async () => {
    const { instance, order, begun, letGo } = await createHoldingService({ fails: 'P#', waits: '#R#' });
    const request = { body: { key: tenant.publishableKey, userId: 'ann' } };
    const replied = instance.call(bootstrap, request).then((reply) => order.push(codeOf(reply)));
    await begun;
    await replied;
    expect(order).toEqual(['500 internal_error']);
    letGo();
  });
});

const proxy = await startFaultProxy(service.table.endpoint);
afterAll(() => proxy.stop());

async function coldInstance() {
  const client = createDynamodbClient({ endpoint: proxy.endpoint, requestTimeoutMs: NO_LIMIT });
  const requests: Promise<unknown>[] = [];
  const handler = client.config.requestHandler;
  const handle = handler.handle.bind(handler);
  handler.handle = (request, options) => {
    const reply = handle(request, options);
    requests.push(reply);
    return reply;
  };
  return { instance: await createTestService({ table: service.table, client }), requests };
}

it.each([
  {
    endpoint: bootstrap,
    request: () => ({ body: { key: aKey('publishable', tenant.project.id).text, userId: 'ann' } }),
  },
  {
    endpoint: mintTokens,
    request: () => ({
      secretKey: aKey('secret', tenant.project.id).text,
      body: { respondentId: 'ann', sessionId: 'session' },
    }),
  },
])(
  'returns 401 from $endpoint.route.name for a deleted key, however long the history takes',
  async ({ endpoint, request }) => {
    const { instance, requests } = await coldInstance();
    proxy.inject({ fault: 'hang', containing: '#R#' });
    expect(codeOf(await instance.call(endpoint, request()))).toBe('401 invalid_key');
    expect(proxy.calls.some(({ fault }) => fault === 'hang')).toBe(true);
    await Promise.allSettled(requests);
    proxy.heal();
  },
);
