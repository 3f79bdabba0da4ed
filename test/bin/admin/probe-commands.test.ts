import { expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { createTestService } from '../../support/service/test-service.ts';

const service = await createTestService();
const admin = createAdminCli(service);

it('probe create: makes the project with one survey and one key, and prints what the stage is set to', async () => {
  const made = await admin.json('probe', 'create');
  expect(made).toEqual({
    projectId: expect.any(String),
    probe: { every: '15m', key: expect.stringMatching(new RegExp(`^svc_pk_${made.projectId}_.{48}$`)) },
  });
  expect(readSettings({ stage: 'prod', stages: { prod: { probe: made.probe } } }, [])).toMatchObject({
    probe: made.probe,
  });
  expect(await admin.json('project', 'show', made.projectId)).toMatchObject({
    name: 'probe',
    probe: true,
    impressions: 'off',
    quietPeriod: '0',
  });
  const { key } = made.probe;
  expect(await admin.json('key', 'list', '--project', made.projectId)).toMatchObject([
    { kind: 'publishable' },
  ]);
  const { body } = await service.call(bootstrap, { body: { key, userId: 'ann' } });
  const [[surveyId, showToken] = []] = Object.entries(body.showTokens);
  const answer = { key, surveyId, showToken, rating: 1 };
  expect(await service.call(submitResponse, { body: answer })).toMatchObject({ status: 201 });
});

it('what it prints for a terminal can be copied into cdk.json', async () => {
  const { stdout } = await admin.run('probe', 'create');
  const [, setting = ''] = stdout.match(/^Settings of the stage +(.*)$/m) ?? [];
  expect(JSON.parse(`{${setting}}`)).toEqual({
    probe: { every: '15m', key: expect.stringMatching(/^svc_pk_/) },
  });
});

it('nothing is imported into its project', async () => {
  const { projectId } = await admin.json('probe', 'create');
  const args = ['--project', projectId, '--survey', 'probe', '--file', 'answers.csv'];
  expect(await admin.run('import', ...args)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('The probe project accepts no imports'),
  });
});
