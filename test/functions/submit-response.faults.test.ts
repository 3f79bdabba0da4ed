import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { type Fault, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { createProxiedClient } from '../support/faults/proxied-client.ts';
import { aSubmission, codeOf } from '../support/fixtures/submission.ts';
import { showTokenOf } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';

let tenant: Tenant;

const table = await createTestTable();
const proxy = await startFaultProxy(table.endpoint);
const service = await createTestService({ table, client: createProxiedClient(proxy) });
afterAll(() => proxy.stop());
beforeEach(async () => {
  proxy.heal();
  tenant = await service.tenant();
});

const storedAnswers = async () =>
  (await scanAll(table, tenant.project.id)).filter(({ tokenId }) => tokenId !== undefined);

const submission = (showToken: string) => ({ body: aSubmission(tenant, showToken, { userId: 'ann' }) });

describe('a write whose reply was lost', () => {
  it.each([submitResponse, submitDismissal])(
    'counts as our own: $route.name answers 201 after a second attempt, and one row is stored',
    async (endpoint) => {
      const showToken = await showTokenOf(service, tenant);
      proxy.heal();
      proxy.inject({ operation: 'PutItem', fault: 'drop-reply', times: 1 });
      const reply = await service.call(endpoint, submission(showToken));
      expect(reply.status).toBe(201);
      expect(proxy.calls).toMatchObject([
        { operation: 'PutItem', fault: 'drop-reply' },
        { operation: 'PutItem' },
      ]);
      expect(await storedAnswers()).toMatchObject([{ id: reply.body.id, at: reply.body.at }]);
      const again = await service.call(endpoint, submission(showToken));
      expect(again.body.error).toMatchObject({ code: 'token_used', details: { id: reply.body.id } });
    },
  );

  it('wins against a concurrent request that arrives during the retry', async () => {
    const showToken = await showTokenOf(service, tenant);
    proxy.inject({ operation: 'PutItem', fault: 'drop-reply', times: 1 });
    const replies = await Promise.all([1, 2].map(() => service.call(submitResponse, submission(showToken))));
    expect(replies.map(codeOf).sort()).toEqual(['201 recorded', '409 token_used']);
    expect(await storedAnswers()).toHaveLength(1);
  });
});

it.each<Fault>(['throttle', 'server-error', 'reset', 'hang'])(
  'stores the answer once for %s, twice',
  async (fault) => {
    const showToken = await showTokenOf(service, tenant);
    proxy.inject({ operation: 'PutItem', fault, times: 2 });
    expect((await service.call(submitResponse, submission(showToken))).status).toBe(201);
    expect(await storedAnswers()).toHaveLength(1);
  },
);

describe('a write that conflicts with a transaction on its item', () => {
  it.each([submitResponse, submitDismissal])('is repeated: $route.name', async (endpoint) => {
    const showToken = await showTokenOf(service, tenant);
    proxy.inject({ operation: 'PutItem', fault: 'conflict', times: 1 });
    expect((await service.call(endpoint, submission(showToken))).status).toBe(201);
    expect(await storedAnswers()).toHaveLength(1);
  });
});

describe('an HTML page in place of a reply', () => {
  it.each([submitResponse, submitDismissal])(
    'makes $route.name look the answer up and return 201 if it is permanent and after the write',
    async (endpoint) => {
      const showToken = await showTokenOf(service, tenant);
      proxy.inject({ operation: 'PutItem', fault: 'html-reply' });
      const reply = await service.call(endpoint, submission(showToken));
      expect(reply.status).toBe(201);
      expect(await storedAnswers()).toMatchObject([{ id: reply.body.id }]);
    },
  );

  it('returns 503 if it replaces every reply', async () => {
    const showToken = await showTokenOf(service, tenant);
    proxy.inject({ fault: 'html' });
    const reply = await service.call(submitResponse, submission(showToken));
    expect(codeOf(reply)).toBe('503 temporarily_unavailable');
    expect(await storedAnswers()).toEqual([]);
  });
});
