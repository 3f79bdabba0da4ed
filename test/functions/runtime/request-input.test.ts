import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { aSubmission, codeOf } from '../../support/fixtures/submission.ts';
import { showTokenOf } from '../../support/fixtures/tokens.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';

let tenant: Tenant;
const service = await createTestService();
beforeEach(async () => {
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
});

describe('userId in the query or in the body', () => {
  const bootstrapWith = (query: string, body: object) =>
    service.call(bootstrap, { query: `key=${tenant.publishableKey}&${query}`, body });

  it('counts from either place, and from both when they agree', async () => {
    for (const reply of [
      await bootstrapWith('userId=a%20b', {}),
      await bootstrapWith('userId=a+b', { userId: null }),
      await bootstrapWith('', { userId: 'a b' }),
      await bootstrapWith('userId=a+b', { userId: 'a b' }),
    ]) {
      expect(Object.keys(reply.body.showTokens)).toEqual([tenant.surveys[0]?.id]);
    }
  });

  it('returns 400 when the two differ', async () => {
    for (const reply of [
      await bootstrapWith('userId=ann', { userId: 'Ann' }),
      await bootstrapWith('userId=7', { userId: 7 }),
      await bootstrapWith('userId=ann&userId=bob', {}),
    ]) {
      expect(codeOf(reply)).toBe('400 invalid_request');
      expect(reply.body.error.issues).toEqual([{ path: 'userId', message: expect.any(String) }]);
    }
  });

  it("returns a 400 that explains that a URL cannot carry the body's value", async () => {
    const reply = await bootstrapWith('userId=ann%EF%BF%BD', { userId: 'ann\ud83d' });
    expect(codeOf(reply)).toBe('400 invalid_request');
    expect(reply.body.error.issues).toEqual([{ path: 'userId', message: 'must be well-formed Unicode' }]);
  });

  it('is the only field read from the query', async () => {
    const showToken = await showTokenOf(service, tenant);
    const { showToken: _token, ...body } = aSubmission(tenant, showToken);
    expect(codeOf(await service.call(submitResponse, { body, query: { showToken } }))).toBe(
      '400 invalid_request',
    );
  });
});

describe('a key in the query or in the body', () => {
  const body = { userId: 'ann' };

  it('is accepted from either place, and from both when they agree', async () => {
    const key = tenant.publishableKey;
    for (const request of [
      { body, query: { key } },
      { body: { ...body, key } },
      { body: { ...body, key }, query: { key } },
      { body: { ...body, key: null }, query: { key } },
      { body, query: `key=${key}&key=${key}` },
    ]) {
      expect((await service.call(bootstrap, request)).status).toBe(200);
    }
  });

  it('returns 400 when both differ, whether or not either is valid', async () => {
    const key = tenant.publishableKey;
    for (const request of [
      { body: { ...body, key }, query: { key: 'other' } },
      { body: { ...body, key: 'other' }, query: { key } },
      { body: { ...body, key: 7 }, query: { key } },
      { body, query: `key=${key}&key=other` },
    ]) {
      const reply = await service.call(bootstrap, request);
      expect(codeOf(reply)).toBe('400 invalid_request');
      expect(reply.body.error.issues).toEqual([{ path: 'key', message: expect.any(String) }]);
      expect(reply.text).not.toContain(key);
    }
  });
});
