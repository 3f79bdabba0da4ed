/** What the CDK's own CLI does with a stage: after a first deployment that failed, and when settings are deleted. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { guardStage } from '../../lib/settings/stage-guard.ts';
import { type CloudFormationStandIn, startCloudFormation } from '../support/stack/cloudformation-stand-in.ts';
import { certificate } from '../support/stack/synthesised-edge.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const EDGE = {
  domainName: 'surveys.example.com',
  certificateArn: certificate('us-east-1'),
  originDomainName: 'origin.example.com',
  originCertificateArn: certificate('eu-west-1'),
};
const EXISTING = {
  tableStreamArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/t/stream/2026-11-21T10:00:00.000',
};

let cloudFormation: CloudFormationStandIn;
beforeEach(async () => {
  cloudFormation = await startCloudFormation();
});
afterEach(() => cloudFormation.stop());

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
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: cloudFormation.url,
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

/** A stack that is protected and guarded as a stage is, and small enough to be sent whole. */
function assembly(stageSettings: object): string {
  const outdir = temporaryFolder();
  const settings = readSettings({ stage: 'prod', stages: { prod: stageSettings } }, []);
  // By the older synthesis a small template is sent with the request, and needs no bucket.
  const context = { '@aws-cdk/core:newStyleStackSynthesis': false };
  const app = new App({ outdir, analyticsReporting: false, context });
  const stack = new Stack(app, 'canvass-prod', {
    terminationProtection: true,
  });
  new CfnResource(stack, 'R', { type: 'AWS::CloudFormation::WaitConditionHandle' });
  guardStage(stack, settings);
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
    cloudFormation.failNext();
    expect((await deploy({})).code).not.toBe(0);
    expect(cloudFormation.changes).toEqual(['UpdateTerminationProtection', 'ExecuteChangeSet']);
    const stuck = await deploy({});
    expect(stuck.code).not.toBe(0);
    expect(stuck.said).toContain('cannot be deleted while TerminationProtection is enabled');

    const { code, said } = await release();
    expect(code).toBe(0);
    expect(said).toContain('aws dynamodb delete-table --table-name table-of-the-failed');
    expect(said).toContain('aws secretsmanager delete-secret --secret-id secret-of-the-failed');
    expect(said).not.toContain('function');

    expect((await deploy({})).code).toBe(0);
    expect(cloudFormation.stack()).toMatchObject({ status: 'CREATE_COMPLETE', isProtected: true });
  });

  it('is all that is released: a stage that was deployed keeps its protection', async () => {
    await deploy({});
    const { code, said } = await release();
    expect(code).toBe(1);
    expect(said).toContain('canvass-prod is CREATE_COMPLETE');
    expect(cloudFormation.stack()?.isProtected).toBe(true);
  });
});

describe('a setting that is gone', () => {
  it('existing data, or the edge: refused before anything changes, unless the command says so', async () => {
    expect((await deploy({ existing: EXISTING, edge: EDGE })).code).toBe(0);
    const before = [...cloudFormation.changes];
    const withoutData = await deploy({ edge: EDGE });
    expect(withoutData.code).not.toBe(0);
    expect(withoutData.said).toContain('--parameters canvass-prod:Data=own');
    const withoutEdge = await deploy({ existing: EXISTING });
    expect(withoutEdge.code).not.toBe(0);
    expect(withoutEdge.said).toContain('--parameters canvass-prod:Edge=off');
    expect(cloudFormation.changes).toEqual(before);

    const meant = ['Data=own', 'Edge=off'].flatMap((value) => ['--parameters', `canvass-prod:${value}`]);
    expect((await deploy({}, ...meant)).code).toBe(0);
    expect(cloudFormation.stack()).toMatchObject({
      status: 'UPDATE_COMPLETE',
      parameters: { Data: 'own', Edge: 'off' },
    });
  });
});
