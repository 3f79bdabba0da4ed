import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { onChange } from '../../../functions/on-change.ts';
import { erasures } from '../../../functions/runtime/parts/privacy.ts';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { importedRespondentId, respondentHash } from '../../../shared/crypto/derive.ts';
import { createImportStore } from '../../../shared/data/answers/import-store.ts';
import { createDynamodbClient } from '../../../shared/data/table/client.ts';
import { DAY } from '../../../shared/domain/duration.ts';
import { createCrashingClient } from '../../support/faults/failing-client.ts';
import { aRecord } from '../../support/fixtures/a-stream.ts';
import { type Answered, aToken, dismiss, respond } from '../../support/fixtures/answered.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { exportOf, pagesOf } from '../../support/fixtures/exported.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { loggedErasures } from '../../support/fixtures/logged-erasures.ts';
import { TEST_SHARDS } from '../../support/fixtures/seed-answers.ts';
import { countShows, report, show, shownRows } from '../../support/fixtures/shown.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { scanAll } from '../../support/scan-all.ts';
import { START } from '../../support/service/test-clock.ts';
import { TEST_HASH_SECRET } from '../../support/service/test-secrets.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';

function history(service: TestService, { publishableKey: key }: Tenant, userId: string) {
  return service.call(bootstrap, { body: { key, userId } });
}

const service = await createTestService();

const imports = createImportStore({
  table: service.table.table,
  secrets: { hashSecret: async () => TEST_HASH_SECRET },
  shards: TEST_SHARDS,
});

/** Runs `meanwhile` after the first query that contains these words. */
async function racingService(words: string, meanwhile: () => Promise<unknown>) {
  const { table, clock } = service;
  const client = createDynamodbClient({ endpoint: table.endpoint });
  let reads = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const output = await next(args);
        const isRead = commandName === 'QueryCommand' && JSON.stringify(args.input).includes(words);
        if (isRead && ++reads === 1) await meanwhile();
        return output;
      },
    { step: 'initialize', priority: 'high' },
  );
  return { service: await createTestService({ client, table, clock }), reads: () => reads };
}

