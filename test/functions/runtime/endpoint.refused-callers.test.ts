import { afterAll, beforeAll, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { createDynamodbClient } from '../../../shared/data/table/client.ts';
import { type FaultProxy, startFaultProxy } from '../../support/faults/fault-proxy.ts';
import { aKey } from '../../support/fixtures/builders.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';
import { createTestTable, NO_LIMIT, type TestTable } from '../../support/service/test-table.ts';

let table: TestTable;
let proxy: FaultProxy;
let tenant: Tenant;
beforeAll(async () => {
  table = await createTestTable();
  proxy = await startFaultProxy(table.endpoint);
  tenant = await (await createTestService({ table })).tenant();
});
afterAll(() => proxy.stop());

/** A cold instance, and its pending HTTP requests. */
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
  return { service: await createTestService({ table, client }), requests };
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
    const { service, requests } = await coldInstance();
    proxy.inject({ fault: 'hang', containing: '#R#' });
    expect(codeOf(await service.call(endpoint, request()))).toBe('401 invalid_key');
    expect(proxy.calls.some(({ fault }) => fault === 'hang')).toBe(true);
    // All requests end, because they were aborted.
    await Promise.allSettled(requests);
    proxy.heal();
  },
);
