import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { createPurgeRecords } from '../../../shared/data/privacy/purges.ts';
import { DAY, MINUTE } from '../../../shared/domain/duration.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import { createAdminCli, failed } from '../../support/admin-cli.ts';
import { respond } from '../../support/fixtures/answered.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createPurgeService } from '../../support/service/purge-service.ts';
import { restoreTable, takeBackup } from '../../support/service/restore-table.ts';
import { createTestService, type TestService } from '../../support/service/test-service.ts';

const withoutStateMachine = ({ table, clock }: TestService) =>
  createTestService({
    table,
    clock,
    starter: {
      start: () => Promise.reject(Object.assign(new Error(), { name: 'ThrottlingException' })),
    },
  });

describe('purge', () => {
  it('status shows progress and the record; retry completes a purge that did not run', async () => {
    const { service } = await createPurgeService();
    const admin = createAdminCli(service);
    const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    const projectId = tenant.project.id;
    const inProject = ['--project', projectId];
    const none = await admin.run('purge', 'status', ...inProject);
    expect(none).toEqual(failed(1, `No purge of project ${projectId} or its surveys was started.`));
    expect((await admin.run('purge', 'status', ...inProject, '--survey', 'sv_x')).stderr).toBe(
      `error: No purge of survey sv_x in project ${projectId} was started.\n`,
    );

    await respond(service, tenant, 'ann');
    const slug = tenant.surveys[0]?.content.slug ?? '';
    const { secretKey } = tenant;
    await service.call(erase, { secretKey, query: { surveySlug: slug } });
    const surveyId = tenant.surveys[0]?.id;
    expect(await admin.json('purge', 'status', ...inProject)).toMatchObject({ surveyId, state: 'requested' });
    expect(await admin.json('purge', 'retry', ...inProject, '--survey', surveyId ?? '')).toEqual({
      projectId,
      surveyId,
      state: 'done',
      attempt: 2,
      rounds: 1,
      requestedAt: expect.any(String),
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      deleted: { responses: 1, dismissals: 0, others: 2 },
    });

    await service.call(erase, { secretKey, query: { account: 'true' } });
    expect(await admin.json('purge', 'status', ...inProject)).toMatchObject({
      surveyId: null,
      state: 'requested',
    });
    expect(await admin.json('purge', 'retry', ...inProject)).toMatchObject({ state: 'done', attempt: 2 });
    expect(await scanAll(service.table, projectId)).toMatchObject([{ type: 'purge', state: 'done' }]);
    expect((await admin.run('purge', 'status', ...inProject)).stdout).toContain('the project');
    const records = createPurgeRecords(service.table.table);
    expect(await records.list(projectId)).toHaveLength(1);
  });

  it('retry skips purges that were refused and never began, unless they are named', async () => {
    const { service } = await createPurgeService();
    const admin = createAdminCli(service);
    const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    const { secretKey } = tenant;
    const [begun, refused] = tenant.surveys;
    const slugOf = (survey = aSurvey()) => survey.content.slug;
    const inProject = ['--project', tenant.project.id];
    const broken = await withoutStateMachine(service);
    for (const query of [{ surveySlug: slugOf(refused) }, { account: 'true' }])
      expect((await broken.call(erase, { secretKey, query })).status).toBe(503);
    const none = await admin.run('purge', 'retry', ...inProject);
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('was started')]);
    await service.call(erase, { secretKey, query: { surveySlug: slugOf(begun) } });
    expect(await admin.json('purge', 'retry', ...inProject)).toMatchObject({
      surveyId: begun?.id,
      state: 'done',
    });
    expect((await service.call(bootstrap, { body: { key: tenant.publishableKey } })).status).toBe(200);
    const named = await admin.json('purge', 'retry', ...inProject, '--survey', refused?.id ?? '');
    expect(named).toMatchObject({ surveyId: refused?.id, state: 'done' });
  });
});

