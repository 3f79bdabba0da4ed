import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { onChange } from '../../../functions/on-change.ts';
import { purgeSweep, purges as purgesOf } from '../../../functions/runtime/parts/privacy.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { createPurgeRecords } from '../../../shared/data/privacy/purges.ts';
import type { PurgeAttempt, PurgeScope } from '../../../shared/domain/purge.ts';
import { anError, createCrashingClient, createThrottledClient } from '../../support/faults/failing-client.ts';
import { aRecord } from '../../support/fixtures/a-stream.ts';
import { aToken, dismiss, respond } from '../../support/fixtures/answered.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { exportOf } from '../../support/fixtures/exported.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { loggedErasures } from '../../support/fixtures/logged-erasures.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { countShows, report, show, shownRows } from '../../support/fixtures/shown.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { createRandom, SEED } from '../../support/random.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createPurgeService, type PurgeService } from '../../support/service/purge-service.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';
import { createLaggingIndex } from '../../support/stand-ins/lagging-index.ts';

describe('erasing a survey', () => {
  let purges: PurgeService;
  let service: TestService;
  beforeAll(async () => {
    purges = await createPurgeService();
    service = purges.service;
  });

  const slugOf = (tenant: Tenant) => tenant.surveys[0]?.content.slug ?? '';
  const eraseSurvey = (tenant: Tenant, over = service) =>
    over.call(erase, { secretKey: tenant.secretKey, query: { surveySlug: slugOf(tenant) } });
  const aTenant = () => service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
  const rowsOfSurvey = async ({ project, surveys }: Tenant) =>
    (await scanAll(service.table, project.id)).filter(
      (item) =>
        !['purge', 'suppression'].includes(item.type) && JSON.stringify(item).includes(surveys[0]?.id ?? '-'),
    );

  it('200 after marking and sweeping; the state machine sweeps again and deletes the definition last', async () => {
    const tenant = await aTenant();
    const [first, second] = tenant.surveys.map(({ id }) => id);
    await respond(service, tenant, 'ann', { surveyId: first });
    await dismiss(service, tenant, 'bob', { surveyId: first });
    await respond(service, tenant, 'ann', { surveyId: second });
    const outstanding = await aToken(service, tenant, 'cy');

    const erased = await eraseSurvey(tenant);
    expect(erased.status).toBe(200);
    const deleted = { responsesDeleted: 1, dismissalsDeleted: 1 };
    const note = expect.stringContaining('execution-1');
    expect(erased.body).toEqual({ ok: true, mode: 'survey', ...deleted, surveySlug: slugOf(tenant), note });
    const refused = await service.call(submitResponse, {
      body: { key: tenant.publishableKey, surveyId: first, showToken: outstanding, rating: 1 },
    });
    expect(refused.status).toBe(404);
    expect((await rowsOfSurvey(tenant)).map(({ type }) => type).sort()).toEqual(['survey', 'survey-total']);

    await purges.carryOut();
    expect(await rowsOfSurvey(tenant)).toEqual([]);
    const left = await exportOf(service, tenant);
    expect(left.body).toMatchObject({ count: 1, responses: [{ surveyId: second }] });
    const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
    expect(body.surveys.map(({ id }: { id: string }) => id)).toEqual([second]);
    const records = createPurgeRecords(service.table.table);
    expect(await records.list(tenant.project.id)).toMatchObject([
      { surveyId: first, state: 'done', attempt: 1, deleted: { responses: 1, dismissals: 1, others: 2 } },
    ]);
  });

  it('sweeps what cached instances accept later, even the reuse of a token whose row was deleted', async () => {
    const tenant = await aTenant();
    const { publishableKey: key } = tenant;
    const used = await respond(service, tenant, 'ann');
    const outstanding = await aToken(service, tenant, 'bob');
    const cached = await purges.otherInstance();
    await cached.call(bootstrap, { body: { key } });

    expect((await eraseSurvey(tenant)).status).toBe(200);
    for (const showToken of [used.showToken, outstanding]) {
      const body = { key, surveyId: used.surveyId, showToken, rating: 2 };
      expect((await cached.call(submitResponse, { body })).status).toBe(201);
      expect((await service.call(submitResponse, { body })).status).toBe(404);
    }
    expect((await rowsOfSurvey(tenant)).map(({ type }) => type)).toContain('response');
    await purges.carryOut();
    expect(await rowsOfSurvey(tenant)).toEqual([]);
  });

  it('returns 200 and the same execution when repeated during the purge; afterwards the survey is unknown', async () => {
    const tenant = await aTenant();
    await respond(service, tenant, 'ann');
    const first = await eraseSurvey(tenant);
    const again = await eraseSurvey(tenant);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ responsesDeleted: 0, note: first.body.note });
    expect(purges.requested.map(({ attempt }) => attempt.attempt)).toEqual([1, 1]);
    await purges.carryOut();
    expect(codeOf(await eraseSurvey(tenant))).toBe('404 survey_not_found');
  });

  it('frees the slug for a new survey immediately, which is not affected', async () => {
    const tenant = await aTenant();
    await respond(service, tenant, 'ann');
    await eraseSurvey(tenant);
    const successor = aSurvey({}, { slug: slugOf(tenant) });
    await service.projects.createSurvey(tenant.project.id, successor);
    service.clock.advance(30_000);
    await respond(service, tenant, 'ann', { surveyId: successor.id });
    await purges.carryOut();
    const left = await exportOf(service, tenant);
    expect(left.body.responses).toMatchObject([{ surveyId: successor.id }]);
  });

  it('sweeps only what fits into the request, and leaves the rest to the state machine', async () => {
    const tenant = await aTenant();
    const [surveyId = ''] = tenant.surveys.map(({ id }) => id);
    await seedAnswers(service.table, { projectId: tenant.project.id, surveyIds: [surveyId], count: 300 });
    const hurried = await createTestService({
      table: service.table,
      clock: service.clock,
      arrange(instance) {
        const own = purgesOf(service.service);
        purgesOf.replace(instance, { ...own, sweepNow: (scope) => own.sweepNow(scope, () => true) });
      },
    });
    expect((await eraseSurvey(tenant, hurried)).body).toMatchObject({ responsesDeleted: 0 });
    expect(await rowsOfSurvey(tenant)).toHaveLength(302);
    await purges.carryOut();
    expect(await rowsOfSurvey(tenant)).toEqual([]);
  });

  it('completes after an interruption at any call, by repetition or by the state machine', async () => {
    let crashes = 0;
    for (let call = 1; ; call += 1) {
      const tenant = await aTenant();
      await respond(service, tenant, 'ann');
      const { client, hasCrashed } = createCrashingClient(service.table.endpoint, { call, when: 'after' });
      const { table, clock } = service;
      const starts: PurgeAttempt[] = [];
      const starter = {
        async start(scope: object, attempt: PurgeAttempt) {
          starts.push(attempt);
          purges.requested.push({ scope: { projectId: '', ...scope }, attempt });
          return 'execution';
        },
      };
      const dying = await createTestService({ table, clock, client, starter });
      await eraseSurvey(tenant, dying);
      if (starts.length === 0) expect((await eraseSurvey(tenant)).status).toBe(200);
      await purges.carryOut();
      expect(await rowsOfSurvey(tenant)).toEqual([]);
      if (!hasCrashed()) break;
      crashes += 1;
    }
    expect(crashes).toBeGreaterThan(5);
  });

  it('marks and deletes nothing when the state machine does not start', async () => {
    const tenant = await aTenant();
    await respond(service, tenant, 'ann');
    const starter = { start: () => Promise.reject(anError('ThrottlingException')) };
    const { table, clock } = service;
    const broken = await createTestService({ table, clock, starter });
    expect((await eraseSurvey(tenant, broken)).status).toBe(503);
    expect((await rowsOfSurvey(tenant)).map(({ type }) => type)).toContain('response');
    expect((await respond(service, tenant, 'bob')).reply.status).toBe(201);
    expect(await loggedErasures(service, tenant.project.id)).toEqual([]);
  });

  it.each([
    ['the mark', 'purgedAt', 1],
    ['the log', '"mode":"survey"', 1],
    ['the sweep', 'RequestItems', 0],
    ['the count of the sweep', 'ADD #responses', 1],
  ])(
    'returns 200 although %s is throttled after the start; the state machine does it too',
    async (_, part, swept) => {
      const tenant = await aTenant();
      await respond(service, tenant, 'ann');
      const { table, clock } = service;
      let throttled = false;
      const client = createThrottledClient(table.endpoint, (input) => throttled && input.includes(part));
      const starter = {
        async start(scope: PurgeScope, attempt: PurgeAttempt) {
          // Reading settings uses batches, too.
          throttled = true;
          purges.requested.push({ scope, attempt });
          return 'execution';
        },
      };
      const faulty = await createTestService({ table, clock, client, starter });
      const erased = await eraseSurvey(tenant, faulty);
      expect(erased.status).toBe(200);
      expect(throttled).toBe(true);
      expect(erased.body).toMatchObject({
        responsesDeleted: swept,
        note: expect.stringContaining('sweeps again'),
      });
      await purges.carryOut();
      expect(await rowsOfSurvey(tenant)).toEqual([]);
      const scope = { mode: 'survey', projectId: tenant.project.id, surveyId: tenant.surveys[0]?.id };
      expect(await loggedErasures(service, tenant.project.id)).toContainEqual(scope);
    },
  );

  it('starts a new attempt when repeated after its execution was stopped', async () => {
    const tenant = await aTenant();
    await respond(service, tenant, 'ann');
    const { table, clock } = service;
    const { machine } = purges;
    const stopped: typeof machine.start = async (scope, attempt) => {
      const execution = await machine.start(scope, attempt);
      await machine.stop();
      return execution;
    };
    await eraseSurvey(tenant, await createTestService({ table, clock, starter: { start: stopped } }));
    const records = createPurgeRecords(table.table);
    const [cut] = await records.list(tenant.project.id);
    expect(cut?.state).not.toBe('done');
    const running = await createTestService({ table, clock, starter: machine });
    expect((await eraseSurvey(tenant, running)).status).toBe(200);
    await machine.idle();
    expect(await records.list(tenant.project.id)).toMatchObject([{ state: 'done', attempt: 2 }]);
    expect(await rowsOfSurvey(tenant)).toEqual([]);
  });
});

