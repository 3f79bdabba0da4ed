import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { linkedAnswer } from '../support/fixtures/linked-answer.ts';
import { addChoice } from '../support/fixtures/submission.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();

const list = ({ secretKey }: Tenant, query: Record<string, string> | string = {}) =>
  service.call(listPendingScores, { secretKey, query });

async function answers(tenant: Tenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await linkedAnswer(service, tenant)).id);
    service.clock.advance(1);
  }
  return ids;
}

it('200 with every field of the contract for a linked response, null if absent', async () => {
  const survey = aSurvey({}, { slug: 'checkout', type: 'csat' });
  const tenant = await service.tenant({}, [survey]);
  const ids = { sessionId: 's-1', traceId: 't-1', observationId: 'o-1', taskType: 'refund' };
  const full = await linkedAnswer(service, tenant, {
    mint: { respondentId: 'ann', ...ids },
    submission: { rating: 4, text: 'fine', identityKind: 'identified', taskType: 'claimed' },
  });
  service.clock.advance(1);
  const bare = await linkedAnswer(service, tenant, {
    mint: { respondentId: 'bob', sessionId: 's-2' },
    // The token does not attest these, so an adapter never gets them.
    submission: { rating: 1, traceId: 'forged', observationId: 'forged' },
  });
  const reply = await list(tenant);
  expect(reply.status).toBe(200);
  const common = {
    surveyId: survey.id,
    surveySlug: 'checkout',
    surveyType: 'csat',
    scale: { min: 1, max: 5 },
    state: 'pending',
    attempts: 0,
    lastError: null,
    revision: 0,
    revisedAt: null,
    triedAt: null,
    withdrawn: false,
    verified: true,
    ...{ labels: null, reasons: null, answers: null, channel: null, choice: null },
  };
  const [ann, bob] = [
    { rating: 4, text: 'fine', respondentId: 'ann', identityKind: 'identified', ...ids },
    { rating: 1, text: null, respondentId: 'bob', identityKind: null, sessionId: 's-2' },
  ];
  const none = { traceId: null, observationId: null, taskType: null };
  expect(reply.body).toEqual({
    scores: [
      { ...common, id: full.id, at: full.at, ...ann },
      { ...common, id: bare.id, at: bare.at, ...bob, ...none },
    ],
  });
});

it('200 with the code of a choice, also of one that is newer than the settings', async () => {
  const tenant = await service.tenant({}, [aSurvey({}, { type: 'choice' })]);
  const reader = await createTestService({ table: service.table, clock: service.clock });
  const read = async () => {
    const { body } = await reader.call(listPendingScores, { secretKey: tenant.secretKey });
    return body.scores;
  };
  expect(await read()).toEqual([]);
  await addChoice({ service, tenant }, { code: 'new', label: 'New' });
  await linkedAnswer(service, tenant, { submission: { rating: 3 } });
  expect(await read()).toMatchObject([
    { surveyType: 'choice', rating: 3, choice: 'new', scale: { min: 0, max: 3 } },
  ]);
});

it('200 without unlinked responses and other projects’', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()];
  await linkedAnswer(service, other);
  const { publishableKey: key } = tenant;
  const surveyId = tenant.surveys[0]?.id ?? '';
  const { body } = await service.call(bootstrap, { body: { key, userId: 'ann' } });
  const submission = {
    key,
    surveyId,
    showToken: body.showTokens[surveyId],
    rating: 3,
    sessionId: 'claimed',
  };
  expect((await service.call(submitResponse, { body: submission })).status).toBe(201);
  expect((await list(tenant)).body).toEqual({ scores: [] });
});

it('200 with a page of 50 by default and at most 100', async () => {
  const tenant = await service.tenant();
  await answers(tenant, 101);
  const lengthOf = async (query: Record<string, string>) => (await list(tenant, query)).body.scores.length;
  expect(await lengthOf({})).toBe(50);
  expect(await lengthOf({ limit: '100' })).toBe(100);
  expect(await lengthOf({ limit: '99999999' })).toBe(100);
});

it.each(['0', '-1', '1.5', 'many', ''])('400 for `limit=%s`', async (limit) => {
  const reply = await list(await service.tenant(), { limit });
  expect(reply.status).toBe(400);
  expect(reply.body.error).toMatchObject({ code: 'invalid_request', issues: [{ path: 'limit' }] });
});

it('400 for an `includeFailed` that is neither true nor false', async () => {
  const reply = await list(await service.tenant(), { includeFailed: '1' });
  expect(reply.body.error).toMatchObject({ code: 'invalid_request', issues: [{ path: 'includeFailed' }] });
});

it('400 for a cursor of another project or query, or a made-up one', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()];
  await answers(tenant, 2);
  await answers(other, 2);
  const { nextCursor } = (await list(tenant, { limit: '1' })).body;
  const foreign = (await list(other, { limit: '1' })).body.nextCursor;
  for (const query of [{ cursor: foreign }, { cursor: nextCursor, includeFailed: 'true' }, { cursor: 'x' }]) {
    const reply = await list(tenant, query);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({ code: 'invalid_request', issues: [{ path: 'cursor' }] });
  }
  expect((await list(tenant, { cursor: nextCursor, includeFailed: 'false' })).status).toBe(200);
});
