import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { aSubmission, codeOf } from '../support/fixtures/submission.ts';
import { showTokenOf, someone, surveyOf } from '../support/fixtures/tokens.ts';
import { createTestService, type Reply } from '../support/service/test-service.ts';

const service = await createTestService();
const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });

function dismiss(showToken: string, fields: Record<string, unknown> = {}): Promise<Reply> {
  const { rating: _rating, ...body } = aSubmission(tenant, showToken, { userId: 'ann', ...fields });
  return service.call(submitDismissal, { body });
}

describe('201', () => {
  it('records the dismissal under the respondent of the token', async () => {
    const respondentId = someone();
    const reply = await dismiss(await showTokenOf(service, tenant, { userId: respondentId }), {
      userId: 'another',
    });
    expect(reply.body).toEqual({
      ok: true,
      id: expect.stringMatching(/^[\w-]{43}$/),
      at: '2026-11-20T09:30:00.000Z',
    });
    const suppressionOf = async (userId: string) =>
      (await service.call(bootstrap, { body: { key: tenant.publishableKey, userId } })).body.suppression;
    expect(await suppressionOf(respondentId)).toEqual([surveyOf(tenant)]);
    expect(await suppressionOf('another')).toEqual([]);
  });

  it('reads key and userId from the query, and ignores response fields', async () => {
    const { key, ...body } = aSubmission(tenant, await showTokenOf(service, tenant), { rating: 'x' });
    const reply = await service.call(submitDismissal, { query: { key, userId: 'ann' }, body });
    expect(reply.status).toBe(201);
  });
});

describe('201 with optional values of a dismissal', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['an empty userId', { userId: '' }, ['userId']],
    ['a userId of 257 bytes', { userId: 'x'.repeat(257) }, ['userId']],
    ['an invalid sessionId', { sessionId: 1, traceId: '' }, ['sessionId', 'traceId']],
  ])('drops and names invalid ones: %s', async (_, fields, dropped) => {
    const reply = await dismiss(await showTokenOf(service, tenant), fields);
    expect(reply).toMatchObject({ status: 201, body: { ok: true, dropped } });
  });

  it('accepts any JSON', async () => {
    const userId = fc.jsonValue().filter((value) => value !== null);
    const ids = fc.dictionary(
      fc.constantFrom('sessionId', 'observationId', 'traceId', 'traits'),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(userId, ids, async (claimed, session) => {
        const token = await showTokenOf(service, tenant);
        expect((await dismiss(token, { ...session, userId: claimed })).status).toBe(201);
      }),
      { numRuns: 60 },
    );
  });
});

it.each([
  ['no showToken', { showToken: undefined }, 'showToken'],
  ['no surveyId', { surveyId: null }, 'surveyId'],
  ['no userId', { userId: null }, 'userId'],
])('400, and the token stays valid: %s', async (_, fields, path) => {
  const token = await showTokenOf(service, tenant);
  const reply = await dismiss(token, fields);
  expect(codeOf(reply)).toBe('400 invalid_request');
  expect(reply.body.error.issues).toEqual([{ path, message: expect.any(String) }]);
  expect((await dismiss(token)).status).toBe(201);
});

describe('401', () => {
  it('for a used token, with details of the answer that used it', async () => {
    const token = await showTokenOf(service, tenant);
    const first = await dismiss(token);
    service.clock.advance(1_000);
    const second = await dismiss(token);
    expect(second.status).toBe(401);
    expect(second.body.error).toMatchObject({
      code: 'token_used',
      details: { id: first.body.id, at: first.body.at, kind: 'dismissal' },
    });
  });

  it('for a token that a response has used', async () => {
    const token = await showTokenOf(service, tenant);
    const response = await service.call(submitResponse, { body: aSubmission(tenant, token) });
    expect((await dismiss(token)).body.error.details).toMatchObject({
      id: response.body.id,
      kind: 'response',
    });
  });
});
