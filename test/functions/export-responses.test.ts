import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { walks } from '../../functions/runtime/parts/answers.ts';
import { invokeLambda } from '../../local/lambda-invocation.ts';
import { importedRespondentId } from '../../shared/crypto/derive.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { dismiss, respond } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { type ExportedRow, exportOf, GZIP, pagesOf, slugOf } from '../support/fixtures/exported.ts';
import { linkedAnswer, NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { aLinkedAnswer, revise, SESSION } from '../support/fixtures/revising.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import { createRandom, SEED } from '../support/random.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import {
  callEvent,
  createTestService,
  type Tenant,
  type TestService,
} from '../support/service/test-service.ts';
import { createLaggingIndex } from '../support/stand-ins/lagging-index.ts';

const service = await createTestService();

describe('export', () => {
  async function twoPeople(): Promise<Tenant> {
    const tenant = await service.tenant({ limits: NO_LIMITS }, [
      aSurvey(),
      aSurvey({}, { type: 'csat' }),
      aSurvey(),
    ]);
    const [first, second, third] = tenant.surveys.map(({ id }) => id);
    await respond(service, tenant, 'ann', {
      surveyId: first,
      sessionId: 's-1',
      body: {
        text: 'fine',
        followUpRequested: true,
        contact: 'ann@example.org',
        traits: { plan: 'x' },
        identityKind: 'identified',
      },
    });
    await respond(service, tenant, 'ann', { surveyId: second, body: { sessionId: 'claimed' } });
    await dismiss(service, tenant, 'ann', { surveyId: third });
    await respond(service, tenant, 'bob', { surveyId: first });
    await dismiss(service, tenant, 'bob', { surveyId: second });
    return tenant;
  }

  it('200 with everything in the project: every field of a row, and dismissals', async () => {
    const tenant = await twoPeople();
    const all = await exportOf(service, tenant);
    expect(all.status).toBe(200);
    const requestId = expect.any(String);
    expect(all.headers).toMatchObject({ 'content-type': 'application/json', 'x-request-id': requestId });
    expect(all.headers).not.toHaveProperty('content-encoding');
    const exportedAt = '2026-11-20T09:30:00.000Z';
    expect(all.body).toMatchObject({ projectId: tenant.project.id, exportedAt, count: 3 });
    const people = all.body.dismissals.map((row: { respondentId: string }) => row.respondentId);
    expect(people.sort()).toEqual(['ann', 'bob']);
    const rows: { respondentId: string; surveyType: string }[] = all.body.responses;
    const linked = rows.find((row) => row.respondentId === 'ann' && row.surveyType === 'nps');
    expect(linked).toEqual({
      id: expect.any(String),
      surveyId: tenant.surveys[0]?.id,
      surveySlug: slugOf(tenant, 0),
      surveyType: 'nps',
      rating: 3,
      text: 'fine',
      followUpRequested: true,
      contact: 'ann@example.org',
      reasons: null,
      answers: null,
      choice: null,
      respondentId: 'ann',
      identityKind: 'identified',
      verified: true,
      traits: { plan: 'x' },
      sessionId: 's-1',
      traceId: null,
      observationId: null,
      taskType: null,
      labels: null,
      channel: null,
      linked: true,
      scoreState: 'pending',
      source: 'sdk',
      revision: 0,
      revisedAt: null,
      withdrawn: false,
      handled: null,
      at: '2026-11-20T09:30:00.000Z',
    });
    const unlinked = rows.find(({ surveyType }) => surveyType === 'csat');
    const absent = { scoreState: null, text: null, traits: null };
    expect(unlinked).toMatchObject({ verified: false, linked: false, sessionId: 'claimed', ...absent });
  });

  it('200 with the code of a choice; an open answer has no score', async () => {
    const types = ['choice', 'open'] as const;
    const tenant = await service.tenant(
      { limits: NO_LIMITS },
      types.map((type) => aSurvey({}, { type, slug: type })),
    );
    const caller = { service, tenant };
    const { showToken } = await aLinkedAnswer(caller, { rating: 1 });
    await linkedAnswer(service, tenant, { surveyIndex: 1, submission: { rating: 0, text: 'Hello' } });
    const rows = async (surveySlug: string) =>
      (await exportOf(service, tenant, { surveySlug })).body.responses;
    expect(await rows('choice')).toMatchObject([{ rating: 1, choice: 'missing', linked: true }]);
    const ofOpen = { rating: 0, choice: null, text: 'Hello', linked: false, scoreState: null };
    expect(await rows('open')).toMatchObject([ofOpen]);
    await revise(caller, showToken, { revision: 1, withdraw: true, ...SESSION });
    expect(await rows('choice')).toMatchObject([{ rating: null, choice: null, withdrawn: true }]);
  });

  it("200 for a person with dismissals, for a survey, and for a person's answers to a survey", async () => {
    const tenant = await twoPeople();
    const person = await exportOf(service, tenant, { respondentId: 'ann' });
    const [ann, surveySlug] = [{ respondentId: 'ann' }, slugOf(tenant, 0)];
    expect(person.body).toMatchObject({ count: 2, responses: [ann, ann] });
    expect(person.body.dismissals).toEqual([
      {
        ...{ id: expect.any(String), ...ann, verified: false, at: '2026-11-20T09:30:00.000Z' },
        ...{ surveyId: tenant.surveys[2]?.id, surveySlug: slugOf(tenant, 2), surveyType: 'nps' },
      },
    ]);
    const survey = await exportOf(service, tenant, { surveySlug });
    expect(survey.body).toMatchObject({ responses: [{ surveySlug }, { surveySlug }], dismissals: [] });
    const dismissed = await exportOf(service, tenant, { surveySlug: slugOf(tenant, 1) });
    expect(dismissed.body.dismissals).toMatchObject([{ respondentId: 'bob', surveySlug: slugOf(tenant, 1) }]);
    const narrowed = await exportOf(service, tenant, { respondentId: 'ann', surveySlug: slugOf(tenant, 1) });
    expect(narrowed.body).toMatchObject({ count: 1, responses: [{ surveyType: 'csat' }], dismissals: [] });
    const none = await exportOf(service, tenant, { respondentId: 'bob', surveySlug: slugOf(tenant, 2) });
    expect(none.body).toMatchObject({ count: 0, responses: [], dismissals: [] });
    expect(none.status).toBe(200);
  });

  it('200 for respondentId and e-mail of one person, whole and paged', async () => {
    const tenant = await twoPeople();
    const { secretKey } = tenant;
    const both = { respondentId: 'ann', email: 'A@x.org' };
    const probe = await service.call(erase, { secretKey, query: both });
    const imported = probe.body.respondentIds[1];
    await respond(service, tenant, 'cy');
    await respond(service, tenant, imported);
    const query = { respondentId: 'cy', email: ' a@X.org' };
    const union = await exportOf(service, tenant, query);
    expect(union.body.responses).toMatchObject([{ respondentId: 'cy' }, { respondentId: imported }]);
    const pages = await pagesOf(service, tenant, { ...query, limit: '1' });
    expect(pages.map((page) => page.responses)).toEqual(
      union.body.responses.map((row: ExportedRow) => [row]),
    );
    expect((await exportOf(service, tenant, { respondentId: imported })).body.count).toBe(1);
  });

  it('404 for an unknown person, 200 with count 0 after erasure, and 404 for an unknown slug first', async () => {
    const tenant = await twoPeople();
    const codeFor = async (query: Record<string, string>) => codeOf(await exportOf(service, tenant, query));
    expect(await codeFor({ respondentId: 'nobody' })).toBe('404 respondent_not_found');
    expect((await exportOf(service, tenant, { respondentId: 'nobody', limit: '5' })).status).toBe(404);
    await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'ann' } });
    const seen = await exportOf(service, tenant, { respondentId: 'ann' });
    expect(seen.status).toBe(200);
    expect(seen.body).toMatchObject({ count: 0, responses: [], dismissals: [] });
    expect(await codeFor({ respondentId: 'nobody', surveySlug: 'none' })).toBe('404 survey_not_found');
  });

  it('200 with the answers of some days, whole and paged, for a person, a survey and a project', async () => {
    const tenant = await service.tenant({}, [aSurvey(), aSurvey()]);
    const surveyIds = tenant.surveys.map(({ id }) => id);
    const firstDay = Date.parse('2026-11-01T00:00:00.000Z');
    // Four answers a day: the first at midnight, the last a millisecond before the next day.
    const momentOf = (index: number) =>
      firstDay + Math.floor(index / 4) * DAY + ([0, 1, DAY / 2, DAY - 1][index % 4] ?? 0);
    await seedAnswers(service.table, {
      projectId: tenant.project.id,
      surveyIds,
      count: 40,
      momentOf,
      respondentOf: () => 'ann',
      responseOf: (index) => (index % 4 === 1 ? undefined : {}),
    });
    const daysOf = ({ responses, dismissals }: Record<'responses' | 'dismissals', { at: string }[]>) =>
      [...responses, ...dismissals].map(({ at }) => at.slice(8, 10)).sort();
    const all = (await exportOf(service, tenant)).body;
    expect(daysOf(all)).toHaveLength(40);
    for (const [query, days] of [
      [{ from: '2026-11-03', to: '2026-11-04' }, ['03', '04']],
      [{ from: '2026-11-09' }, ['09', '10']],
      [{ to: '2026-11-01' }, ['01']],
      [{ from: '2026-11-11' }, []],
    ] as const) {
      const expected = days.flatMap((day) => [day, day, day, day]);
      for (const more of [{}, { respondentId: 'ann' }])
        expect(daysOf((await exportOf(service, tenant, { ...query, ...more })).body)).toEqual(expected);
      const pages = await pagesOf(service, tenant, { ...query, limit: '3' });
      const rows = pages.flatMap(({ responses, dismissals }) => [...responses, ...dismissals]);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(expected.length);
      const bySurvey = await Promise.all(
        [0, 1].map((index) => exportOf(service, tenant, { ...query, surveySlug: slugOf(tenant, index) })),
      );
      expect(bySurvey.flatMap(({ body }) => daysOf(body)).sort()).toEqual(expected);
    }
    const { nextCursor: cursor } = (await exportOf(service, tenant, { from: '2026-11-03', limit: '3' })).body;
    expect((await exportOf(service, tenant, { cursor, from: '2026-11-03' })).status).toBe(200);
    for (const from of ['2026-11-02', '']) {
      const query = from === '' ? { cursor } : { cursor, from };
      expect((await exportOf(service, tenant, query)).body.error.issues).toMatchObject([{ path: 'cursor' }]);
    }
  });

  it.each([
    [{ from: '2026-11-31' }, 'from', 'must be a day, YYYY-MM-DD'],
    [{ to: '2026-11-20T00:00:00Z' }, 'to', 'must be a day, YYYY-MM-DD'],
    [{ from: 'yesterday' }, 'from', 'must be a day, YYYY-MM-DD'],
    [{ from: '2026-11-02', to: '2026-11-01' }, 'to', 'must not be before from'],
  ])('400 for invalid days: %j', async (query, path, message) => {
    const tenant = await service.tenant();
    const reply = await exportOf(service, tenant, query);
    expect([reply.status, reply.body.error.issues]).toEqual([400, [{ path, message }]]);
  });

  it('400 for an unknown parameter, which it names', async () => {
    const tenant = await twoPeople();
    const query = { since: '2026-11-01', respondentID: 'ann', respondentId: 'ann' };
    const reply = await exportOf(service, tenant, query);
    const message = 'is not a parameter of this route';
    expect(codeOf(reply)).toBe('400 invalid_request');
    expect(reply.body.error.issues).toEqual(['since', 'respondentID'].map((path) => ({ path, message })));
  });

  it('400 for a limit below 1, a foreign cursor, or one for another query', async () => {
    const [tenant, other] = [await twoPeople(), await twoPeople()];
    expect((await exportOf(service, tenant, { limit: '0' })).status).toBe(400);
    const { nextCursor: cursor } = (await exportOf(service, tenant, { limit: '1' })).body;
    expect((await exportOf(service, tenant, { cursor, limit: '2' })).status).toBe(200);
    const refused = [
      await exportOf(service, other, { cursor }),
      await exportOf(service, tenant, { cursor, respondentId: 'ann' }),
      await exportOf(service, tenant, { cursor, surveySlug: slugOf(tenant, 0) }),
      await exportOf(service, tenant, { cursor: `${cursor}A` }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  it('400 when a cursor for two ids is used with a single id that looks like both', async () => {
    const tenant = await twoPeople();
    const both = { respondentId: 'ann', email: 'ann@example.org' };
    const { nextCursor: cursor } = (await exportOf(service, tenant, { ...both, limit: '1' })).body;
    expect((await exportOf(service, tenant, { ...both, cursor })).status).toBe(200);
    const imported = importedRespondentId(TEST_HASH_SECRET, tenant.project.id, both.email);
    const other = await exportOf(service, tenant, { respondentId: `ann\0${imported}`, cursor });
    expect([other.status, other.body.error?.issues]).toMatchObject([400, [{ path: 'cursor' }]]);
  });

  it('400 for an e-mail with inner white space, which an unescaped + causes', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS });
    const imported = importedRespondentId(TEST_HASH_SECRET, tenant.project.id, 'ann+x@example.org');
    await respond(service, tenant, imported);
    const { secretKey } = tenant;
    for (const endpoint of [exportResponses, erase]) {
      const refused = await service.call(endpoint, { secretKey, query: 'email=ann+x@example.org' });
      expect([refused.status, refused.body.error?.code]).toEqual([400, 'invalid_request']);
      const issue = { path: 'email', message: 'must be an e-mail address; write + as %2B' };
      expect(refused.body.error.issues).toEqual([issue]);
      const found = await service.call(endpoint, { secretKey, query: 'email=%20ann%2Bx@example.org' });
      expect(found.status).toBe(200);
    }
  });

  it('returns each row once over all pages of any size, with an index that lags and repeats', async () => {
    const tenant = await service.tenant({}, [aSurvey(), aSurvey()]);
    const surveyIds = tenant.surveys.map(({ id }) => id);
    const ids = await seedAnswers(service.table, {
      projectId: tenant.project.id,
      surveyIds,
      count: 500,
      responseOf: (index) => (index % 5 === 0 ? undefined : {}),
    });
    const expected = [...ids].sort();
    for (const limit of ['37', '400', '1000']) {
      const over = await createTestService({
        table: service.table,
        clock: service.clock,
        aroundIndex: (read) =>
          createLaggingIndex(read, { random: createRandom(SEED), lag: 0, repeat: 0.5 }).read,
      });
      const pages = await pagesOf(over, tenant, { limit });
      const rows = pages.map(({ responses, dismissals }) => [...responses, ...dismissals]);
      expect(rows.flatMap((page) => page.map(({ id }) => id)).sort()).toEqual(expected);
      for (const page of rows.slice(0, -1)) expect(page).toHaveLength(Number(limit));
      const dismissed = pages.flatMap(({ dismissals }) => dismissals.map(({ id }) => id));
      expect(dismissed.sort()).toEqual(ids.filter((_, index) => index % 5 === 0).sort());
    }
  });

  it('compresses with gzip if accepted, and returns the same content otherwise', async () => {
    const tenant = await twoPeople();
    const plain = await exportOf(service, tenant, {}, { 'accept-encoding': 'br, gzip;q=0' });
    const zipped = await exportOf(service, tenant, {}, GZIP);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(zipped.body).toEqual(plain.body);
  });
});

