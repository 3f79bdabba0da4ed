import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { createDynamodbClient } from '../../shared/data/table/client.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { createTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { createTestTable, type TestTable } from '../support/test-table.ts';
import { showTokenOf, surveyOf } from '../support/tokens.ts';

let table: TestTable;
let proxy: FaultProxy;
let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  table = await createTestTable();
  proxy = await startFaultProxy(table.endpoint);
  service = await createTestService({ table, client: createDynamodbClient({ endpoint: proxy.endpoint }) });
});
afterAll(() => proxy.stop());
beforeEach(async () => {
  proxy.heal();
  tenant = await service.tenant();
});

async function answers(): Promise<object[]> {
  const { Items = [] } = await table.client.send(
    new ScanCommand({
      TableName: table.tableName,
      FilterExpression: 'projectId = :project',
      ExpressionAttributeValues: { ':project': tenant.project.id },
    }),
  );
  return Items;
}

const submission = (showToken: string) => ({
  body: { key: tenant.publishableKey, surveyId: surveyOf(tenant), showToken, rating: 8, userId: 'ann' },
});

describe('a write whose reply was lost', () => {
  it.each([{ endpoint: submitResponse }, { endpoint: submitDismissal }])(
    'is our own and no reuse: $endpoint.route.name answers 201 and stores one row',
    async ({ endpoint }) => {
      const showToken = await showTokenOf(service, tenant);
      proxy.heal();
      proxy.inject({ operation: 'PutItem', fault: 'drop-reply', times: 1 });
      const reply = await service.call(endpoint, submission(showToken));
      expect(reply.status).toBe(201);
      expect(proxy.calls).toMatchObject([
        { operation: 'PutItem', fault: 'drop-reply' },
        { operation: 'PutItem' },
      ]);
      expect(await answers()).toEqual([expect.objectContaining({ id: reply.body.id, at: reply.body.at })]);

      const again = await service.call(endpoint, submission(showToken));
      expect(again.body.error).toMatchObject({ code: 'token_used', details: { id: reply.body.id } });
    },
  );

  it('is the first of two: whoever comes second while it is retried is refused', async () => {
    const showToken = await showTokenOf(service, tenant);
    proxy.inject({ operation: 'PutItem', fault: 'drop-reply', times: 1 });
    const replies = await Promise.all([1, 2].map(() => service.call(submitResponse, submission(showToken))));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await answers()).toHaveLength(1);
  });
});

describe('a fault that passes', () => {
  it.each<Fault>(['throttle', 'server-error', 'reset'])('%s: the answer is stored once', async (fault) => {
    const showToken = await showTokenOf(service, tenant);
    proxy.inject({ operation: 'PutItem', fault, times: 2 });
    expect((await service.call(submitResponse, submission(showToken))).status).toBe(201);
    expect(await answers()).toHaveLength(1);
  });
});

describe('503: DynamoDB does not answer in time', () => {
  it.each<Fault>(['throttle', 'server-error', 'reset', 'hang'])('%s: the token stays good', async (fault) => {
    const showToken = await showTokenOf(service, tenant);
    proxy.inject({ operation: 'PutItem', fault });
    const reply = await service.call(submitResponse, submission(showToken));
    expect(reply.status).toBe(503);
    expect(reply.body.error.code).toBe('temporarily_unavailable');
    expect(reply.headers['retry-after']).toMatch(/^\d+$/);
    expect(await answers()).toEqual([]);

    proxy.heal();
    expect((await service.call(submitResponse, submission(showToken))).status).toBe(201);
  });

  it.each([
    { endpoint: bootstrap, request: () => ({ body: { key: tenant.publishableKey, userId: 'ann' } }) },
    {
      endpoint: mintTokens,
      request: () => ({ body: { respondentId: 'ann', sessionId: 's' }, secretKey: tenant.secretKey }),
    },
    { endpoint: submitResponse, request: () => submission('a-token') },
    { endpoint: submitDismissal, request: () => submission('a-token') },
  ])('$endpoint.route.name on a cold instance', async ({ endpoint, request }) => {
    proxy.inject({ fault: 'reset' });
    const reply = await service.call(endpoint, request());
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toMatch(/^\d+$/);
    proxy.heal();
    expect((await service.call(endpoint, request())).status).not.toBe(503);
  });

  it('nobody listens at all', async () => {
    const gone = await startFaultProxy(table.endpoint);
    await gone.stop();
    const cut = await createTestService({ table, client: createDynamodbClient({ endpoint: gone.endpoint }) });
    const reply = await cut.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
    expect(reply.status).toBe(503);
  });
});

describe('a call that meets a transaction at its item', () => {
  it('is made again: an answer, a dismissal', async () => {
    for (const endpoint of [submitResponse, submitDismissal]) {
      tenant = await service.tenant();
      const showToken = await showTokenOf(service, tenant);
      proxy.heal();
      proxy.inject({ operation: 'PutItem', fault: 'conflict', times: 1 });
      expect((await service.call(endpoint, submission(showToken))).status).toBe(201);
      expect(await answers()).toHaveLength(1);
    }
  });
});

describe('a page of HTML in place of a reply', () => {
  it.each([{ endpoint: submitResponse }, { endpoint: submitDismissal }])(
    'after the write, for good: $endpoint.route.name is looked up, and is 201',
    async ({ endpoint }) => {
      const showToken = await showTokenOf(service, tenant);
      proxy.inject({ operation: 'PutItem', fault: 'html-reply' });
      const reply = await service.call(endpoint, submission(showToken));
      expect(reply.status).toBe(201);
      expect(await answers()).toEqual([expect.objectContaining({ id: reply.body.id })]);
    },
  );

  it('of every call is a 503', async () => {
    const showToken = await showTokenOf(service, tenant);
    proxy.inject({ fault: 'html' });
    const reply = await service.call(submitResponse, submission(showToken));
    expect([reply.status, reply.body.error.code]).toEqual([503, 'temporarily_unavailable']);
  });
});