describe('erasures', () => {
  it('survive a restore: replay repeats those of people, surveys and accounts, and no others', async () => {
    const { service, carryOut } = await createPurgeService();
    const { table } = service;
    const admin = createAdminCli(service);
    const [kept, closed] = [
      await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]),
      await service.tenant({ limits: NO_LIMITS }),
    ];
    const [first, second] = kept.surveys;
    for (const person of ['ann', 'bob', 'cy']) await respond(service, kept, person, { surveyId: first?.id });
    await respond(service, kept, 'ann', { surveyId: second?.id });
    await respond(service, closed, 'ann');
    const { secretKey } = kept;
    await service.call(erase, { secretKey, query: { respondentId: 'cy' } });
    service.clock.advance(61_000);
    const restoredTo = new Date(service.clock.now()).toISOString();
    const backup = await takeBackup(table);
    service.clock.advance(60_000);

    await service.call(erase, { secretKey, query: { respondentId: 'ann' } });
    await service.call(erase, { secretKey, query: { surveySlug: second?.content.slug ?? '' } });
    await service.call(erase, { secretKey: closed.secretKey, query: { account: 'true' } });
    await carryOut();
    const { Items: logged = [] } = await table.client.send(
      new ScanCommand({ TableName: table.erasureLogTableName }),
    );
    expect(JSON.stringify(logged)).not.toMatch(/"ann"|"cy"/);
    expect(logged.map(({ mode }) => mode).sort()).toEqual(['account', 'respondent', 'respondent', 'survey']);

    await restoreTable(table, backup);
    expect(JSON.stringify(await takeBackup(table))).toContain('"ann"');
    expect(await admin.json('erasures', 'replay', '--since', restoredTo)).toEqual({
      respondents: 1,
      surveys: 1,
      accounts: 1,
      answersDeleted: 2,
      retentions: 0,
      timeToLive: 'on',
    });
    expect(JSON.stringify(await takeBackup(table))).not.toContain('"ann"');
    expect(await scanAll(table, closed.project.id)).toMatchObject([{ type: 'purge', state: 'done' }]);
    service.clock.advance(31_000);
    const left = await service.call(exportResponses, { secretKey });
    expect(left.body.responses).toMatchObject([{ respondentId: 'bob' }]);
    const asked = await service.call(bootstrap, { body: { key: kept.publishableKey, userId: 'ann' } });
    expect(asked.body.suppression).toContain(first?.id);
    expect(asked.body.surveys.map(({ id }: { id: string }) => id)).toEqual([first?.id]);
  });

  it('are completed by replay if they were running at the restore, and skipped if they were done', async () => {
    const { service, carryOut } = await createPurgeService();
    const { table } = service;
    const [done, open, asked] = [aSurvey(), aSurvey(), aSurvey()];
    const kept = await service.tenant({ limits: NO_LIMITS }, [done, open, asked]);
    const closed = await service.tenant({ limits: NO_LIMITS });
    const { secretKey } = kept;
    const eraseSurvey = ({ content: { slug: surveySlug } }: Survey, of = kept) =>
      service.call(erase, { secretKey: of.secretKey, query: { surveySlug } });
    await eraseSurvey(done);
    await carryOut();
    await respond(service, kept, 'ann', { surveyId: asked.id });
    await respond(service, kept, 'bob', { surveyId: asked.id });
    await respond(service, closed, 'ann');

    await eraseSurvey(open);
    // The purge of the account includes the survey.
    for (const survey of closed.surveys) await eraseSurvey(survey, closed);
    await service.call(erase, { secretKey: closed.secretKey, query: { account: 'true' } });
    service.clock.advance(3 * DAY);
    const backup = await takeBackup(table);
    await service.call(erase, { secretKey, query: { respondentId: 'ann' } });
    await carryOut();
    service.clock.advance(20_000);
    const since = new Date(service.clock.now()).toISOString();
    await restoreTable(table, backup);

    service.clock.advance(MINUTE);
    const replay = () => createAdminCli(service).json('erasures', 'replay', '--since', since);
    const counts = { respondents: 1, surveys: 1, accounts: 1, answersDeleted: 1 };
    const repeated = { ...counts, retentions: 0, timeToLive: 'on' };
    expect(await replay()).toEqual(repeated);
    // The backup may have restored rows of purges that ended after it, so the replay repeats those purges.
    expect(await replay()).toEqual({ ...repeated, answersDeleted: 0 });
    const records = createPurgeRecords(table.table);
    const ofSurveys = await records.list(kept.project.id);
    // A new attempt needs a new execution, because execution names are not reused.
    expect(ofSurveys.map(({ surveyId, state, attempt }) => [surveyId, state, attempt]).sort()).toEqual(
      [[done.id, 'done', 1] as const, [open.id, 'done', 3] as const].sort(),
    );
    expect(await scanAll(table, closed.project.id)).toMatchObject([{ state: 'done', attempt: 3 }]);
    const left = await service.call(exportResponses, { secretKey });
    expect(left.body.responses).toMatchObject([{ respondentId: 'bob' }]);
  });

  it('are marked again by replay if they were only marked, except in a project that does not exist', async () => {
    const { service } = await createPurgeService();
    const { table } = service;
    const kept = await service.tenant({ limits: NO_LIMITS });
    await respond(service, kept, 'ann');
    const backup = await takeBackup(table);
    const since = new Date(service.clock.now()).toISOString();
    const later = await service.tenant({ limits: NO_LIMITS });
    await respond(service, later, 'ann');
    for (const { secretKey } of [kept, later]) {
      const query = { respondentId: 'ann', email: 'ann@example.org' };
      await service.call(erase, { secretKey, query });
    }
    const surveySlug = later.surveys[0]?.content.slug ?? '';
    await service.call(erase, { secretKey: later.secretKey, query: { surveySlug } });
    await restoreTable(table, backup);
    await createAdminCli(service).json('erasures', 'replay', '--since', since);
    const rows = await scanAll(table, kept.project.id);
    const marks = rows.filter(({ type, erasedAt }) => type === 'suppression' && erasedAt !== undefined);
    expect(marks).toHaveLength(2);
    expect(await scanAll(table, later.project.id)).toEqual([]);
  });

  it('are not replayed for a purge that was answered with 503, however long ago', async () => {
    const { service } = await createPurgeService();
    const { table } = service;
    const tenant = await service.tenant({ limits: NO_LIMITS });
    const { secretKey } = tenant;
    await respond(service, tenant, 'ann');
    const broken = await withoutStateMachine(service);
    const [survey] = tenant.surveys;
    for (const query of [{ surveySlug: survey?.content.slug ?? '' }, { account: 'true' }])
      expect((await broken.call(erase, { secretKey, query })).status).toBe(503);
    const before = await scanAll(table, tenant.project.id);
    const replay = (since: number) =>
      createAdminCli(service).json('erasures', 'replay', '--since', new Date(since).toISOString());
    const asked = service.clock.now();
    service.clock.advance(100 * DAY);
    const counts = { respondents: 0, surveys: 0, accounts: 0, answersDeleted: 0 };
    const nothing = { ...counts, retentions: 0, timeToLive: 'on' };
    for (const since of [asked, service.clock.now()]) expect(await replay(since)).toEqual(nothing);
    expect(await scanAll(table, tenant.project.id)).toEqual(before);
  });

  it('are replayed after rows were copied from a restored table', async () => {
    const { service, carryOut } = await createPurgeService();
    const { table } = service;
    const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    const [purged, kept] = tenant.surveys;
    for (const survey of tenant.surveys) await respond(service, tenant, 'ann', { surveyId: survey.id });
    service.clock.advance(2 * MINUTE);
    const since = new Date(service.clock.now()).toISOString();
    const backup = await takeBackup(table);
    service.clock.advance(2 * MINUTE);
    const query = { surveySlug: purged?.content.slug ?? '' };
    expect((await service.call(erase, { secretKey: tenant.secretKey, query })).status).toBe(200);
    await carryOut();
    for (const Item of backup.filter(({ type }) => type === 'response'))
      await table.client.send(new PutCommand({ TableName: table.tableName, Item }));
    const surveysLeft = async () => {
      const rows = await scanAll(table, tenant.project.id);
      return rows.filter(({ type }) => type === 'response').map(({ surveyId }) => surveyId);
    };
    expect(await surveysLeft()).toHaveLength(2);
    expect(await createAdminCli(service).json('erasures', 'replay', '--since', since)).toMatchObject({
      surveys: 1,
    });
    expect(await surveysLeft()).toEqual([kept?.id]);
  });

  it('are not replayed when the start time is invalid or in the future', async () => {
    const admin = createAdminCli((await createPurgeService()).service);
    for (const since of ['2099-01-01T00:00:00Z', '2026-02-30']) {
      const { status, stdout, stderr } = await admin.run('erasures', 'replay', '--since', since);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain('--since');
    }
  });
});