const UNLIMITED = { limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } };

const PEOPLE = Array.from({ length: 40 }, (_, index) => `person-${index}`);

describe('a purge', () => {
  it('of a survey removes its impressions of all people, including late ones of cached instances, and no others', async () => {
    const { service, otherInstance, carryOut } = await createPurgeService({
      aroundIndex: (read) =>
        createLaggingIndex(read, { random: createRandom(SEED), lag: 0, repeat: 0.3 }).read,
    });
    const tenant = await service.tenant(UNLIMITED, [aSurvey(), aSurvey()]);
    const [first, second] = tenant.surveys;
    const cached = await otherInstance();
    const late = await aToken(cached, tenant, 'late', { surveyId: first?.id });
    for (const person of PEOPLE) await show(service, tenant, person, first?.id);
    for (const person of PEOPLE.slice(0, 10)) await show(service, tenant, person, second?.id);
    const query = { surveySlug: first?.content.slug ?? '' };
    expect((await service.call(erase, { secretKey: tenant.secretKey, query })).status).toBe(200);
    expect(await countShows(service, tenant)).toBe(10);
    expect((await report(service, tenant, late, { surveyId: first?.id })).status).toBe(404);
    expect((await report(cached, tenant, late, { surveyId: first?.id })).status).toBe(201);
    expect(await countShows(service, tenant)).toBe(11);
    await carryOut();
    const rows = await shownRows(service, tenant);
    expect(rows.map(({ shows }) => JSON.stringify([...(shows ?? [])])).join()).not.toContain(first?.id);
    expect(await countShows(service, tenant)).toBe(10);
  });

  it('of an account ends empty; no late report or stream record recreates anything', async () => {
    const { service, otherInstance, carryOut, failures } = await createPurgeService();
    const tenant = await service.tenant(UNLIMITED);
    for (const person of PEOPLE.slice(0, 12)) await show(service, tenant, person);
    await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: PEOPLE[0] ?? '' } });
    const [row] = (await shownRows(service, tenant)).filter(({ shows }) => shows !== undefined);
    const cached = await otherInstance();
    const late = await aToken(cached, tenant, 'late');
    await service.call(erase, { secretKey: tenant.secretKey, query: { account: 'true' } });
    expect((await report(cached, tenant, late)).status).toBe(201);
    await carryOut();
    expect(failures).toEqual([]);
    service.clock.advance(30_000);
    expect((await report(cached, tenant, late)).status).toBe(401);
    await onChange(service.service)({ Records: [aRecord(undefined, row)] });
    const left = await scanAll(service.table, tenant.project.id);
    expect(left.map(({ type, state }) => [type, state])).toEqual([['purge', 'done']]);
    expect((await service.call(bootstrap, { body: { key: tenant.publishableKey } })).status).toBe(401);
  });
});

