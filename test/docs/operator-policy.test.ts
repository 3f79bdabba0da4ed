/**
 * The policy of `iam operate` allows every call of the command line, of the alarms' first commands and of the runbook's
 * read commands, and nothing else.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lookingStatements, operateStatements, type Policy } from '../../bin/admin/iam/operate-statements.ts';
import { CanvassStack, EdgeStack } from '../../lib/canvass-stack.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import type { Gateway } from '../../local/gateway.ts';
import type { LocalStateMachine } from '../../local/state-machine.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { createErasureLog } from '../../shared/data/privacy/erasure-log.ts';
import { createPurgeRecords } from '../../shared/data/privacy/purges.ts';
import { newRetention } from '../../shared/domain/retention.ts';
import { type Ended, runInProcess } from '../support/admin-cli.ts';
import { serve } from '../support/serve.ts';
import { createTestMachine } from '../support/service/purge-service.ts';
import { forgetTimeToLive } from '../support/service/restore-table.ts';
import { serveService } from '../support/service/served-service.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import { createTestService } from '../support/service/test-service.ts';
import { createTestTable, type TestTable } from '../support/service/test-table.ts';
import { callsOf, neededBy } from '../support/stack/aws-commands.ts';
import {
  type AwsStandIn,
  type NeededPermission,
  stackOutputs,
  stackSecrets,
  startAws,
  stubAws,
} from '../support/stack/aws-stand-in.ts';
import { isAllowed } from '../support/stack/policy.ts';
import { wrongIn } from '../support/stack/policy-lint.ts';
import { resolveTemplate, type TemplateText } from '../support/stack/resolved-template.ts';
import { certificate } from '../support/stack/stages.ts';
import { anApp } from '../support/stack/synthesised-stack.ts';

const MACHINE = 'arn:aws:states:eu-west-1:123456789012:stateMachine:canvass-prod-purge';
/** Settings that add alarms with their own first commands. */
const WATCHED = {
  backup: { copyToVaultArn: 'arn:aws:backup:eu-west-1:210987654321:backup-vault:copies' },
  alarms: 'all',
  deployment: 'canary',
  scoreAdapter: {},
  probe: { key: 'svc_pk_project_value' },
  events: {},
  webhooks: [
    { url: 'https://hooks.example.com/a', secretName: 'hook' },
    { format: 'slack', name: 'shop', secretName: 'slack', projects: ['abc'], events: ['low'] },
  ],
  digest: {},
  edge: {
    domainName: 'surveys.example.com',
    certificateArn: certificate('us-east-1'),
    originDomainName: 'origin.example.com',
    originCertificateArn: certificate('eu-west-1'),
  },
};

/** Commands of the runbook that change resources, or read a malformed row. They need an administrator. */
const CHANGES =
  `dynamodb get-item, dynamodb update-item, dynamodb update-table, events enable-rule, lambda invoke,
  lambda update-event-source-mapping, secretsmanager put-secret-value, secretsmanager restore-secret,
  scheduler update-schedule, sns subscribe, sns unsubscribe, sqs delete-message, sqs purge-queue,
  sqs start-message-move-task`.split(/,\s+/);

/** restore.test.ts and doctor.test.ts call everything that these statements allow. */
const ELSEWHERE = /^(Check|Restore|Fill|Stop|FindTraffic)/;

/** Permissions of `backup check`, and of the AWS console pages that the runbook uses: alarms with graphs, and log groups. */
const CONSOLE = `
  aws backup describe-global-settings
  aws backup describe-region-settings
  aws backup list-copy-jobs
  aws cloudwatch describe-alarms
  aws cloudwatch describe-alarms --region us-east-1
  aws cloudwatch describe-alarm-history
  aws cloudwatch get-metric-data
  aws cloudwatch list-metrics
  aws logs describe-log-groups`;

function firstCommands(): readonly string[] {
  const routes = ROUTES.map(({ name }) => name);
  const settings = readSettings({ stage: 'prod', stages: { prod: WATCHED } }, routes);
  const app = anApp();
  const stacks = [new CanvassStack(app, settings)];
  if (settings.edge !== undefined) stacks.push(new EdgeStack(app, settings, settings.edge));
  const alarms = stacks
    .flatMap((stack) => [...resolveTemplate(Template.fromStack(stack).toJSON() as TemplateText).values()])
    .filter(({ type }) => type === 'AWS::CloudWatch::Alarm');
  return alarms.map(({ properties }) => {
    const first = String(properties.AlarmDescription).match(/^First: (.+)$/m)?.[1] ?? '';
    return first.replaceAll(/<(\w+)(\.\w+)?>/g, 'canvass-prod-$1-1A2B3C4D5E6F');
  });
}