describe('at the 6 MB of a Lambda reply', () => {
  const invoke = async (tenant: Tenant, headers = {}) => {
    const event = callEvent(exportResponses, { secretKey: tenant.secretKey, headers });
    const handler = exportResponses.create(service.service);
    const options = { functionName: 'export-responses', timeoutMs: 30_000 };
    const outcome = await invokeLambda((e: typeof event, c: Context) => handler(e, c), event, options);
    return outcome.kind === 'returned' ? (outcome.result as { statusCode: number; body: string }) : outcome;
  };
  const filled = async (count: number, text: string) => {
    const tenant = await service.tenant();
    const { id: projectId } = tenant.project;
    const surveyIds = tenant.surveys.map(({ id }) => id);
    await seedAnswers(service.table, { projectId, surveyIds, count, responseOf: () => ({ text }) });
    return tenant;
  };

  it('fits just below; just above it is 400 export_too_large, and gzip or pages still return everything', async () => {
    const text = 'x'.repeat(5_000);
    const fits = await invoke(await filled(1_112, text));
    expect(fits).toMatchObject({ statusCode: 200 });
    expect(JSON.stringify(fits).length).toBeGreaterThan(5.9 * 1_024 * 1_024);
    const tenant = await filled(1_160, text);
    const refused = await invoke(tenant);
    expect(refused).toMatchObject({ statusCode: 400, body: expect.stringContaining('export_too_large') });
    expect(refused).toMatchObject({ body: expect.stringContaining('limit') });
    expect((await exportOf(service, tenant, {}, GZIP)).body.count).toBe(1_160);
    const pages = await pagesOf(service, tenant, { limit: '1000' });
    expect(pages.length).toBeGreaterThan(2);
    expect(new Set(pages.flatMap((page) => page.responses.map(({ id }) => id))).size).toBe(1_160);
  });

  it('counts characters in escaped form', async () => {
    const tenant = await filled(330, '"'.repeat(5_000));
    const body = expect.stringContaining('export_too_large');
    expect(await invoke(tenant)).toMatchObject({ statusCode: 400, body });
    const pages = await pagesOf(service, tenant, { limit: '1000' });
    expect(pages.reduce((sum, { count }) => sum + count, 0)).toBe(330);
  });
});