const eraseAccount = (service: TestService, { secretKey }: Tenant) =>
  service.call(erase, { secretKey, query: { account: 'true' } });

async function filledTenant(service: TestService, count = 200): Promise<Tenant> {
  const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
  const surveyIds = tenant.surveys.map(({ id }) => id);
  await seedAnswers(service.table, {
    projectId: tenant.project.id,
    surveyIds,
    count,
    responseOf: (index) => (index % 4 === 0 ? undefined : {}),
  });
  await respond(service, tenant, 'ann', { sessionId: 's-1' });
  await respond(service, tenant, 'bob');
  await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'bob' } });
  return tenant;
}

const anAttempt = (attempt: number) => ({ attempt, openedAt: '2026-11-20T09:30:00.000Z' });

const recordsOf = ({ table }: TestService) => createPurgeRecords(table.table);

describe('erasing an account', () => {
  it('200 when every key is revoked and only the record is left; another project is not affected', async () => {
    const { service, otherInstance, carryOut, requested } = await createPurgeService();
    const [tenant, other] = [await filledTenant(service), await filledTenant(service, 20)];
    const before = await scanAll(service.table, other.project.id);
    const cached = await otherInstance();
    await cached.call(bootstrap, { body: { key: tenant.publishableKey } });

    const erased = await eraseAccount(service, tenant);
    expect(erased.status).toBe(200);
    expect(erased.body).toEqual({ ok: true, mode: 'account', note: expect.stringContaining('execution-1') });
    expect((await service.call(bootstrap, { body: { key: tenant.publishableKey } })).status).toBe(401);
    expect((await exportOf(service, tenant)).status).toBe(401);
    expect((await cached.call(bootstrap, { body: { key: tenant.publishableKey } })).status).toBe(200);
    service.clock.advance(30_000);
    expect((await cached.call(bootstrap, { body: { key: tenant.publishableKey } })).status).toBe(401);

    expect(requested).toHaveLength(1);
    await carryOut();
    const left = await scanAll(service.table, tenant.project.id);
    expect(left).toEqual([
      {
        pk: 'PURGES',
        sk: `${tenant.project.id}#`,
        type: 'purge',
        projectId: tenant.project.id,
        state: 'done',
        attempt: 1,
        rounds: 1,
        openedAt: '2026-11-20T09:30:00.000Z',
        requestedAt: '2026-11-20T09:30:00.000Z',
        startedAt: '2026-11-20T09:30:30.000Z',
        finishedAt: '2026-11-20T09:30:30.000Z',
        responses: 151,
        dismissals: 50,
        // The other rows: Bob's tombstone and suppression, the project, two keys, two surveys and three totals.
        others: 11,
      },
    ]);
    expect(await scanAll(service.table, other.project.id)).toEqual(before);
  });

  it('sweeps late writes of instances with cached settings, with indexes that lag and repeat, and purges of its surveys', async () => {
    let read = 0;
    const { service, otherInstance, carryOut, failures } = await createPurgeService({
      aroundIndex: (inner) => {
        const lagging = createLaggingIndex(inner, { random: createRandom(11), lag: 0.5, repeat: 0.3 });
        // The purge waited for the indexes, so older rows are visible.
        lagging.settle();
        return async (query) => {
          read += 1;
          return lagging.read(query);
        };
      },
    });
    const tenant = await filledTenant(service);
    const { publishableKey: key, surveys } = tenant;
    const slug = surveys[1]?.content.slug ?? '';
    await service.call(erase, { secretKey: tenant.secretKey, query: { surveySlug: slug } });
    const tokens = await Promise.all(['cy', 'di', 'ed'].map((id) => aToken(service, tenant, id)));
    const cached = await otherInstance();
    await cached.call(bootstrap, { body: { key } });
    await eraseAccount(service, tenant);
    for (const showToken of tokens) {
      const body = { key, surveyId: surveys[0]?.id, showToken, rating: 2 };
      expect((await cached.call(submitResponse, { body })).status).toBe(201);
    }
    await carryOut();
    expect(failures).toEqual([]);
    expect(read).toBeGreaterThan(10);
    const left = await scanAll(service.table, tenant.project.id);
    expect(left.map(({ type, state }) => [type, state])).toEqual([['purge', 'done']]);
  });

  it('uses further rounds to sweep answers that keep arriving', async () => {
    let write: (() => Promise<unknown>) | undefined;
    const { service, otherInstance, carryOut, failures } = await createPurgeService({
      aroundIndex: (inner) => async (query) => {
        const page = await inner(query);
        await write?.();
        return page;
      },
    });
    const tenant = await filledTenant(service);
    const { publishableKey: key, surveys } = tenant;
    const cached = await otherInstance();
    const people = Array.from({ length: 12 }, (_, index) => `late-${index}`);
    const tokens = await Promise.all(people.map((id) => aToken(cached, tenant, id)));
    await eraseAccount(service, tenant);
    const written: number[] = [];
    write = async () => {
      const showToken = tokens.pop();
      if (showToken === undefined) return;
      const body = { key, surveyId: surveys[0]?.id, showToken, rating: 2 };
      written.push((await cached.call(submitResponse, { body })).status);
    };
    await carryOut();
    expect(failures).toEqual([]);
    expect(written).toEqual(people.map(() => 201));
    const left = await scanAll(service.table, tenant.project.id);
    expect(left).toMatchObject([{ type: 'purge', state: 'done', rounds: expect.any(Number) }]);
    expect(left[0]?.rounds).toBeGreaterThan(1);
  });

  it('retries a throttled step; a permanent failure fails the purge, and a retry completes it', async () => {
    const throttled = anError('ThrottlingException', 'slow down');
    let faults: Error[] = [];
    const { service, carryOut, failures, requested, machine } = await createPurgeService({
      arrange(service) {
        const sweep = purgeSweep(service);
        purgeSweep.replace(service, {
          ...sweep,
          sweepShard: async (...parameters) => {
            const fault = faults.pop();
            if (fault !== undefined) throw fault;
            return sweep.sweepShard(...parameters);
          },
        });
      },
    });
    const [first, second] = [await filledTenant(service), await filledTenant(service)];
    faults = Array.from({ length: 12 }, () => throttled);
    await eraseAccount(service, first);
    await carryOut();
    expect(failures).toEqual([]);
    expect(await recordsOf(service).list(first.project.id)).toMatchObject([{ state: 'done' }]);

    faults = Array.from({ length: 100 }, () => new TypeError('a bug'));
    await eraseAccount(service, second);
    await carryOut();
    expect(failures).toHaveLength(1);
    const scope = { projectId: second.project.id };
    expect(await recordsOf(service).list(scope.projectId)).toMatchObject([{ state: 'failed', attempt: 1 }]);
    expect(requested).toEqual([]);

    faults = [];
    const attempt = await recordsOf(service).retry(scope, service.clock.now());
    expect(attempt).toMatchObject({ attempt: 2 });
    if (attempt !== undefined) await machine.start(scope, attempt);
    await machine.idle();
    expect(await scanAll(service.table, scope.projectId)).toMatchObject([{ state: 'done', attempt: 2 }]);
  });

  it('can be started twice, and resumes after it was stopped', async () => {
    const { service, machine } = await createPurgeService();
    const tenant = await filledTenant(service, 400);
    const scope = { projectId: tenant.project.id };
    await eraseAccount(service, tenant);
    await machine.start(scope, anAttempt(1));
    await machine.stop();
    expect((await scanAll(service.table, scope.projectId)).length).toBeGreaterThan(1);
    await Promise.all([2, 2, 3].map((attempt) => machine.start(scope, anAttempt(attempt))));
    await machine.idle();
    expect(await scanAll(service.table, scope.projectId)).toMatchObject([{ type: 'purge', state: 'done' }]);
  });

  it('gives up and reports after twenty rounds that still find data', async () => {
    const { service, carryOut, failures } = await createPurgeService({
      arrange: (service) =>
        purgeSweep.replace(service, { ...purgeSweep(service), isAnythingIndexed: async () => true }),
    });
    const tenant = await filledTenant(service, 4);
    await eraseAccount(service, tenant);
    await carryOut();
    expect(String(failures[0])).toContain('purge retry');
    expect(await recordsOf(service).list(tenant.project.id)).toMatchObject([{ state: 'failed', rounds: 20 }]);
  });
});
