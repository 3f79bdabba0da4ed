import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { aSubmission, codeOf, submit } from '../support/fixtures/submission.ts';
import { boundTokenOf, showTokenOf, someone, surveyOf } from '../support/fixtures/tokens.ts';
import { createTestService, type Reply } from '../support/service/test-service.ts';

const service = await createTestService();
const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [
  aSurvey(),
  aSurvey(),
  aSurvey({ status: 'paused' }),
]);

function mint(fields: Record<string, unknown> = {}): Promise<Reply> {
  const body = { respondentId: someone(), sessionId: 'session-1', ...fields };
  return service.call(mintTokens, { body, secretKey: tenant.secretKey });
}

const active = () => tenant.surveys.slice(0, 2).map(({ id }) => id);

describe('200', () => {
  it('mints a token for every active survey', async () => {
    const { body } = await mint();
    expect(Object.keys(body.tokens).sort()).toEqual(active().sort());
    expect(body).toMatchObject({ suppression: [], issuedAt: '2026-11-20T09:30:00.000Z' });
  });

  it('mints for one survey, and none for a survey that is unknown, inactive or of another project', async () => {
    const [first = '', , paused] = tenant.surveys.map(({ id }) => id);
    expect(Object.keys((await mint({ surveyId: first })).body.tokens)).toEqual([first]);
    for (const surveyId of [paused, 'sv_unknown', surveyOf(await service.tenant())]) {
      const reply = await mint({ surveyId });
      expect([reply.status, reply.body.tokens]).toEqual([200, {}]);
    }
  });

  it('mints for a survey by slug, and none, without an error, for an unknown slug', async () => {
    const [first] = tenant.surveys;
    const slug = first?.content.slug ?? '';
    expect(Object.keys((await mint({ surveySlug: slug })).body.tokens)).toEqual([first?.id]);
    const paused = tenant.surveys[2]?.content.slug;
    for (const surveySlug of [paused, 'unknown', 'No Slug Looks So']) {
      const { status, body } = await mint({ surveySlug });
      expect([status, body.tokens, body.bindings]).toEqual([200, {}, {}]);
    }
  });

  it('returns a binding that is all the browser has to send, and makes a linked answer', async () => {
    const bound = { sessionId: 's-1', traceId: 't-1', observationId: 'o-1', taskType: 'refund' };
    const [
      {
        id: surveyId,
        content: { slug },
      } = aSurvey(),
    ] = tenant.surveys;
    const { body } = await mint({ surveySlug: slug, ...bound });
    const binding = body.bindings[slug];
    expect(body.bindings).toEqual({ [slug]: { surveyId, slug, showToken: body.tokens[surveyId], ...bound } });
    const { slug: _, showToken, ...session } = binding;
    expect((await submit({ service, tenant }, showToken, session)).status).toBe(201);
  });

  it('puts exactly the given values into a binding', async () => {
    const { body } = await mint();
    expect(Object.keys(body.bindings).sort()).toEqual(
      tenant.surveys
        .slice(0, 2)
        .map(({ content }) => content.slug)
        .sort(),
    );
    for (const [slug, binding] of Object.entries<Record<string, string>>(body.bindings)) {
      const { surveyId = '', showToken } = binding;
      expect(binding).toEqual({ surveyId, slug, showToken, sessionId: 'session-1' });
      expect(body.tokens[surveyId]).toBe(showToken);
    }
  });

  it.each([
    ['is too long', 'x'.repeat(65)],
    ['has a lone surrogate', '\ud83d'],
    ['is empty', ''],
    ['is not a text', { kind: 'refund' }],
  ])('drops and names a taskType that %s, and mints everything else', async (_, taskType) => {
    const { status, body } = await mint({ taskType, traceId: 't-1' });
    expect([status, body.dropped]).toEqual([200, ['taskType']]);
    expect(Object.keys(body.tokens).sort()).toEqual(active().sort());
    for (const binding of Object.values(body.bindings)) {
      expect(binding).toMatchObject({ traceId: 't-1' });
      expect(binding).not.toHaveProperty('taskType');
    }
  });

  it('names no values that fit', async () => {
    expect((await mint({ taskType: 'x'.repeat(64) })).body).not.toHaveProperty('dropped');
  });

  it('applies the rules of bootstrap: people who have answered are suppressed and in their quiet period', async () => {
    const respondentId = someone();
    const token = await boundTokenOf(service, tenant, { respondentId });
    expect((await submit({ service, tenant }, token, { sessionId: 'session-1' })).status).toBe(201);
    expect((await mint({ respondentId })).body).toMatchObject({
      tokens: {},
      suppression: [surveyOf(tenant)],
    });
    const shown = await service.call(bootstrap, {
      body: { key: tenant.publishableKey, userId: respondentId },
    });
    expect(shown.body).toMatchObject({ showTokens: {}, suppression: [surveyOf(tenant)] });
  });

  it('issues tokens that are used up separately: two for one person and survey give two answers', async () => {
    const respondentId = someone();
    const tokens = [
      await boundTokenOf(service, tenant, { respondentId }),
      await showTokenOf(service, tenant, { userId: respondentId }),
    ];
    for (const token of tokens) {
      const body = aSubmission(tenant, token, { sessionId: 'session-1' });
      expect((await service.call(submitResponse, { body })).status).toBe(201);
    }
    expect((await mint({ respondentId })).body.suppression).toEqual([surveyOf(tenant)]);
  });
});

describe('400', () => {
  it.each([
    ['no respondentId', { respondentId: null }, 'respondentId'],
    ['no sessionId', { sessionId: undefined }, 'sessionId'],
    ['a sessionId of 257 bytes', { sessionId: `${'ü'.repeat(128)}x` }, 'sessionId'],
    ['a respondentId with a lone surrogate', { respondentId: '\ud83d' }, 'respondentId'],
    ['a numeric observationId', { observationId: 1 }, 'observationId'],
    ['an empty traceId', { traceId: '' }, 'traceId'],
    ['an empty surveyId', { surveyId: '' }, 'surveyId'],
    ['an empty surveySlug', { surveySlug: '' }, 'surveySlug'],
    ['a survey by id and by slug', { surveyId: 'sv_1', surveySlug: 'one' }, 'surveySlug'],
  ])('for %s', async (_, fields, path) => {
    const reply = await mint(fields);
    expect(codeOf(reply)).toBe('400 invalid_request');
    expect(reply.body.error.issues).toEqual([{ path, message: expect.any(String) }]);
  });
});
