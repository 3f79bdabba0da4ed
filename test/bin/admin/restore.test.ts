/** Restores retention periods (docs/operations.md, "Restore"). */

import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { createErasureLog } from '../../../shared/data/privacy/erasure-log.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { createSurveyStore } from '../../../shared/data/projects/survey-store.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import { changeRetention, type Retention } from '../../../shared/domain/retention.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { createPurgeService } from '../../support/service/purge-service.ts';
import { forgetTimeToLive, restoreTable, takeBackup } from '../../support/service/restore-table.ts';
import { createTestClient } from '../../support/service/test-table.ts';

it('restores the latest retention, and deletes expired answers again', async () => {
  const { service } = await createPurgeService();
  const { table, clock } = service;
  const slept: number[] = [];
  const admin = createAdminCli(service, { sleep: async (ms) => slept.push(ms) });
  const tenant = await service.tenant();
  const [survey] = tenant.surveys;
  const projectId = tenant.project.id;
  const backup = await takeBackup(table);
  const since = new Date(clock.now()).toISOString();
  const log = createErasureLog(table.erasureLog);
  const logged = async (period: string, surveyId?: string, before?: Retention): Promise<Retention> => {
    clock.advance(SECOND);
    const retention = changeRetention(before, { period, now: clock.now(), isAtOnce: true });
    if (retention === undefined) throw new Error('nothing is changed');
    await log.recordRetention({ projectId, surveyId, retention }, clock.now());
    return retention;
  };
  const ofProject = await logged('35d', undefined, await logged('13mo'));
  const ofSurvey = await logged('60d', survey?.id);
  await log.recordRetention({ projectId, surveyId: 'sv_gone', retention: ofSurvey }, clock.now());
  await log.recordRetention({ projectId: 'gone', retention: ofSurvey }, clock.now());

  await restoreTable(table, backup);
  await forgetTimeToLive(table);
  const replay = () => admin.json('erasures', 'replay', '--since', since);
  const replayed = await replay();
  expect(replayed).toMatchObject({ retentions: 2, timeToLive: 'on' });
  expect(slept).toEqual([35 * SECOND]);
  const record = await createProjectStore(table.table, table.readIndex).read(projectId);
  expect(record?.project.retention).toEqual(ofProject);
  expect(record?.surveys.map(({ retention }) => retention)).toEqual([ofSurvey]);
  const { TimeToLiveDescription } = await table.client.send(
    new DescribeTimeToLiveCommand({ TableName: table.tableName }),
  );
  expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' });
  expect(await replay()).toEqual(replayed);
});

it('restores a retention even if someone changes the surveys at the same moment', async () => {
  const { service } = await createPurgeService();
  const { table, clock } = service;
  const { project, surveys } = await service.tenant();
  const [survey] = surveys;
  const retention = changeRetention(undefined, { period: '60d', now: clock.now() });
  if (retention === undefined || survey === undefined) throw new Error('nothing to set');
  const log = createErasureLog(table.erasureLog);
  await log.recordRetention({ projectId: project.id, surveyId: survey.id, retention }, clock.now());
  const client = createTestClient(table.endpoint);
  let isChanged = false;
  client.middlewareStack.add(
    (next) => async (args) => {
      if (!isChanged && 'TransactItems' in args.input) {
        isChanged = true;
        const changed = { ...survey, limits: { maxResponses: 7 } };
        await createSurveyStore(table.table).write(project.id, { created: [], updated: [changed] });
      }
      return next(args);
    },
    { step: 'initialize' },
  );
  const since = new Date(clock.now()).toISOString();
  const admin = createAdminCli(service, { client, sleep: async () => undefined });
  expect(await admin.json('erasures', 'replay', '--since', since)).toMatchObject({ retentions: 1 });
  const record = await createProjectStore(table.table, table.readIndex).read(project.id);
  expect(record?.surveys).toMatchObject([{ retention, limits: { maxResponses: 7 } }]);
});