describe('erasing a respondent', () => {
  const eraseBy = (tenant: Tenant, query: Record<string, string>) =>
    service.call(erase, { secretKey: tenant.secretKey, query });

  it('200 after deleting responses and dismissals; keeps suppression, and repeats with zeros', async () => {
    const surveys = [aSurvey(), aSurvey(), aSurvey()];
    const [first, second, third] = surveys.map(({ id }) => id);
    const tenant = await service.tenant({ limits: NO_LIMITS }, surveys);
    await respond(service, tenant, 'ann', {
      surveyId: first,
      body: { text: 'private words', traits: { plan: 'x' } },
    });
    await dismiss(service, tenant, 'ann', { surveyId: second });
    await respond(service, tenant, 'bob', { surveyId: first });

    const erased = await eraseBy(tenant, { respondentId: 'ann' });
    expect(erased.status).toBe(200);
    expect(erased.body).toEqual({
      ...{ ok: true, mode: 'respondent', respondentIds: ['ann'] },
      ...{ responsesDeleted: 1, dismissalsDeleted: 1, suppressionRetained: 2 },
      note: expect.stringContaining('other systems'),
    });
    const after = await history(service, tenant, 'ann');
    expect(new Set(after.body.suppression)).toEqual(new Set([first, second]));
    expect(Object.keys(after.body.showTokens)).toEqual([third]);
    expect((await history(service, tenant, 'bob')).body.suppression).toEqual([first]);

    const again = await eraseBy(tenant, { respondentId: 'ann' });
    expect(again.body).toMatchObject({ responsesDeleted: 0, dismissalsDeleted: 0, suppressionRetained: 0 });
    expect(again.status).toBe(200);
    const left = JSON.stringify(await scanAll(service.table, tenant.project.id));
    expect(left).not.toMatch(/"ann"|private words/);
    expect(left).toContain('"bob"');
  });

  it('keeps a used token of both kinds used until it expires; then there is no tombstone for it', async () => {
    const surveys = [aSurvey(), aSurvey()];
    const tenant = await service.tenant({ limits: NO_LIMITS, tokenLifetimeMs: 2 * DAY }, surveys);
    const response = await respond(service, tenant, 'ann');
    const dismissal = await dismiss(service, tenant, 'ann', { surveyId: surveys[1]?.id });
    await eraseBy(tenant, { respondentId: 'ann' });
    const { publishableKey: key } = tenant;
    const { reply, ...asked } = response;
    const reused = await service.call(submitResponse, { body: { key, ...asked, rating: 1 } });
    expect(reused.status).toBe(409);
    const { id, at } = reply.body;
    expect(reused.body.error.details).toEqual({ id, at, kind: 'response' });
    const { reply: _, ...told } = dismissal;
    const again = await service.call(submitDismissal, { body: { key, ...told, userId: 'ann' } });
    expect(again.status).toBe(401);
    expect(again.body.error).toMatchObject({ code: 'token_used', details: { kind: 'dismissal' } });
  });

  it('leaves a tombstone for a live token, which expires a day after the token, and none for an expired one', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS, tokenLifetimeMs: DAY }, [aSurvey(), aSurvey()]);
    await respond(service, tenant, 'ann');
    service.clock.advance(2 * DAY);
    await respond(service, tenant, 'ann', { surveyId: tenant.surveys[1]?.id });
    await eraseBy(tenant, { respondentId: 'ann' });
    const rows = await scanAll(service.table, tenant.project.id);
    const tombstones = rows.filter(({ type }) => type === 'tombstone');
    expect(tombstones).toHaveLength(1);
    expect(tombstones[0]?.ttl).toBe((service.clock.now() + DAY + DAY) / 1_000);
  });

  it('keeps quiet period and cap, for answers of the same millisecond too', async () => {
    const surveys = [aSurvey(), aSurvey(), aSurvey()];
    const quiet = await service.tenant({ limits: { quietPeriodMs: 7 * DAY, monthlyCap: 0 } }, surveys);
    await respond(service, quiet, 'ann');
    await eraseBy(quiet, { respondentId: 'ann' });
    expect((await history(service, quiet, 'ann')).body.showTokens).toEqual({});
    service.clock.advance(7 * DAY);
    expect(Object.keys((await history(service, quiet, 'ann')).body.showTokens)).toHaveLength(2);

    const capped = await service.tenant(
      { limits: { quietPeriodMs: 0, monthlyCap: 2 } },
      surveys.map(() => aSurvey()),
    );
    for (const { id } of capped.surveys.slice(0, 2)) await respond(service, capped, 'ann', { surveyId: id });
    await eraseBy(capped, { respondentId: 'ann' });
    expect((await history(service, capped, 'ann')).body.showTokens).toEqual({});
    service.clock.advance(30 * DAY);
    expect(Object.keys((await history(service, capped, 'ann')).body.showTokens)).toHaveLength(1);
  });

  it('drops moments older than 30 days at the next erasure, unless a longer quiet period needs them', async () => {
    const moments = async (tenant: Tenant) =>
      (await scanAll(service.table, tenant.project.id)).flatMap(({ answerTimes = [] }) => [...answerTimes]);
    for (const [quietPeriodMs, kept] of [
      [0, 0],
      [60 * DAY, 1],
    ] as const) {
      const tenant = await service.tenant({ limits: { quietPeriodMs, monthlyCap: 0 } });
      await respond(service, tenant, 'ann');
      await eraseBy(tenant, { respondentId: 'ann' });
      expect(await moments(tenant)).toHaveLength(1);
      service.clock.advance(31 * DAY);
      await eraseBy(tenant, { respondentId: 'ann' });
      expect(await moments(tenant)).toHaveLength(kept);
      expect((await history(service, tenant, 'ann')).body.suppression).toHaveLength(1);
    }
  });

  it('treats an e-mail and its hash as one person, united with a respondentId, in any spelling', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS });
    expect((await eraseBy(tenant, { email: 'Ann@Example.org ' })).status).toBe(404);
    const other = await service.tenant({ limits: NO_LIMITS });
    await respond(service, tenant, 'ann');
    const { body } = await eraseBy(tenant, { respondentId: 'ann', email: ' ann@example.ORG' });
    const ids = body.respondentIds;
    expect(ids).toEqual(['ann', expect.stringMatching(/^imp_[0-9a-f]{64}$/)]);
    await respond(service, other, ids[1]);
    expect((await eraseBy(other, { email: 'ann@example.org' })).status).toBe(404);
    await respond(service, tenant, ids[1]);
    const erased = await eraseBy(tenant, { email: 'Ann@Example.org ' });
    expect(erased.body).toMatchObject({ respondentIds: [ids[1]], responsesDeleted: 1 });
  });

  it('erases a person under both ids even if one has no data, so that neither is imported again', async () => {
    for (const stored of ['ann', 'email'] as const) {
      const tenant = await service.tenant({ limits: NO_LIMITS });
      const { id: projectId } = tenant.project;
      const both = { respondentId: 'ann', email: 'ann@example.org' };
      const before = await scanAll(service.table, projectId);
      expect((await eraseBy(tenant, both)).status).toBe(404);
      // Only the use of the key is added.
      expect(await scanAll(service.table, projectId)).toHaveLength(before.length + 1);

      const imported = importedRespondentId(TEST_HASH_SECRET, projectId, both.email);
      await respond(service, tenant, stored === 'ann' ? 'ann' : imported);
      const erased = await eraseBy(tenant, both);
      expect(erased.body).toMatchObject({ respondentIds: ['ann', imported], responsesDeleted: 1 });
      expect(erased.body).toMatchObject({ dismissalsDeleted: 0, suppressionRetained: 1 });

      const target = { projectId, surveyId: tenant.surveys[0]?.id ?? '' };
      for (const person of [{ respondentId: 'ann' }, { email: both.email }])
        expect(await imports.store(target, { ...person, rating: 3 }, START)).toBe('erased');
      for (const respondentId of ['ann', imported]) {
        const left = await exportOf(service, tenant, { respondentId });
        expect(left.body).toMatchObject({ count: 0, dismissals: [] });
      }
      expect(await loggedErasures(service, projectId)).toHaveLength(2);
      expect(await eraseBy(tenant, both)).toMatchObject({ status: 200, body: { responsesDeleted: 0 } });
      expect(await loggedErasures(service, projectId)).toHaveLength(2);
    }
  });

  it('erases a line that is imported during the erasure', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS });
    await respond(service, tenant, 'ann');
    const target = { projectId: tenant.project.id, surveyId: tenant.surveys[0]?.id ?? '' };
    const line = () =>
      imports.store(target, { respondentId: 'ann', rating: 1, id: 'r-1' }, service.clock.now());
    const { secretKey } = tenant;
    const racing = await racingService('#R#', async () => expect(await line()).toBe('imported'));
    const erased = await racing.service.call(erase, { secretKey, query: { respondentId: 'ann' } });
    expect(racing.reads()).toBeGreaterThan(0);
    expect(erased.body).toMatchObject({ responsesDeleted: 2, suppressionRetained: 1 });
    expect((await exportOf(service, tenant, { respondentId: 'ann' })).body.count).toBe(0);
    expect(await line()).toBe('erased');
  });

  it('counts an answer that arrives during the erasure under an id without data', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    const { id: projectId } = tenant.project;
    const both = { respondentId: 'ann', email: 'ann@example.org' };
    const imported = importedRespondentId(TEST_HASH_SECRET, projectId, both.email);
    const hash = respondentHash(TEST_HASH_SECRET, projectId, imported);
    await respond(service, tenant, 'ann');
    const racing = await racingService(hash, () =>
      respond(service, tenant, imported, { surveyId: tenant.surveys[1]?.id }),
    );
    const erased = await racing.service.call(erase, { secretKey: tenant.secretKey, query: both });
    expect(racing.reads()).toBeGreaterThan(1);
    expect(erased.body).toMatchObject({ responsesDeleted: 2, suppressionRetained: 2 });
  });

  it('400 ambiguous_erase without a mode, with two modes, or with an unknown parameter; nothing is erased', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS });
    await respond(service, tenant, 'ann');
    const slug = tenant.surveys[0]?.content.slug ?? '';
    const queries = [
      {},
      { respondentId: 'ann', surveySlug: slug },
      { email: 'a@example.org', surveySlug: slug },
      { respondentId: 'ann', account: 'true' },
      { surveySlug: slug, account: 'true' },
      { respondentId: 'ann', surveySlug: slug, account: 'true' },
      { respondentid: 'ann', surveySlug: slug },
      { respondentId: 'ann', survey: slug },
      { account: 'true', dryRun: 'true' },
    ];
    for (const query of queries) expect(codeOf(await eraseBy(tenant, query))).toBe('400 ambiguous_erase');
    expect((await exportOf(service, tenant)).body.count).toBe(1);
  });

  it('400 invalid_request when account is not true, or parameters are empty or repeated', async () => {
    const tenant = await service.tenant();
    for (const [query, issue] of [
      ['account=false', { path: 'account', message: 'must be true' }],
      ['account=1', { path: 'account', message: 'must be true' }],
      ['respondentId=', { path: 'respondentId', message: 'must not be empty' }],
      ['respondentId=a&respondentId=b', { path: 'respondentId', message: expect.any(String) }],
      ['email=', { path: 'email', message: 'must not be empty' }],
      ['surveySlug=', { path: 'surveySlug', message: 'must not be empty' }],
    ] as const) {
      const { status, body } = await service.call(erase, { secretKey: tenant.secretKey, query });
      expect([status, body.error.code, body.error.issues]).toEqual([400, 'invalid_request', [issue]]);
    }
  });

  it('404 for an unknown respondent or survey', async () => {
    const tenant = await service.tenant();
    expect(codeOf(await eraseBy(tenant, { respondentId: 'nobody' }))).toBe('404 respondent_not_found');
    expect(codeOf(await eraseBy(tenant, { surveySlug: 'none' }))).toBe('404 survey_not_found');
  });
});

