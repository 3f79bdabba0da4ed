import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { createPurgeRecords } from '../../../shared/data/purge-records.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { respond } from '../../support/answered.ts';
import { aSurvey } from '../../support/builders.ts';
import { NO_LIMITS } from '../../support/linked-answer.ts';
import { createPurgeService } from '../../support/purge-service.ts';
import { restoreTable, takeBackup } from '../../support/restore-table.ts';
import { scanAll } from '../../support/scan-all.ts';

describe('purge', () => {
  it('status shows progress and the record; retry carries a purge out that nobody carried out', async () => {
    const { service } = await createPurgeService();
    const admin = createAdminCli(service.table);
    const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    const projectId = tenant.project.id;
    const inProject = ['--project', projectId];
    const none = await admin.run('purge', 'status', ...inProject);
    expect([none.status, none.stdout]).toEqual([1, '']);

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
    const shown = await admin.run('purge', 'status', ...inProject);
    expect(shown.stdout).toContain('the project');
    const records = createPurgeRecords(service.table.client, service.table.tableName);
    expect(await records.list(projectId)).toHaveLength(1);
  });
});

describe('erasures', () => {
  it('outlive a restore: replay repeats those of people, surveys and accounts, and no others', async () => {
    const { service, carryOut } = await createPurgeService();
    const { table } = service;
    const admin = createAdminCli(table);
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
    service.clock.advance(60_000);
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
});