const RUNBOOK = readFileSync('docs/operations.md', 'utf8').match(/^## Runbook$(.+?)^## /ms)?.[1] ?? '';
const LOOKED_UP = [
  ...new Set(
    [...RUNBOOK.matchAll(/aws ([a-z]+\s[a-z-]+)/g)].map(([, command = '']) => command.replaceAll(/\s/g, ' ')),
  ),
].filter((command) => !CHANGES.includes(command));

const folder = mkdtempSync(join(tmpdir(), 'canvass-test-'));

let aws: AwsStandIn;
let table: TestTable;
let machine: LocalStateMachine;
let stage: Gateway;
let stopReceiver: () => Promise<void>;
let isExecuting = false;
const outputs: Record<string, string> = {};
const queue = ['{"detail-type":"Response Recorded"}'];
const ended: Ended[] = [];
/** Permissions that the commands of alarms and the runbook need. */
const followed: NeededPermission[] = [];
const unknown: string[] = [];
const looked = new Map<string, NeededPermission[]>();
const failures: unknown[] = [];

const LOOKING =
  /^(project (list|show)|key list|identity secret list|survey (list|show|why)|results (show|comments|export|report|digest)|contacts list|purge status|retention status|webhook list)/;

async function admin(...args: readonly string[]): Promise<unknown> {
  const sleep = () => machine.idle();
  const before = aws.needed.length;
  const result = await runInProcess([...args, '--stack', 'canvass-prod', '--json'], { sleep });
  ended.push(result);
  const command = LOOKING.exec(args.join(' '))?.[0];
  if (command !== undefined) looked.set(command, aws.needed.slice(before));
  return JSON.parse(result.stdout || 'null');
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Runs these commands, in their order. */
async function each(commands: string, ...more: readonly string[]): Promise<void> {
  for (const command of commands.trim().split(/\s*,\s*/)) await admin(...command.split(' '), ...more);
}

async function everyCommand(): Promise<void> {
  const { projectId } = (await admin('project', 'create', '--name', 'Acme')) as { projectId: string };
  const of = ['--project', projectId];
  const ensured = ['project', 'ensure', '--name', 'Pipeline', '--mint-key-secret'];
  await admin(...ensured, '-f', file('ensured.yaml', 'surveys: [{ slug: nps, type: nps, question: Well? }]'));
  await admin(...ensured, 'of-a-team');
  await each('project list');
  await each('project show, project suspend, project resume', projectId);
  await admin('project', 'update', projectId, '--monthly-cap', '5');
  const { keyId } = (await admin('key', 'create', ...of, '--kind', 'secret')) as { keyId: string };
  await admin('key', 'list', ...of);
  await admin('key', 'revoke', keyId, ...of);
  const surveys = file('surveys.yaml', 'surveys:\n  - { slug: nps, type: nps, question: Well? }\n');
  await admin('survey', 'apply', ...of, '-f', surveys, '--yes');
  const [survey] = (await admin('survey', 'list', ...of)) as { id: string }[];
  await each('survey pause nps, survey resume nps, survey show nps, survey why nps --respondent ann', ...of);
  const answers = file(
    'answers.csv',
    'respondent_id,rating,at\nann,9,2020-01-01T00:00:00Z\nbob,3,2026-11-01T00:00:00Z\n',
  );
  await admin('import', ...of, '--survey', 'nps', '-f', answers);
  await admin('import', ...of, '--survey', 'nps', '-f', answers);
  await each('results show nps, results comments nps', ...of);
  await admin('results', 'export', 'nps', ...of, '--format', 'csv', '-o', file('exported.csv', ''));
  await admin('results', 'report', 'nps', '--contacts', ...of, '-o', file('report.html', ''));
  await each('results digest');
  await each('results recount --all, results recount nps, results link, console link', ...of);
  await each('contacts list, contacts sweep', ...of);
  const { secretId } = (await admin('identity', 'secret', 'create', ...of)) as { secretId: string };
  await admin('identity', 'secret', 'list', ...of);
  await admin('identity', 'secret', 'revoke', secretId, ...of);
  await each('token-key list, token-key rotate');

  const log = createErasureLog(table.erasureLog);
  const hash = (respondentId: string) => respondentHash(TEST_HASH_SECRET, projectId, respondentId);
  const since = new Date(Date.now() - 60_000).toISOString();
  for (const who of ['ann', 'bob'])
    await log.record({ mode: 'respondent', projectId, respondentHash: hash(who) }, Date.now());
  const retention = newRetention('60d', Date.now());
  if (retention === undefined) throw new Error('answers stay for ever');
  await log.recordRetention({ projectId, retention }, Date.now());
  await log.recordRetention({ projectId, surveyId: survey?.id, retention }, Date.now());
  await forgetTimeToLive(table);
  await admin('erasures', 'replay', '--since', since);
  const scope = { projectId, surveyId: survey?.id ?? '' };
  await createPurgeRecords(table.table).request(scope, Date.now());
  await admin('purge', 'status', ...of);
  await admin('purge', 'retry', ...of, '--survey', scope.surveyId);
  await log.record({ mode: 'survey', ...scope }, Date.now());
  await admin('erasures', 'replay', '--since', since);
  await each('retention sweep, retention status', ...of);
  await each('probe create, webhook list, webhook resend');
  isExecuting = true;
  await admin('smoke');
}

beforeAll(async () => {
  table = await createTestTable();
  const service = await createTestService({ table });
  stage = await serveService(service);
  machine = createTestMachine(table, { clock: service.clock, onFailure: (error) => failures.push(error) });
  aws = await startAws({
    execute: (scope) => {
      if (isExecuting) void machine.start(scope, { attempt: 1, openedAt: new Date().toISOString() });
    },
    dynamodb: table.endpoint,
    outputs: Object.assign(outputs, {
      ApiUrl: stage.url,
      ...stackOutputs(table),
      PurgeStateMachineArn: MACHINE,
      Stage: 'prod',
      MintKeySecretName: 'mint-key',
    }),
    queues: { 'canvass-prod-hook': queue },
    secrets: { hook: 'known to the receiver', ...stackSecrets() },
  });
  const receiver = await serve((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  stopReceiver = receiver.stop;
  const queueUrl = `${aws.url}/123456789012/canvass-prod-hook`;
  outputs.Webhooks = JSON.stringify([{ url: receiver.url, secretName: 'hook', queueUrl }]);
  stubAws(aws.url);
  await everyCommand();
  const calls = [
    ...[...firstCommands(), CONSOLE].flatMap(callsOf),
    ...LOOKED_UP.map((command) => ({ command, args: [] })),
  ];
  for (const { command, args } of calls) {
    const permission = neededBy(command, args);
    if (permission === undefined) unknown.push(command);
    // The runbook's own examples contain no names.
    else if (!permission.resource.endsWith(':')) followed.push(permission);
  }
}, 180_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  aws.stop();
  await stopReceiver();
  await machine.stop();
  await stage.stop(0);
  rmSync(folder, { recursive: true, force: true });
});

async function generated(...flags: readonly string[]): Promise<Policy> {
  const out = join(folder, 'iam');
  const settings = file('cdk.json', JSON.stringify({ context: { stages: { prod: WATCHED } } }));
  const mintKey = ['--mint-key-secret', 'of-a-team'];
  const where = ['--stage', 'prod', '--settings', settings, '-o', out, '--json'];
  const asked = ['iam', 'operate', ...where, ...mintKey, ...flags];
  const { status, stdout, stderr } = await runInProcess(asked);
  expect([status, stderr]).toEqual([0, '']);
  const { policies } = JSON.parse(stdout) as { policies: { file: string }[] };
  const written: Policy[] = policies.map(({ file: name }) => JSON.parse(readFileSync(name, 'utf8')));
  return { Version: '2012-10-17', Statement: written.flatMap(({ Statement }) => Statement) };
}

describe('the operator’s policy', () => {
  let policy: Policy;
  let readOnly: Policy;
  beforeAll(async () => {
    policy = await generated();
    readOnly = await generated('--read-only');
  });

  it('is tested with commands that all succeed', () => {
    expect(ended.filter(({ status }) => status !== 0)).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('allows every call', () => {
    const denied = aws.needed.filter((each) => !isAllowed([policy], each));
    expect([...new Set(denied.map(({ action, resource }) => `${action} ${resource}`))]).toEqual([]);
  });

  it('allows the first command of every alarm and every query of the runbook', () => {
    expect(unknown).toEqual([]);
    expect(followed.length).toBeGreaterThan(40);
    const denied = followed.filter((each) => !isAllowed([policy], each));
    expect([...new Set(denied.map(({ action, resource }) => `${action} ${resource}`))]).toEqual([]);
  });

  it('allows nothing that is never called here, by a restore or by doctor', () => {
    const needed = [...aws.needed, ...followed];
    const called = new Set(needed.map(({ action }) => action));
    const statements = policy.Statement.filter(({ Sid }) => !ELSEWHERE.test(Sid));
    const granted = statements.flatMap(({ Action }) => Action);
    expect(
      granted.filter((action) => !called.has(action) && action !== 'cloudformation:GetTemplate'),
    ).toEqual([]);
    for (const statement of statements) {
      for (const resource of statement.Resource.filter((each) => !each.includes('-restored-*'))) {
        const one: Policy = { ...policy, Statement: [{ ...statement, Resource: [resource] }] };
        const isReached = needed.some((each) => isAllowed([one], each));
        expect([resource, isReached]).toEqual([resource, true]);
      }
    }
  });

  it('has a smaller variant that allows exactly the commands that change nothing', () => {
    expect(looked.size).toBe(16);
    const denied = [...looked].filter(([, needed]) => needed.some((each) => !isAllowed([readOnly], each)));
    expect(denied).toEqual([]);
    const used = new Set([...looked.values()].flat().map(({ action }) => action));
    const granted = readOnly.Statement.flatMap(({ Action }) => Action);
    expect(granted.filter((action) => !used.has(action))).toEqual([]);
  });

  it('contains only names that IAM knows, with every setting', async () => {
    const key = 'arn:aws:kms:eu-west-1:123456789012:key/00000000-0000-0000-0000-000000000000';
    const backup = { copyToVaultArn: 'arn:aws:backup:eu-west-1:210987654321:backup-vault:copies' };
    const { deployment, edge } = WATCHED;
    const stage = { kmsKeyArn: key, backup, deployment, edge };
    const settings = readSettings({ stage: 'prod', stages: { prod: stage } }, []);
    const output = (name: string) => (name === 'PurgeStateMachineArn' ? MACHINE : name);
    const queueUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/canvass-prod-hook';
    const webhooks = JSON.stringify([{ url: 'https://a.example', secretName: 'hook', queueUrl }]);
    const optional = (name: string) =>
      name === 'BackupRoleArn' ? 'arn:aws:iam::123456789012:role/canvass-prod-backup' : webhooks;
    const replica = { region: 'eu-central-1', keyArn: key.replace('eu-west-1', 'eu-central-1') };
    const operated = { stack: 'canvass-prod', settings, output, optional, replica };
    const statements = operateStatements(operated);
    const sids =
      'Keys CheckBackups TakeOverTheRing WebhooksNotTaken WebhookSecrets FollowEdgeLog SeeDeployments';
    expect(statements.map(({ Sid }) => Sid)).toEqual(expect.arrayContaining(sids.split(' ')));
    const conditionOf = (sid: string) => statements.find(({ Sid }) => Sid === sid)?.Condition;
    expect(conditionOf('RestoreBackups')).toEqual({
      StringEquals: { 'aws:ResourceTag/canvass-stage': 'canvass-prod' },
    });
    expect(conditionOf('GrantKeysToServices')).toEqual({ Bool: { 'kms:GrantIsForAWSResource': 'true' } });
    expect(statements.filter(({ Action }) => Action.includes('kms:CreateGrant'))).toHaveLength(1);
    const looking = lookingStatements(operated);
    expect((await Promise.all([...statements, ...looking].map(wrongIn))).flat()).toEqual([]);
    for (const action of ['kms:Decrypt', 'kms:DescribeKey'])
      expect(isAllowed([{ Version: '2012-10-17', Statement: looking }], { action, resource: key })).toBe(
        true,
      );
    expect(looking.flatMap(({ Action }) => Action)).not.toContain('kms:Encrypt');
  });
});
