import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { purges as purgesOf } from '../../../functions/runtime/parts/privacy.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { createPurgeRecords } from '../../../shared/data/privacy/purges.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import type { PurgeAttempt, PurgeScope } from '../../../shared/domain/purge.ts';
import { createCrashingClient } from '../../support/faults/crashing-client.ts';
import { createThrottledClient } from '../../support/faults/throttled-client.ts';
import { aToken, dismiss, respond } from '../../support/fixtures/answered.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { loggedErasures } from '../../support/fixtures/logged-erasures.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createPurgeService, type PurgeService } from '../../support/service/purge-service.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';

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
        item.type !== 'purge' &&
        item.type !== 'suppression' &&
        JSON.stringify(item).includes(surveys[0]?.id ?? '-'),
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
    expect(erased.body).toEqual({
      ok: true,
      mode: 'survey',
      responsesDeleted: 1,
      dismissalsDeleted: 1,
      surveySlug: slugOf(tenant),
      note: expect.stringContaining('execution-1'),
    });
    const refused = await service.call(submitResponse, {
      body: { key: tenant.publishableKey, surveyId: first, showToken: outstanding, rating: 1 },
    });
    expect(refused.status).toBe(404);
    expect((await rowsOfSurvey(tenant)).map(({ type }) => type).sort()).toEqual(['survey', 'survey-total']);

    await purges.carryOut();
    expect(await rowsOfSurvey(tenant)).toEqual([]);
    const left = await service.call(exportResponses, { secretKey: tenant.secretKey });
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
    const gone = await eraseSurvey(tenant);
    expect(gone.status).toBe(404);
    expect(gone.body.error.code).toBe('survey_not_found');
  });

  it('frees the slug for a new survey immediately, which is not affected', async () => {
    const tenant = await aTenant();
    await respond(service, tenant, 'ann');
    await eraseSurvey(tenant);
    const successor = aSurvey({}, { slug: slugOf(tenant) });
    const store = createProjectStore(service.table.table, service.table.readIndex);
    await store.createSurvey(tenant.project.id, successor);
    service.clock.advance(30_000);
    await respond(service, tenant, 'ann', { surveyId: successor.id });
    await purges.carryOut();
    const left = await service.call(exportResponses, { secretKey: tenant.secretKey });
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
    const starter = {
      start: () => Promise.reject(Object.assign(new Error(), { name: 'ThrottlingException' })),
    };
    const { table, clock } = service;
    const broken = await createTestService({ table, clock, starter });
    expect((await eraseSurvey(tenant, broken)).status).toBe(503);
    expect((await rowsOfSurvey(tenant)).map(({ type }) => type)).toContain('response');
    expect((await respond(service, tenant, 'bob')).reply.status).toBe(201);
    // Only started erasures are logged.
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