/** Only one of the two ids has data. */
const BOTH_IDS = { respondentId: 'ann', email: 'ann@example.org' };

describe('erasing a respondent, interrupted at every call', () => {
  async function aPerson(): Promise<{ tenant: Tenant; live: Answered }> {
    const surveys = [aSurvey(), aSurvey(), aSurvey(), aSurvey()];
    const limits = { quietPeriodMs: 0, monthlyCap: 3 };
    const tenant = await service.tenant({ limits, tokenLifetimeMs: DAY }, surveys);
    await respond(service, tenant, 'ann', { body: { text: 'private words' } });
    service.clock.advance(2 * DAY);
    const body = { text: 'private words' };
    const live = await respond(service, tenant, 'ann', { surveyId: surveys[1]?.id, body });
    await dismiss(service, tenant, 'ann', { surveyId: surveys[2]?.id });
    return { tenant, live };
  }

  async function expectSuppressed({ publishableKey: key, surveys }: Tenant) {
    const reply = await service.call(bootstrap, { body: { key, userId: 'ann' } });
    expect(new Set(reply.body.suppression)).toEqual(new Set(surveys.slice(0, 3).map(({ id }) => id)));
    // Three answers in 30 days reach the cap.
    expect(reply.body.showTokens).toEqual({});
  }

  async function crashAt(tenant: Tenant, call: number, when: 'before' | 'after'): Promise<boolean> {
    const { client, hasCrashed } = createCrashingClient(service.table.endpoint, { call, when });
    const dying = await createTestService({ client, table: service.table, clock: service.clock });
    const reply = await dying.call(erase, { secretKey: tenant.secretKey, query: BOTH_IDS });
    expect(reply.status).toBe(hasCrashed() ? 500 : 200);
    return hasCrashed();
  }

  for (const when of ['before', 'after'] as const) {
    it(`completes when repeated, interrupted ${when} DynamoDB performs the call`, async () => {
      let crashes = 0;
      for (let call = 1; ; call += 1) {
        const { tenant, live } = await aPerson();
        const crashed = await crashAt(tenant, call, when);
        await expectSuppressed(tenant);
        const { secretKey } = tenant;
        expect((await service.call(erase, { secretKey, query: BOTH_IDS })).status).toBe(200);
        await expectSuppressed(tenant);

        const rows = (await scanAll(service.table, tenant.project.id)).filter(({ pk }) => pk.includes('#R#'));
        const types = rows.map(({ type }) => type);
        expect(types.sort()).toEqual(['suppression', 'suppression', 'tombstone', 'tombstone']);
        const marked = rows.filter(({ erasedAt }) => erasedAt !== undefined);
        expect(marked.map(({ type }) => type)).toEqual(['suppression', 'suppression']);
        expect(JSON.stringify(rows)).not.toMatch(/"ann"|private words/);
        const reused = await service.call(submitResponse, {
          body: { key: tenant.publishableKey, surveyId: live.surveyId, showToken: live.showToken, rating: 1 },
        });
        expect(reused.status).toBe(409);
        if (!crashed) break;
        crashes += 1;
      }
      // The calls are: settings, key use, the person's rows, log, suppression, one write for each of three answers, the
      // rows again after marking; for the other id three reads, log and suppression.
      expect(crashes).toBe(14);
    });
  }
});

