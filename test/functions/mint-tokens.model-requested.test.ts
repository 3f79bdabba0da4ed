import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { getResults } from '../../functions/get-results.ts';
import { listComments } from '../../functions/list-comments.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { onChange } from '../../functions/on-change.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { insertsOf } from '../support/fixtures/inserts-of.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { codeOf, submit } from '../support/fixtures/submission.ts';
import { showTokenOf, someone, surveyOf } from '../support/fixtures/tokens.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';

const ASKED = { sessionId: 'session-1', identityKind: 'model-requested' };

let service: TestService;
let tenant: Tenant;
beforeEach(async () => {
  service ??= await createTestService();
  tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey()]);
});

async function mint(fields: Record<string, unknown>): Promise<string> {
  const body = { respondentId: someone(), sessionId: 'session-1', ...fields };
  const { body: minted } = await service.call(mintTokens, { secretKey: tenant.secretKey, body });
  return minted.tokens[surveyOf(tenant)];
}

const modelToken = () => mint({ allowModelRequested: true });
const said = (token: string, fields: Record<string, unknown> = {}) =>
  submit({ service, tenant }, token, { ...ASKED, rating: 3, text: 'a model asked', ...fields });

describe('minting', () => {
  it('with permission, gives the token a head that any base64 decoder reads, and bindings carry it', async () => {
    const body = { respondentId: someone(), sessionId: 's', allowModelRequested: true };
    const { body: minted } = await service.call(mintTokens, { secretKey: tenant.secretKey, body });
    const token: string = minted.tokens[surveyOf(tenant)];
    const [head, sealed, ...rest] = token.split('.');
    expect(atob(head ?? '')).toBe('{"amr":true}');
    expect([sealed, rest]).toEqual([expect.stringMatching(/^[\w-]{50,}$/), []]);
    const [binding] = Object.values<Record<string, string>>(minted.bindings);
    expect(binding?.showToken).toBe(token);
  });

  it('without permission, or with false, adds no head', async () => {
    for (const fields of [{}, { allowModelRequested: false }, { allowModelRequested: null }]) {
      expect(await mint(fields)).not.toContain('.');
    }
  });

  it('accepts only true or false', async () => {
    const body = { respondentId: 'ann', sessionId: 's', allowModelRequested: 'yes' };
    const reply = await service.call(mintTokens, { secretKey: tenant.secretKey, body });
    expect(reply.body.error.issues).toEqual([{ path: 'allowModelRequested', message: expect.any(String) }]);
  });
});

describe('submitting', () => {
  it('needs a token with permission: others are a mismatch and stay valid', async () => {
    for (const token of [await showTokenOf(service, tenant), await mint({})]) {
      expect(codeOf(await said(token))).toBe('401 token_mismatch');
      expect((await said(token, { identityKind: 'identified' })).status).toBe(201);
    }
  });

  it('stores both kinds with permission: model-requested answers and spontaneous ones', async () => {
    expect((await said(await modelToken())).status).toBe(201);
    expect((await said(await modelToken(), { identityKind: 'identified' })).status).toBe(201);
  });

  it('rejects a token whose head was added or removed, and uses nothing up', async () => {
    const token = await modelToken();
    const [head = '', sealed = ''] = token.split('.');
    expect(codeOf(await said(sealed))).toBe('401 invalid_token');
    expect(codeOf(await said(sealed, { identityKind: 'identified' }))).toBe('401 invalid_token');
    expect(codeOf(await said(`${head}.${await mint({})}`))).toBe('401 invalid_token');
    expect((await said(token)).status).toBe(201);
    expect(codeOf(await said(token))).toBe('409 token_used');
  });
});

it('keeps them apart: export and scores name the kind, and results count them separately', async () => {
  const respondentId = someone();
  const id = (await said(await mint({ respondentId, allowModelRequested: true }))).body.id;
  service.clock.advance(1);
  await said(await mint({}), { identityKind: 'identified', rating: 9, text: 'unasked' });
  const { secretKey } = tenant;

  const exported = await service.call(exportResponses, { secretKey, query: { respondentId } });
  expect(exported.body.responses).toMatchObject([{ id, identityKind: 'model-requested', linked: true }]);
  const { body: pending } = await service.call(listPendingScores, { secretKey });
  expect(pending.scores).toMatchObject([
    { id, identityKind: 'model-requested' },
    { identityKind: 'identified' },
  ]);

  await onChange(service.service)(await insertsOf(service.table, tenant.project.id));
  const query = { surveyId: surveyOf(tenant), segment: 'identityKind' };
  const { body: results } = await service.call(getResults, { secretKey, query });
  expect(results).toMatchObject({ responses: 1, modelRequested: 1, comments: 1, score: { value: 100 } });
  const kinds = results.segments.map((each: { value: string; responses: number }) => [
    each.value,
    each.responses,
  ]);
  expect(kinds).toEqual([
    ['identified', 1],
    ['anon-device', 0],
    ['anon-conversation', 0],
  ]);
  const comments = await service.call(listComments, { secretKey, query: { surveyId: surveyOf(tenant) } });
  expect(comments.body.comments.map((each: Record<string, string>) => each.identityKind).sort()).toEqual([
    'identified',
    'model-requested',
  ]);

  // A model-requested answer suppresses the survey, too.
  const body = { key: tenant.publishableKey, userId: respondentId };
  const { body: shown } = await service.call(bootstrap, { body });
  expect(shown.suppression).toEqual([surveyOf(tenant)]);
});
