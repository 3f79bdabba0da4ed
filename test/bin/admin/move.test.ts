/** Before a stage moves to another region: what is not there is said, and nothing is deployed. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Ask, checkMove } from '../../../bin/admin/move/check-move.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { runInProcess } from '../../support/admin-cli.ts';
import { serveInTest } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const REGION = 'eu-central-1';
const ACCOUNT = '123456789012';
const arn = (service: string, rest: string, region = REGION) =>
  `arn:aws:${service}:${region}:${ACCOUNT}:${rest}`;
const KEY = arn('kms', 'key/00000000-0000-0000-0000-000000000000');
const VERSION = 'a'.repeat(36);
const STREAM = arn('dynamodb', 'table/answers/stream/2026-11-21T10:00:00.000');

const SETTINGS = {
  kmsKeyArn: KEY,
  existing: {
    tableStreamArn: STREAM,
    erasureLogTableArn: arn('dynamodb', 'table/log'),
    hashSecretArn: arn('secretsmanager', 'secret:hash-AbCdEf'),
    tokenRingArn: arn('secretsmanager', 'secret:ring-AbCdEf'),
    originSecretArn: arn('secretsmanager', 'secret:origin-AbCdEf'),
  },
  edge: {
    domainName: 'surveys.example.com',
    certificateArn: arn('acm', 'certificate/edge', 'us-east-1'),
    originDomainName: 'origin.example.com',
    originCertificateArn: arn('acm', 'certificate/origin'),
  },
  events: {},
  webhooks: [{ url: 'https://hooks.example.com/a', secretName: 'canvass/hook', secretVersion: VERSION }],
};

type World = Readonly<Record<string, (input: Record<string, string>) => object>>;

const A_TABLE = {
  TableStatus: 'ACTIVE',
  LatestStreamArn: STREAM,
  StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
  DeletionProtectionEnabled: true,
  SSEDescription: { KMSMasterKeyArn: KEY },
  GlobalSecondaryIndexes: ['by_project', 'by_score_state', 'by_contact'].map((IndexName) => ({
    IndexName,
    IndexStatus: 'ACTIVE',
  })),
};
const A_SECRET = { KmsKeyId: KEY, VersionIdsToStages: { [VERSION]: ['AWSCURRENT'] } };
const tableWith = (more: object) => () => ({ Table: { ...A_TABLE, ...more } });

/** Everything is there. */
const READY: World = {
  DescribeTable: tableWith({}),
  DescribeTimeToLive: () => ({
    TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' },
  }),
  DescribeContinuousBackups: () => ({
    ContinuousBackupsDescription: {
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' },
    },
  }),
  DescribeSecret: () => A_SECRET,
  DescribeKey: ({ KeyId = '' }) => ({
    KeyMetadata: { Arn: KeyId, KeyState: 'Enabled', KeyManager: 'CUSTOMER' },
  }),
  DescribeCertificate: () => ({ Certificate: { Status: 'ISSUED' } }),
  DescribeEventBus: () => ({ Name: 'default' }),
};

const settingsOf = (more: object) =>
  readSettings({ stage: 'prod', stages: { prod: { ...SETTINGS, ...more } } }, []);

/** What is not ready, as `what: problem`. */
async function problems(more: object = {}, world: World = {}): Promise<string[]> {
  const there = { ...READY, ...world };
  const ask: Ask = async (_service, action, input) => there[action]?.(input as Record<string, string>);
  const checks = await checkMove(settingsOf(more), REGION, ask);
  expect(checks.length).toBeGreaterThan(5);
  return checks.flatMap(({ what, problem }) => (problem === null ? [] : [`${what}: ${problem}`]));
}

const notThere = (name: string) => () => {
  throw new Error(`secretsmanager refused: ${name}`);
};
const OTHER_KEY = KEY.replace('00000000-', '11111111-');