const AT = '2026-11-20T09:30:00.000Z';
const own = await createTestService();

const UNLIMITED = { limits: { ...NO_LIMITS, maxShows: 0 }, rates: { publishable: 0, secret: 0 } };

const aTenant = (surveys = [aSurvey(), aSurvey()]) => own.tenant(UNLIMITED, surveys);

const eraseBy = (tenant: Tenant, respondentId: string) =>
  own.call(erase, { secretKey: tenant.secretKey, query: { respondentId } });

const exportBy = async (tenant: Tenant, query: Record<string, string>) =>
  (await exportOf(own, tenant, query)).body;

describe('the export of a person', () => {
  it('contains impressions, optionally for one survey or some days', async () => {
    const tenant = await aTenant();
    const [first, second] = tenant.surveys.map(({ id, content }) => ({
      surveyId: id,
      surveySlug: content.slug,
      surveyType: content.type,
      at: AT,
    }));
    await show(own, tenant, 'ann', first?.surveyId);
    await show(own, tenant, 'ann', second?.surveyId);
    await show(own, tenant, 'bob', second?.surveyId);
    const body = await exportBy(tenant, { respondentId: 'ann' });
    expect(body).toMatchObject({ count: 0, responses: [], dismissals: [] });
    expect(new Set(body.shows)).toEqual(new Set([first, second]));
    const narrowed = await exportBy(tenant, { respondentId: 'ann', surveySlug: second?.surveySlug ?? '' });
    expect(narrowed.shows).toEqual([second]);
    expect((await exportBy(tenant, { respondentId: 'ann', to: '2026-11-19' })).shows).toEqual([]);
    expect((await exportBy(tenant, { respondentId: 'ann', from: '2026-11-20' })).shows).toHaveLength(2);
    expect(await exportBy(tenant, {})).not.toHaveProperty('shows');
  });

  it('contains them once when it is paged', async () => {
    const tenant = await aTenant();
    await respond(own, tenant, 'ann');
    await respond(own, tenant, 'ann', { surveyId: tenant.surveys[1]?.id });
    const { showToken } = await respond(own, tenant, 'bob');
    await report(own, tenant, showToken);
    const fresh = await own.tenant(UNLIMITED, [aSurvey(), aSurvey(), aSurvey()]);
    for (const { id } of fresh.surveys.slice(0, 2)) await show(own, fresh, 'ann', id);
    for (const { id } of fresh.surveys) await respond(own, fresh, 'ann', { surveyId: id });
    const pages = await pagesOf(own, fresh, { respondentId: 'ann', limit: '1' });
    expect(pages.flatMap(({ responses }) => responses)).toHaveLength(3);
    expect(pages.flatMap(({ shows = [] }) => shows)).toHaveLength(2);
  });
});

