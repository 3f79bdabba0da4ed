import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { surveyItem } from '../../shared/data/projects/project-item.ts';
import { SURVEY_TYPES, type Survey, scaleOf } from '../../shared/domain/surveys/survey.ts';
import { startFaultProxy } from '../support/faults/fault-proxy.ts';
import { createProxiedClient } from '../support/faults/proxied-client.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { exportOf } from '../support/fixtures/exported.ts';
import { aSubmission, codeOf, submit } from '../support/fixtures/submission.ts';
import { boundTokenOf, showTokenOf, someone } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();

const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });

const caller = { service, tenant };

const rowOf = async (id: string) => (await scanAll(service.table, id))[0];

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
    expect((await service.call(submitResponse, { path: '/v1/responses', body })).status).toBe(201);
    expect(codeOf(await service.call(submitResponse, { body }))).toBe('409 token_used');
  });

  it.each(SURVEY_TYPES)('accepts every rating on the scale of %s', async (type) => {
    const survey = aSurvey({}, { type });
    const typed = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [survey]);
    const { min, max } = scaleOf(survey);
    for (let rating = min; rating <= max; rating++) {
      const token = await showTokenOf(service, typed, { types: type });
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

async function setSurvey(of: Tenant, change: Partial<Survey>): Promise<void> {
  const [survey = aSurvey()] = of.surveys;
  await service.table.table.put(surveyItem(of.project.id, { ...survey, ...change }));
  service.clock.advance(30_000);
}

it.each([
  ['csat', 0],
  ['csat', 6],
  ['ces', 0],
  ['ces', 8],
  ['pmf', 3],
  ['thumbs', 2],
] as const)('400 when %s has no %i; the token stays valid', async (type, rating) => {
  const typed = { service, tenant: await service.tenant({}, [aSurvey({}, { type })]) };
  const token = await showTokenOf(service, typed.tenant);
  expect(codeOf(await submit(typed, token, { rating }))).toBe('400 rating_out_of_range');
  expect((await submit(typed, token, { rating: type === 'thumbs' ? 1 : 2 })).status).toBe(201);
});

it('400 with every invalid field named and none quoted', async () => {
  const wrong = { rating: 'canary-rating', surveyId: '', text: 7, traits: { x: ['canary-trait'] } };
  const reply = await submit(caller, 'canary-token', wrong);
  const paths: string[] = reply.body.error.issues.map(({ path }: { path: string }) => path);
  expect(paths.sort()).toEqual(['rating', 'surveyId']);
  expect(reply.text).not.toContain('canary');
});

it('401 for a forged token, without further details', async () => {
  const { body } = await submit(caller, 'forged');
  expect(body.error).toEqual({
    code: 'invalid_token',
    message: expect.any(String),
    requestId: expect.any(String),
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
    await service.projects.createSurvey(other.tenant.project.id, survey);
    const elsewhere = await createTestService({ table: service.table, clock: service.clock });
    const token = await showTokenOf(elsewhere, { ...other.tenant, surveys: [survey] });
    service.clock.advance(2_000);
    expect((await submit(other, token, { surveyId: survey.id })).status).toBe(201);
  });
});

it('409 with id, time and kind of what used the token', async () => {
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

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

/** See docs/contract.md §9.1; test/shared/contract/sdk-schemas.test.ts has the limits of each field. */
describe('201 with optional values', () => {
  const stored = async (fields: Record<string, unknown>) => {
    const userId = someone();
    const reply = await submit(caller, await showTokenOf(service, tenant, { userId }), fields);
    expect(codeOf(reply)).toBe('201 recorded');
    const { body } = await exportOf(service, tenant, { respondentId: userId });
    return { dropped: reply.body.dropped, row: body.responses[0] };
  };

  it('drops and names invalid ones', async () => {
    const names = ['contact', 'followUpRequested', 'identityKind', 'observationId', 'sessionId', 'taskType'];
    const fields = [...names, 'text', 'traceId', 'traits'];
    const { dropped, row } = await stored(Object.fromEntries(fields.map((name) => [name, [{ un: 'fit' }]])));
    expect(dropped.sort()).toEqual(fields);
    expect(row).toMatchObject({ rating: 8, ...Object.fromEntries(fields.map((name) => [name, null])) });
  });

  it("keeps reasons of a low rating in the survey's order, and drops and names unknown ones", async () => {
    const asking = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [
      aSurvey(
        { reasonCodes: ['rude', 'slow', 'wrong'] },
        { reasons: ['wrong', 'slow'].map((code) => ({ code, label: code })) },
      ),
    ]);
    const given = async (fields: Record<string, unknown>) => {
      const userId = someone();
      const showToken = await showTokenOf(service, asking, { userId });
      const { status, body } = await submit({ service, tenant: asking }, showToken, fields);
      const [row] = (await exportOf(service, asking, { respondentId: userId })).body.responses;
      return [status, row.reasons, body.dropped];
    };
    const reasons = ['slow', 'toString', 'wrong', 'rude', 'slow'];
    expect(await given({ rating: 6, reasons })).toEqual([201, ['wrong', 'slow', 'rude'], ['reasons.1']]);
    expect(await given({ rating: 7, reasons })).toEqual([201, null, ['reasons']]);
    for (const unfit of ['slow', { slow: true }, 7, ['unknown'], [['slow']]])
      expect(await given({ rating: 0, reasons: unfit })).toEqual([201, null, ['reasons']]);
    for (const none of [[], null, undefined])
      expect(await given({ rating: 0, reasons: none })).toEqual([201, null, undefined]);
  });

  it('keeps the first 50 traits within 4,096 bytes, nested ones as JSON text', async () => {
    const many = await stored({ traits: keys(52) });
    expect(many).toMatchObject({ dropped: ['traits.k50', 'traits.k51'], row: { traits: keys(50) } });
    const large = await stored({ traits: { a: 1, b: 'ü'.repeat(2_100), c: 2 } });
    expect(large).toMatchObject({ dropped: ['traits.b'], row: { traits: { a: 1, c: 2 } } });
    const nested = await stored({ traits: { orgs: [{ id: 1 }], plan: 'team' } });
    expect(nested.dropped).toBeUndefined();
    expect(nested.row.traits).toEqual({ orgs: '[{"id":1}]', plan: 'team' });
  });

  it('counts dropped values, and logs fields without values and names of traits', async () => {
    service.logs.length = 0;
    const traits = { ...keys(50), canary: 'x' };
    await submit(caller, await showTokenOf(service, tenant), { traits, taskType: ['canary'], text: 7 });
    const line = JSON.parse(service.logs.at(-1) ?? '{}');
    expect(line).toMatchObject({ metadata_dropped: 3, dropped: ['text', 'traits', 'taskType'] });
    expect(service.logs.join()).not.toContain('canary');
  });

  it('drops nothing for a refused answer', async () => {
    service.logs.length = 0;
    await submit(caller, 'forged', { traits: [] });
    expect(service.logs.join()).not.toContain('dropped');
  });

  it('stores the rating with any JSON', async () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 4, noUnicodeString: false }),
      fc.dictionary(
        fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'a.b')),
        fc.jsonValue(),
      ),
      fc.string({ unit: 'binary', maxLength: 6_000 }),
    );
    const names = ['text', 'followUpRequested', 'contact', 'userId', 'traits', 'taskType', 'identityKind'];
    const ids = ['sessionId', 'observationId', 'traceId'];
    const fields = fc.dictionary(fc.constantFrom(...names, ...ids), anything, { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(fields, async (sent) => {
        const { row } = await stored(sent);
        expect(row.rating).toBe(8);
        expect(Object.keys(row.traits ?? {}).length).toBeLessThanOrEqual(50);
        expect(Buffer.byteLength(JSON.stringify(row.traits ?? {}))).toBeLessThanOrEqual(4_096);
      }),
      { numRuns: 150 },
    );
  });

  it('drops traits that are nested too deeply to be serialized', async () => {
    const token = await showTokenOf(service, tenant);
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const rawBody = JSON.stringify(aSubmission(tenant, token, { traits: { deep: 'N' } })).replace(
      '"N"',
      deep,
    );
    const reply = await service.call(submitResponse, { rawBody });
    expect(reply).toMatchObject({ status: 201, body: { dropped: ['traits.deep'] } });
  });
});

