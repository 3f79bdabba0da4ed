/** Covers single runs of `project ensure`. ensure.property.test.ts covers concurrent and interrupted runs. */

import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { createPurgeRecords } from '../../../shared/data/privacy/purges.ts';
import { failed } from '../../support/admin-cli.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { anEnsuringPipeline } from '../../support/stack/ensuring-pipeline.ts';

const service = await createTestService();
const { table, clock } = service;
const pipeline = anEnsuringPipeline(service);
const {
  local,
  file,
  surveys: FILE,
  secrets,
  outputs,
  run,
  newName,
  whole,
  ensure,
  expectAsWanted,
} = pipeline;

describe('project ensure', () => {
  it('creates project, surveys and mint key; a second run changes nothing and prints the same', async () => {
    const name = newName();
    const first = JSON.parse((await whole(name)).stdout);
    expect(first).toEqual({
      projectId: expect.stringMatching(/^[0-9a-f]{20}$/),
      publishableKey: expect.stringMatching(/^svc_pk_/),
      created: true,
      surveys: { created: ['nps', 'csat'], updated: [], unchanged: [], archived: [] },
      mintKey: { keyId: expect.any(String), secretId: name },
    });
    await expectAsWanted(name);
    const body = { key: first.publishableKey, userId: 'ann' };
    expect(await service.call(bootstrap, { body })).toMatchObject({ status: 200 });
    const kept = secrets[name];
    const surveys = { ...first.surveys, created: [], unchanged: ['nps', 'csat'] };
    expect(JSON.parse((await whole(name)).stdout)).toEqual({ ...first, created: false, surveys });
    expect(secrets[name]).toBe(kept);
    await expectAsWanted(name);
  });

  it('stores a new key when the one in the secret is revoked, and derives a new publishable key', async () => {
    const name = newName();
    const { projectId, mintKey, publishableKey } = JSON.parse((await whole(name)).stdout);
    const keys: { keyId: string }[] = await local.json('key', 'list', '--project', projectId);
    for (const { keyId } of keys) await local.json('key', 'revoke', keyId, '--project', projectId);
    const again = JSON.parse((await whole(name)).stdout);
    expect(again.mintKey.keyId).not.toBe(mintKey.keyId);
    expect(again.publishableKey).not.toBe(publishableKey);
    await expectAsWanted(name);
  });

  it('applies settings to a new and to an existing project, and keeps the name', async () => {
    const name = newName();
    const { projectId } = await ensure('--name', name, '--monthly-cap', '7');
    expect(await local.json('project', 'show', projectId)).toMatchObject({ name, monthlyCap: 7 });
    await local.json('project', 'update', projectId, '--name', 'Renamed');
    expect(await ensure('--name', name, '--quiet-period', '3d')).toMatchObject({ projectId, created: false });
    expect(await local.json('project', 'show', projectId)).toMatchObject({
      name: 'Renamed',
      monthlyCap: 7,
      quietPeriod: '3d',
    });
  });

  it('accepts a project by its ID, and refuses the name of a project that it did not create', async () => {
    const name = newName();
    const { projectId } = await local.json('project', 'create', '--name', name);
    const refused = await run('--name', name);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(`--project ${projectId}`) });
    expect(await ensure('--project', projectId, '-f', FILE)).toMatchObject({ projectId, mintKey: null });
  });

  it('never reuses the ID of a purged project, and waits for a running purge', async () => {
    const name = newName();
    const { projectId } = await ensure('--name', name);
    const records = createPurgeRecords(table.table);
    await records.request({ projectId }, clock.now());
    expect(await run('--name', name)).toEqual(failed(1, /is being purged/));
    await records.finish({ projectId }, clock.now());
    await local.json('project', 'update', projectId, '--name', 'Gone');
    const after = await ensure('--name', name);
    expect(after.projectId).not.toBe(projectId);
    expect(await ensure('--name', name)).toEqual({ ...after, created: false });
  });

  it('leaves a secret that holds something else unchanged, and prints what to do', async () => {
    const mine = newName();
    secrets[mine] = 'hunter2';
    expect(await run('--name', mine, '--mint-key-secret', mine)).toEqual(
      failed(1, /other than a secret key of this deployment/),
    );
    expect(secrets[mine]).toBe('hunter2');
    const name = newName();
    const { projectId } = JSON.parse((await whole(name)).stdout);
    expect(await run('--name', newName(), '--mint-key-secret', name)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`a key of project ${projectId}`),
    });
    const flags = ['--project', projectId, '--kind', 'secret', '--scopes', 'scores'];
    const { key } = await local.json('key', 'create', ...flags);
    secrets[name] = key;
    expect(await whole(name)).toEqual(failed(1, /may not mint/));
  });

  it("stores the key in the construct's secret without an ID, and reports when there is none", async () => {
    const name = newName();
    expect(await run('--name', name, '--mint-key-secret')).toEqual(failed(2, /grantMint/));
    outputs.MintKeySecretName = name;
    const { mintKey } = await ensure('--name', name, '--mint-key-secret');
    delete outputs.MintKeySecretName;
    expect(mintKey.secretId).toBe(name);
  });

  it('refuses wrong flags and a wrong file before it creates anything', async () => {
    const name = newName();
    const wrong = file('wrong.yaml', 'surveys: [{ slug: nps }]');
    const unfit = file('unfit.yaml', String.raw`surveys: [{ slug: nps, type: nps, question: "a\x07" }]`);
    for (const each of [wrong, unfit])
      expect(await run('--name', name, '-f', each)).toMatchObject({ status: 2 });
    expect(await run('--name', name, '--project', 'p')).toMatchObject({ status: 2 });
    expect(await run()).toMatchObject({ status: 2 });
    const refused = await local.run('project', 'ensure', '--name', name, '--mint-key-secret', 'a');
    expect(refused).toEqual(failed(2, /no Secrets Manager/));
    const projects: { name: string }[] = await local.json('project', 'list');
    expect(projects.map((project) => project.name)).not.toContain(name);
  });
});