describe('when time runs out', () => {
  /** Each row takes two seconds, so a request reads nine. */
  async function aSlowService(): Promise<TestService> {
    const { clock, service: plain } = await createTestService({ table: service.table });
    async function* slowly<T>(steps: AsyncIterable<T>) {
      for await (const step of steps) {
        clock.advance(2_000);
        yield step;
      }
    }
    const own = walks(plain);
    const ofProject: typeof own.ofProject = (...query) => slowly(own.ofProject(...query));
    const ofRespondents: typeof own.ofRespondents = (...query) => slowly(own.ofRespondents(...query));
    return createTestService({
      table: service.table,
      clock,
      arrange: (slow) => walks.replace(slow, { ...own, ofProject, ofRespondents }),
    });
  }

  it('400 export_too_large for a whole export; a page ends early instead', async () => {
    const tenant = await service.tenant();
    const surveyIds = tenant.surveys.map(({ id }) => id);
    await seedAnswers(service.table, { projectId: tenant.project.id, surveyIds, count: 30 });
    const slow = await aSlowService();
    expect(codeOf(await exportOf(slow, tenant))).toBe('400 export_too_large');
    const pages = await pagesOf(slow, tenant, { limit: '100' });
    expect(pages.map(({ count }) => count)).toEqual([9, 9, 9, 3]);
    expect(new Set(pages.flatMap(({ responses }) => responses.map(({ id }) => id))).size).toBe(30);
  });

  it('makes progress with pages over used tokens, which an export leaves out', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS });
    const { project, secretKey } = tenant;
    const surveyIds = tenant.surveys.map(({ id }) => id);
    await seedAnswers(service.table, { projectId: project.id, surveyIds, count: 40 });
    for (let index = 0; index < 36; index += 1) {
      const query = { respondentId: `person-${index}` };
      expect((await service.call(erase, { secretKey, query })).status).toBe(200);
    }
    const pages = await pagesOf(await aSlowService(), tenant, { limit: '100' });
    expect(pages.length).toBeGreaterThan(4);
    expect(pages.some(({ count }) => count === 0)).toBe(true);
    expect(pages.flatMap(({ responses }) => responses)).toHaveLength(4);
  });

  it('makes progress with a person’s pages over answers to other surveys', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    const [first = '', second = ''] = tenant.surveys.map(({ id }) => id);
    const common = { projectId: tenant.project.id, respondentOf: () => 'ann' };
    await seedAnswers(service.table, { ...common, surveyIds: [first], count: 40 });
    const momentOf = (index: number) => service.clock.now() + 1_000 + index;
    await seedAnswers(service.table, { ...common, surveyIds: [second], count: 2, momentOf });
    const query = { respondentId: 'ann', surveySlug: slugOf(tenant, 1), limit: '100' };
    const pages = await pagesOf(await aSlowService(), tenant, query);
    expect(pages.map(({ count }) => count)).toEqual([0, 0, 0, 0, 2]);
  });
});
