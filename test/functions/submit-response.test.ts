import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { surveyItem } from '../../shared/data/projects/project-item.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { SURVEY_TYPES, type Survey, TYPES } from '../../shared/domain/surveys/survey.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { aSubmission, codeOf, submit } from '../support/fixtures/submission.ts';
import { boundTokenOf, showTokenOf, someone } from '../support/fixtures/tokens.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();
const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
const caller = { service, tenant };

async function rowOf(id: string): Promise<Record<string, unknown> | undefined> {
  const { table } = service;
  const { Items = [] } = await table.client.send(
    new ScanCommand({
      TableName: table.tableName,
      FilterExpression: '#id = :id',
      ExpressionAttributeNames: { '#id': 'id' },
      ExpressionAttributeValues: { ':id': id },
    }),
  );
  return Items[0];
}

describe('201', () => {
  it('stores the answer under the respondent of the token', async () => {
    const respondentId = someone();
    const token = await showTokenOf(service, tenant, { userId: respondentId });
    const said = {
      rating: 0,
      text: 'Zoë says: “fine” 😀\n\0',
      followUpRequested: true,
      traits: { plan: 'team', seats: 1e300, beta: false, none: null, '': 'empty', 'a.b': -0.1 },
      identityKind: 'anon-device',
      taskType: 'search',
    };
    const reply = await submit(caller, token, { ...said, userId: 'somebody-else', sessionId: 'claimed' });
    expect(reply.body).toEqual({
      ok: true,
      id: expect.stringMatching(/^[\w-]{43}$/),
      at: '2026-11-20T09:30:00.000Z',
    });
    const { traits, ...row } = (await rowOf(reply.body.id)) ?? {};
    const { traits: saidTraits, ...rest } = said;
    expect(row).toMatchObject({
      ...rest,
      respondentId,
      kind: 'response',
      source: 'sdk',
      claimed: { sessionId: 'claimed' },
      attested: {},
    });
    expect(JSON.parse(String(traits))).toEqual(saidTraits);
    expect(row).not.toHaveProperty('scoreState');
    expect(JSON.stringify(row)).not.toMatch(/somebody-else|svc_pk_/);
  });

  it("links a session-bound answer: the token's attested values and task type take precedence", async () => {
    const token = await boundTokenOf(service, tenant, { sessionId: 's-1', taskType: 'refund' });
    const reply = await submit(caller, token, { sessionId: 's-1', traceId: 't-1', taskType: 'search' });
    expect(await rowOf(reply.body.id)).toMatchObject({
      attested: { sessionId: 's-1' },
      claimed: { traceId: 't-1' },
      taskType: 'refund',
      scoreState: 'pending',
      attempts: 0,
    });
  });

  it.each(['paused', 'archived', 'draft'] as const)(
    'accepts an outstanding token of a survey that is %s',
    async (status) => {
      const other = await service.tenant();
      const token = await showTokenOf(service, other);
      await setSurvey(other, { status });
      expect((await submit({ service, tenant: other }, token)).status).toBe(201);
    },
  );

  it('serves the alias POST /v1/responses', async () => {
    const body = aSubmission(tenant, await showTokenOf(service, tenant));
    const reply = await service.call(submitResponse, { path: '/v1/responses', body });
    expect(reply.status).toBe(201);
    expect(codeOf(await service.call(submitResponse, { body }))).toBe('409 token_used');
  });

  it.each(SURVEY_TYPES)('accepts every rating on the scale of %s', async (type) => {
    const typed = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [aSurvey({}, { type })]);
    for (let rating = TYPES[type].scale.min; rating <= TYPES[type].scale.max; rating++) {
      const token = await showTokenOf(service, typed);
      expect((await submit({ service, tenant: typed }, token, { rating })).status).toBe(201);
    }
  });

  it('stores minus zero as zero, and 4.0 as 4', async () => {
    for (const [written, stored] of [
      ['-0', 0],
      ['4.0', 4],
      ['1e1', 10],
    ] as const) {
      const body = JSON.stringify(
        aSubmission(tenant, await showTokenOf(service, tenant), { rating: 'RATING' }),
      );
      const reply = await service.call(submitResponse, { rawBody: body.replace('"RATING"', written) });
      expect(reply.status).toBe(201);
      expect(Object.is((await rowOf(reply.body.id))?.rating, stored)).toBe(true);
    }
  });
});