describe('an erasure', () => {
  it('removes impressions, even of a person without answers, and is logged', async () => {
    const tenant = await aTenant();
    await show(own, tenant, 'ann');
    await show(own, tenant, 'bob');
    const { body } = await eraseBy(tenant, 'ann');
    expect(body).toMatchObject({ responsesDeleted: 0, suppressionRetained: 0 });
    expect(await countShows(own, tenant)).toBe(1);
    expect((await exportBy(tenant, { respondentId: 'ann' })).shows).toEqual([]);
    const logged = async () => (await loggedErasures(own, tenant.project.id)).length;
    expect(await logged()).toBe(1);
    expect((await eraseBy(tenant, 'ann')).status).toBe(200);
    expect(await logged()).toBe(1);
    own.clock.advance(1);
    await show(own, tenant, 'ann');
    await eraseBy(tenant, 'ann');
    expect([await countShows(own, tenant), await logged()]).toEqual([1, 2]);
    own.clock.advance(-1);
  });

  it('is not undone or counted twice by a repeated report; later impressions are recorded', async () => {
    const limits = { ...UNLIMITED.limits, showWindowMs: DAY };
    const tenant = await own.tenant({ ...UNLIMITED, limits }, [aSurvey(), aSurvey()]);
    const { showToken } = await show(own, tenant, 'ann');
    const unreported = await aToken(own, tenant, 'ann');
    await eraseBy(tenant, 'ann');
    const before = await shownRows(own, tenant);
    for (const token of [showToken, unreported]) expect((await report(own, tenant, token)).status).toBe(201);
    expect(await shownRows(own, tenant)).toEqual(before);
    expect(before.map(({ ttl }) => ttl)).toEqual([(Date.parse(AT) + 31 * DAY) / 1_000]);
    own.clock.advance(1);
    await show(own, tenant, 'ann');
    expect(await countShows(own, tenant)).toBe(1);
    const [after] = await shownRows(own, tenant);
    expect(after?.ttl).toBeGreaterThanOrEqual(before[0]?.ttl);
    own.clock.advance(-1);
  });

  it('leaves no impression that is reported at the same time, in any order', async () => {
    const tenant = await aTenant();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => aToken(own, tenant, 'ann')));
    await report(own, tenant, tokens[0] ?? '');
    const reports = tokens.map((token) => report(own, tenant, token));
    const [erased, ...replies] = await Promise.all([eraseBy(tenant, 'ann'), ...reports]);
    expect([erased.status, ...replies.map(({ status }) => status)]).toEqual([200, ...tokens.map(() => 201)]);
    expect(await countShows(own, tenant)).toBe(0);
  });

  it('is not undone by pruning an older version of the item', async () => {
    const tenant = await aTenant();
    for (let times = 0; times < 12; times += 1) {
      own.clock.advance(1);
      await show(own, tenant, 'ann');
    }
    const [full] = await shownRows(own, tenant);
    await eraseBy(tenant, 'ann');
    const erased = await shownRows(own, tenant);
    await onChange(own.service)({ Records: [aRecord(undefined, full)] });
    expect(await shownRows(own, tenant)).toEqual(erased);
  });

  it('creates no item: data that a purge deleted in the meantime stays deleted', async () => {
    const tenant = await aTenant();
    await show(own, tenant, 'ann');
    const [row] = await shownRows(own, tenant);
    const target = {
      projectId: tenant.project.id,
      respondentHash: String(row?.pk).split('#').at(-1) ?? '',
      longestQuietPeriodMs: 0,
    };
    const isOutOfTime = () => false;
    await own.table.table.delete({ pk: String(row?.pk), sk: String(row?.sk) });
    await erasures(own.service).eraseByHash({ ...target, isOutOfTime }, own.clock.now());
    await onChange(own.service)({ Records: [aRecord(undefined, row)] });
    expect(await shownRows(own, tenant)).toEqual([]);
  });
});