it('exports a contact, keeps it out of scores and logs, and deletes it with the person', async () => {
  service.logs.length = 0;
  const respondentId = someone();
  const contact = 'canary@example.org';
  const token = await boundTokenOf(service, tenant, { respondentId, sessionId: 's-1' });
  const reply = await submit(caller, token, { sessionId: 's-1', contact, followUpRequested: true });
  expect(reply.body).toEqual({ ok: true, id: expect.any(String), at: expect.any(String) });

  const { secretKey } = tenant;
  const scores = await service.call(listPendingScores, { secretKey });
  expect(scores.body.scores.map(({ id }: { id: string }) => id)).toContain(reply.body.id);
  expect(scores.text).not.toContain('canary');
  const exported = await exportOf(service, tenant, { respondentId });
  expect(exported.body.responses).toMatchObject([{ contact }]);
  expect(service.logs.join()).not.toContain('canary');

  const stored = async () => JSON.stringify(await scanAll(service.table, tenant.project.id));
  expect(await stored()).toContain(contact);
  await service.call(erase, { secretKey, query: { respondentId } });
  expect(await stored()).not.toContain(contact);
});

describe('a write that fails', () => {
  const faulty = async () => {
    const proxy = await startFaultProxy(service.table.endpoint);
    const own = await createTestService({ table: service.table, client: createProxiedClient(proxy) });
    const of = await own.tenant();
    return {
      proxy,
      body: aSubmission(of, await showTokenOf(own, of), { userId: 'ann' }),
      call: (endpoint: Endpoint, body: object) => own.call(endpoint, { body }),
      stored: async () =>
        (await scanAll(service.table, of.project.id)).filter(({ tokenId }) => tokenId !== undefined),
    };
  };

  it('wins against a concurrent request that arrives during its retry', async () => {
    const { proxy, body, call, stored } = await faulty();
    proxy.inject({ operation: 'PutItem', fault: 'drop-reply', times: 1 });
    const replies = await Promise.all([1, 2].map(() => call(submitResponse, body)));
    expect(replies.map(codeOf).sort()).toEqual(['201 recorded', '409 token_used']);
    expect(await stored()).toHaveLength(1);
    await proxy.stop();
  });

  it.each([submitResponse, submitDismissal])(
    'is looked up by $route.name, which returns 201 although an HTML page replaces every reply after it',
    async (endpoint) => {
      const { proxy, body, call, stored } = await faulty();
      proxy.inject({ operation: 'PutItem', fault: 'html-reply' });
      const reply = await call(endpoint, body);
      expect(reply.status).toBe(201);
      expect(await stored()).toMatchObject([{ id: reply.body.id }]);
      await proxy.stop();
    },
  );
});