describe('move check', () => {
  it('finds nothing wrong where all is there', async () => {
    expect(await problems()).toEqual([]);
  });

  it.each([
    [
      'the secret of a webhook, which nobody replicated',
      {},
      {
        DescribeSecret: (input: Record<string, string>) =>
          input.SecretId === 'canvass/hook' ? notThere('ResourceNotFoundException')() : A_SECRET,
      },
      ['secret of a webhook: canvass/hook: secretsmanager refused: ResourceNotFoundException'],
    ],
    [
      'its version',
      { webhooks: [{ ...SETTINGS.webhooks[0], secretVersion: 'b'.repeat(36) }] },
      {},
      [/has no version b+: replicate it again/],
    ],
    [
      'a key of the first region',
      { kmsKeyArn: KEY.replace(REGION, 'eu-west-1'), existing: { ...SETTINGS.existing, kmsKeyArns: [KEY] } },
      {},
      [/^kmsKeyArn: lies in eu-west-1, not in eu-central-1/],
    ],
    [
      'a further key of the first region',
      { existing: { ...SETTINGS.existing, kmsKeyArns: [KEY.replace(REGION, 'eu-west-1')] } },
      {},
      [/^existing\.kmsKeyArns: lies in eu-west-1, not in eu-central-1/],
    ],
    [
      'a key that is switched off',
      {},
      { DescribeKey: () => ({ KeyMetadata: { Arn: KEY, KeyState: 'Disabled', KeyManager: 'CUSTOMER' } }) },
      [/^kmsKeyArn: is Disabled/],
    ],
    [
      'a replica under a key that no setting names',
      {},
      { DescribeTable: tableWith({ SSEDescription: { KMSMasterKeyArn: OTHER_KEY } }) },
      [/tableStreamArn: is encrypted under .*11111111-/, /erasureLogTableArn: is encrypted under/],
    ],
    [
      'data that existing does not name',
      { existing: { tableStreamArn: STREAM } },
      {},
      [
        /^existing.erasureLogTableArn: is not set: erasures could not/,
        /^existing.hashSecretArn: is not set: the stage would know nobody/,
        /^existing.tokenRingArn: is not set: no token/,
        /^existing.originSecretArn: is not set: CloudFront/,
      ],
    ],
    [
      'a table that is not protected',
      {},
      { DescribeTable: tableWith({ DeletionProtectionEnabled: false }) },
      [/tableStreamArn: is not protected/, /erasureLogTableArn: is not protected/],
    ],
    [
      'an index that is still being made',
      {},
      {
        DescribeTable: tableWith({
          GlobalSecondaryIndexes: [{ IndexName: 'by_project', IndexStatus: 'CREATING' }],
        }),
      },
      [/tableStreamArn: has no index by_project that is active/],
    ],
    [
      'another stream',
      {},
      { DescribeTable: tableWith({ LatestStreamArn: `${STREAM}1` }) },
      [/tableStreamArn: has another stream/],
    ],
    [
      'time to live',
      {},
      { DescribeTimeToLive: () => ({ TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } }) },
      [/has no time to live by the attribute ttl/, /has no time to live/],
    ],
    [
      'recovery',
      {},
      { DescribeContinuousBackups: () => ({ ContinuousBackupsDescription: {} }) },
      [/has no point-in-time recovery/, /has no point-in-time recovery/],
    ],
    [
      'a secret that is deleted',
      {},
      { DescribeSecret: () => ({ DeletedDate: 1, VersionIdsToStages: { [VERSION]: [] } }) },
      [/hashSecretArn: is deleted/, /tokenRingArn/, /originSecretArn/, /webhook/],
    ],
    [
      'a certificate',
      { edge: { ...SETTINGS.edge, originCertificateArn: arn('acm', 'certificate/o', 'eu-west-1') } },
      {},
      [/^edge.originCertificateArn: lies in eu-west-1/],
    ],
    ['a bus', {}, { DescribeEventBus: notThere('ResourceNotFoundException') }, [/^event bus default: /]],
  ] as [string, object, World, (string | RegExp)[]][])(
    'says that it lacks %s',
    async (_what, more, world, wanted) => {
      expect(await problems(more, world)).toEqual(
        wanted.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
      );
    },
  );

  it('takes tables and secrets under AWS’s own keys', async () => {
    const own = arn('kms', 'key/aws-own');
    const DescribeKey = () => ({ KeyMetadata: { Arn: own, KeyState: 'Enabled', KeyManager: 'AWS' } });
    const world = { DescribeTable: tableWith({ SSEDescription: { KMSMasterKeyArn: own } }), DescribeKey };
    expect(await problems({ kmsKeyArn: undefined }, world)).toEqual([]);
  });

  it('asks the region of the operator, and exits with 1 where something is missing', async () => {
    const targets: string[] = [];
    const url = await serveInTest(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const [, action = ''] = String(request.headers['x-amz-target']).split('.');
      targets.push(String(request.headers.authorization).match(/\/(eu-[^/]+\/[^/]+)\//)?.[1] ?? '');
      const isHook = JSON.parse(body).SecretId === 'canvass/hook';
      response.writeHead(isHook ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(
        JSON.stringify(isHook ? { __type: 'ResourceNotFoundException' } : READY[action]?.(JSON.parse(body))),
      );
    });
    const settings = join(temporaryFolder(), 'cdk.json');
    writeFileSync(settings, JSON.stringify({ context: { stages: { prod: SETTINGS } } }));
    const identity = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's', AWS_REGION: REGION };
    for (const [name, value] of Object.entries({ ...identity, AWS_ENDPOINT_URL: url }))
      vi.stubEnv(name, value);
    const check = ['move', 'check', '--settings', settings];
    const { status, stdout, stderr } = await runInProcess([...check, '--stage', 'prod', '--json']);
    expect(status).toBe(1);
    expect(stderr).toContain('are not ready in eu-central-1: deploy nothing there.');
    const { checks } = JSON.parse(stdout) as { checks: { what: string; problem: string | null }[] };
    expect(checks.filter(({ problem }) => problem !== null).map(({ what }) => what)).toEqual([
      'secret of a webhook: canvass/hook',
    ]);
    expect([...new Set(targets)].sort()).toEqual(
      ['acm', 'dynamodb', 'events', 'kms', 'secretsmanager'].map((service) => `${REGION}/${service}`),
    );
    const unknown = await runInProcess([...check, '--stage', 'beta']);
    expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no stage "beta"') });
    const missing = await runInProcess(['move', 'check', '--stage', 'prod', '--settings', '/nonexistent']);
    expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('cannot be read') });
  });

  it('comes before the deployment in the runbook, which replicates what it asks for', () => {
    const [, page = ''] = readFileSync('docs/operations.md', 'utf8').split(/^## Loss of a region$/m);
    const [section = ''] = page.split(/^## /m);
    expect(section.indexOf('move check')).toBeGreaterThan(0);
    expect(section.indexOf('move check')).toBeLessThan(section.indexOf('cdk deploy'));
    for (const wanted of ['KMSMasterKeyId=', 'KmsKeyId=', 'secretName', 'kmsKeyArn'])
      expect(section).toContain(wanted);
  });
});
