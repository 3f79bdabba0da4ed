/** What the CDK's own CLI does with a stage: after a first deployment that failed, and when settings are deleted. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CanvassStack } from '../../lib/canvass-stack.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { type AccountServer, startAccount } from '../support/account/account-server.ts';
import { REGION } from '../support/stack/stage-place.ts';
import { EVERYTHING } from '../support/stack/stages.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const { edge: EDGE } = EVERYTHING;
const EXISTING = {
  tableStreamArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/t/stream/2026-11-21T10:00:00.000',
};

let server: AccountServer;
beforeEach(async () => {
  server = await startAccount();
});
afterEach(() => server.stop());

const stage = () => server.account.stacks.get('canvass-prod');

/** Runs a script of Node to its end; what it said, and its exit code. */
function run(
  script: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly said: string }> {
  const home = temporaryFolder();
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: REGION,
      AWS_ENDPOINT_URL: server.url,
      AWS_MAX_ATTEMPTS: '1',
      AWS_EC2_METADATA_DISABLED: 'true',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      CI: 'true',
    },
  });
  // A command that waits for what never comes does not outlive its test.
  onTestFinished(() => {
    child.kill();
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? -1, said })));
}

/** The stage's own template, without bundles: handler code is not what these tests are about. */
function assembly(stageSettings: object): string {
  const outdir = temporaryFolder();
  const names = ROUTES.map(({ name }) => name);
  const settings = readSettings({ stage: 'prod', stages: { prod: stageSettings } }, names);
  const context = { 'aws:cdk:bundling-stacks': [] };
  const app = new App({ outdir, analyticsReporting: false, context });
  new CanvassStack(app, settings);
  app.synth();
  return outdir;
}

const deploy = (stageSettings: object, ...more: string[]) =>
  run('node_modules/aws-cdk/bin/cdk', [
    'deploy',
    'canvass-prod',
    '--app',
    assembly(stageSettings),
    ...['--require-approval', 'never', '--no-notices', '--no-version-reporting'],
    ...more,
  ]);

const release = () => run('bin/release-failed-stack.ts', ['canvass-prod']);

describe('a first deployment that failed', () => {
  it('is stuck, since the CLI protects a stack before it makes it; released, it is deployed again and protected', async () => {
    // The last of all: more than a page of what was deleted stands beside what was kept.
    server.account.failAt(Object.keys(aTemplate().toJSON().Resources).at(-1) ?? '');
    expect((await deploy({})).code).not.toBe(0);
    expect(server.changes).toEqual(['UpdateTerminationProtection', 'ExecuteChangeSet']);
    const stuck = await deploy({});
    expect(stuck.code).not.toBe(0);
    expect(stuck.said).toContain('cannot be deleted while TerminationProtection is enabled');

    const left = [...(stage()?.resources.values() ?? [])].filter(({ status }) => status === 'DELETE_SKIPPED');
    expect(left.length).toBeGreaterThan(2);
    const { code, said } = await release();
    expect(code).toBe(0);
    const commands = {
      'AWS::DynamoDB::Table': 'aws dynamodb delete-table --table-name',
      'AWS::SecretsManager::Secret': 'aws secretsmanager delete-secret --secret-id',
    };
    for (const { type, physicalId } of left)
      expect(said).toContain(`${commands[type as keyof typeof commands]} ${physicalId}`);
    expect(said).not.toMatch(/function/i);

    expect((await deploy({})).code).toBe(0);
    expect(stage()).toMatchObject({ status: 'CREATE_COMPLETE', isProtected: true });
  });

  it('is all that is released: a stage that was deployed keeps its protection', async () => {
    await deploy({});
    const { code, said } = await release();
    expect(code).toBe(1);
    expect(said).toContain('canvass-prod is CREATE_COMPLETE');
    expect(stage()?.isProtected).toBe(true);
  });
});

describe('a setting that is gone', () => {
  it('existing data, or the edge: refused before anything changes, unless the command says so', async () => {
    expect((await deploy({ existing: EXISTING, edge: EDGE })).code).toBe(0);
    const before = [...server.changes];
    const withoutData = await deploy({ edge: EDGE });
    expect(withoutData.code).not.toBe(0);
    expect(withoutData.said).toContain('--parameters canvass-prod:Data=own');
    const withoutEdge = await deploy({ existing: EXISTING });
    expect(withoutEdge.code).not.toBe(0);
    expect(withoutEdge.said).toContain('--parameters canvass-prod:Edge=off');
    expect(server.changes).toEqual(before);

    const meant = ['Data=own', 'Edge=off'].flatMap((value) => ['--parameters', `canvass-prod:${value}`]);
    expect((await deploy({}, ...meant)).code).toBe(0);
    expect(stage()).toMatchObject({
      status: 'UPDATE_COMPLETE',
      deployed: { parameters: { Data: 'own', Edge: 'off' } },
    });
  });
});