/** Changes the stored survey, and lets cached settings expire. */
async function setSurvey(of: Tenant, change: Partial<Survey>): Promise<void> {
  const { client, tableName } = service.table;
  const [survey = aSurvey()] = of.surveys;
  const Item = surveyItem(of.project.id, { ...survey, ...change });
  await client.send(new PutCommand({ TableName: tableName, Item }));
  service.clock.advance(30_000);
}

describe('400', () => {
  it.each([
    ['csat', 0],
    ['csat', 6],
    ['ces', 0],
    ['ces', 8],
    ['pmf', 3],
    ['thumbs', 2],
  ] as const)('when %s has no %i; the token stays valid', async (type, rating) => {
    const typed = { service, tenant: await service.tenant({}, [aSurvey({}, { type })]) };
    const token = await showTokenOf(service, typed.tenant);
    expect(codeOf(await submit(typed, token, { rating }))).toBe('400 rating_out_of_range');
    expect((await submit(typed, token, { rating: type === 'thumbs' ? 1 : 2 })).status).toBe(201);
  });
});

it('400 with every invalid field named and none quoted', async () => {
  const wrong = { rating: 'canary-rating', surveyId: '', text: 7, traits: { x: ['canary-trait'] } };
  const reply = await submit(caller, 'canary-token', wrong);
  const paths: string[] = reply.body.error.issues.map(({ path }: { path: string }) => path);
  expect(paths.sort()).toEqual(['rating', 'surveyId']);
  expect(reply.text).not.toContain('canary');
});

describe('401', () => {
  it('for a forged token, without further details', async () => {
    const { body } = await submit(caller, 'forged');
    expect(body.error).toEqual({
      code: 'invalid_token',
      message: expect.any(String),
      requestId: expect.any(String),
    });
  });
});

describe('404', () => {
  it('for a survey that is being purged, although its token was valid', async () => {
    const other = { service, tenant: await service.tenant() };
    const token = await showTokenOf(service, other.tenant);
    await setSurvey(other.tenant, { purgedAt: '2026-11-20T09:30:00.000Z' });
    expect(codeOf(await submit(other, token))).toBe('404 survey_not_found');
  });

  it('is not returned for a survey that another instance has created since', async () => {
    const other = { service, tenant: await service.tenant() };
    await showTokenOf(service, other.tenant);
    const survey = aSurvey();
    await createProjectStore(service.table.table, service.table.readIndex).createSurvey(
      other.tenant.project.id,
      survey,
    );
    const elsewhere = await createTestService({ table: service.table, clock: service.clock });
    const token = await showTokenOf(elsewhere, { ...other.tenant, surveys: [survey] });
    service.clock.advance(2_000);
    expect((await submit(other, token, { surveyId: survey.id })).status).toBe(201);
  });
});

describe('409', () => {
  it('returns id, time and kind of what used the token', async () => {
    const token = await showTokenOf(service, tenant);
    const first = await submit(caller, token);
    service.clock.advance(1_000);
    const second = await submit(caller, token, { rating: 1 });
    expect(second.body.error).toMatchObject({
      code: 'token_used',
      details: { id: first.body.id, at: first.body.at, kind: 'response' },
    });
    expect((await rowOf(first.body.id))?.rating).toBe(8);

    const dismissed = await showTokenOf(service, tenant);
    const dismissal = await service.call(submitDismissal, {
      body: aSubmission(tenant, dismissed, { userId: 'x' }),
    });
    expect((await submit(caller, dismissed)).body.error.details).toEqual({
      id: dismissal.body.id,
      at: dismissal.body.at,
      kind: 'dismissal',
    });
  });
});
