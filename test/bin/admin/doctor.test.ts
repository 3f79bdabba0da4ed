/** Runs `doctor` on broken stages of a fake account, with exactly the rights of `iam operate --doctor`. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expiryProgress } from '../../../functions/runtime/parts/privacy.ts';
import { keyUseStore } from '../../../functions/runtime/parts/projects.ts';
import { NOTHING_EXPIRED } from '../../../shared/data/privacy/expiry-progress.ts';
import { dayAt } from '../../../shared/domain/days.ts';
import { DAY, SECOND } from '../../../shared/domain/duration.ts';
import { runInProcess } from '../../support/admin-cli.ts';
import { forgetTimeToLive } from '../../support/service/restore-table.ts';
import { createTestService, type TestService } from '../../support/service/test-service.ts';
import { openStage } from '../../support/stack/stage-account.ts';
import { ALL } from '../../support/stack/stages.ts';

const { kmsKeyArn: KEY } = ALL;
const SETTINGS = { backup: ALL.backup, scoreAdapter: {}, concurrency: { erase: 5 }, kmsKeyArn: KEY };

const folder = mkdtempSync(join(tmpdir(), 'canvass-test-'));
const settingsFile = join(folder, 'cdk.json');
writeFileSync(settingsFile, JSON.stringify({ context: { stages: { test: SETTINGS } } }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let service: TestService;
let open: Awaited<ReturnType<typeof openStage>>;
let account: typeof open.account;

const run = (...args: readonly string[]) => runInProcess(args, { now: service.clock.now });
const doctor = (...args: readonly string[]) => run('--stack', 'canvass-test', 'doctor', ...args);

beforeEach(async () => {
  service = await createTestService();
  open = await openStage(service, SETTINGS);
  ({ account } = open);
  const seconds = service.clock.now() / SECOND;
  account.copyJobs.push({ State: 'COMPLETED', CreationDate: seconds, CompletionDate: seconds });
  const where = ['--stage', 'test', '--settings', settingsFile, '-o', folder];
  const written = await run('iam', 'operate', '--doctor', ...where);
  expect(written).toMatchObject({ status: 0, stderr: '' });
  open.policies = [JSON.parse(readFileSync(join(folder, 'canvass-test-doctor-1.json'), 'utf8'))];
  open.aws.needed.length = 0;
  return () => {
    open.aws.stop();
    vi.unstubAllEnvs();
  };
});

const WELL = [
  'the stack and its functions, schedules and queues',
  'tables and their recovery',
  'secrets and token keys',
  'alarms and their subscribers',
  'backups in another account',
  'keys without use, and the nightly sweep',
];

it('finds nothing wrong with a stage as it was deployed, and uses every right of its policy', async () => {
  const { project } = await service.tenant();
  const now = service.clock.now();
  const swept = { ...NOTHING_EXPIRED, startedAt: new Date(now).toISOString() };
  await expiryProgress(service.service).finish(project.id, swept, now);
  for (const { hash } of (await service.projects.read(project.id))?.keys ?? [])
    await keyUseStore(service.service).record(project.id, hash, dayAt(now));
  const { status, stdout, stderr } = await doctor();
  expect([status, stderr]).toEqual([0, '']);
  const well = WELL.map((each) => `well   ${each}\n`).join('');
  expect(stdout).toMatch(new RegExp(`^${well}Not checked: the stack of an edge.*\n$`));
  const used = new Set(open.aws.needed.map(({ action }) => action));
  const granted = open.policies?.flatMap(({ Statement }) => Statement.flatMap(({ Action }) => Action)) ?? [];
  expect(granted.filter((action) => !used.has(action) && !action.startsWith('kms:'))).toEqual([]);
  const reading = /:(Describe|Get|List|Query|BatchGet|Decrypt)/;
  expect(granted.filter((action) => !reading.test(action))).toEqual([]);
});

const table = () => service.table.tableName;

/** Each problem with the command that mends it. */
const BROKEN: readonly (readonly [string, () => unknown, readonly RegExp[]])[] = [
  [
    'nobody confirmed the subscription',
    () => account.subscriptions.splice(0, 1, 'PendingConfirmation'),
    [
      /nobody receives the alarms: nobody confirmed a subscription → aws sns subscribe --topic-arn arn:.*Alarms/,
    ],
  ],
  [
    'a restore by hand that stopped halfway',
    async () => {
      account.tables.delete(table());
      account.concurrency.set(account.idOf('Lambda::Function', 'bootstrap'), 0);
      await forgetTimeToLive(service.table);
      const isOff = { DeletionProtectionEnabled: false };
      await service.table.client.send(new UpdateTableCommand({ TableName: table(), ...isOff }));
    },
    [
      /function \S*bootstrap\S* is stopped → aws lambda delete-function-concurrency --function-name \S*bootstrap/,
      /has no point-in-time recovery.* → aws dynamodb update-continuous-backups --table-name \S+ --point-in-time/,
      /has no time to live.* → aws dynamodb update-time-to-live --table-name \S+ .*AttributeName=ttl/,
      /not protected against deletion → aws dynamodb update-table .*--deletion-protection-enabled/,
      /not encrypted under the key of the hash secret → aws dynamodb update-table .*KMSMasterKeyId=arn:aws:kms/,
    ],
  ],
  [
    'a table that was deleted',
    async () => {
      const { client } = service.table;
      await client.send(new UpdateTableCommand({ TableName: table(), DeletionProtectionEnabled: false }));
      await client.send(new DeleteTableCommand({ TableName: table() }));
    },
    Array(2).fill(/could not be checked: .*not found.* → sh docs\/restore.sh canvass-test <time> <recov/),
  ],
  [
    'a region that was moved to',
    () => {
      account.secrets['token-ring'] = { PrimaryRegion: 'us-west-2' };
    },
    [/replica of us-west-2.* → aws secretsmanager stop-replication-to-replica --secret-id token-ring/],
  ],
  [
    'a stage that nobody looked after for a year',
    async () => {
      await service.tenant();
      const now = service.clock.now() / 1_000;
      account.secrets['token-ring'] = { LastChangedDate: now };
      account.secrets['hash-secret'] = { KmsKeyId: KEY, DeletedDate: now };
      service.clock.advance(400 * DAY);
      const alarm = account.alarms.find(({ AlarmName }) => AlarmName.endsWith('purge-failed'));
      Object.assign(alarm ?? {}, { StateValue: 'ALARM' });
    },
    [
      /hash-secret is being deleted → aws secretsmanager restore-secret --secret-id hash-secret/,
      /token keys were last rotated 400 days ago → .*canvass-test token-key rotate$/,
      /purge-failed is in ALARM: A purge or the nightly sweep.* → aws logs tail .*record-failure/,
      /copies of \S+: the last copy arrived on .* → .*backup check$/,
      /copies of \S+-erasures: the last copy arrived on .* → .*backup check$/,
      /secret key \S+ of project \S+ was not used for 90 days → .*key revoke \S+ --project \S+/,
      /have not been swept since 20.* → .*retention sweep --project \S+/,
    ],
  ],
  [
    'settings that were changed by hand',
    () => {
      account.status = 'UPDATE_ROLLBACK_FAILED';
      account.alarms.pop();
      Object.assign(account.alarms[0] ?? {}, { ActionsEnabled: false, AlarmActions: [] });
      account.concurrency.set(account.idOf('Lambda::Function', 'erase'), 3);
      account.states.set(account.idOf('Scheduler::Schedule', 'Purge'), 'DISABLED');
      account.states.set(account.idOf('Lambda::EventSourceMapping'), 'Disabled');
    },
    [
      /status UPDATE_ROLLBACK_FAILED.* → aws cloudformation describe-stack-events --stack-name canvass-test/,
      /erase\S* has the reserved concurrency 3 in place of 5 → .*--revert-drift/,
      /schedule \S*Purge\S* is disabled → .*--revert-drift/,
      /event source mapping \S+ is disabled.* → aws lambda update-event-source-mapping --enabled --uuid \S+/,
      /notifies no topic → .*--revert-drift/,
      /notifies nobody → aws cloudwatch enable-alarm-actions --alarm-names \S+/,
      /was deleted → npm exec -- cdk deploy canvass-test -c stage=test --revert-drift/,
    ],
  ],
];

/** The oldest alarm on a missing run covers 48 hours. */
it.each([
  ['no problem while they are new', 31, 30.9, []],
  ['a problem if they are old', 49, 48.9, ['backup-overdue', 'sweep-overdue']],
  ['a problem if they changed while in ALARM', 1, 2, ['backup-overdue', 'sweep-overdue']],
])('sees alarms on missing runs as %s', async (_what, configured, transitioned, expected) => {
  const now = service.clock.now() / SECOND;
  for (const alarm of account.alarms.filter(({ AlarmName }) => /(backup|sweep)-overdue$/.test(AlarmName)))
    Object.assign(alarm, {
      StateValue: 'ALARM',
      AlarmConfigurationUpdatedTimestamp: now - configured * 3600,
      StateTransitionedTimestamp: now - transitioned * 3600,
    });
  const { findings } = JSON.parse((await doctor('--json')).stdout);
  const said = findings.map(({ says }: { says: string }) => /test-(\S+) is in ALARM: /.exec(says)?.[1]);
  expect(said.sort()).toEqual(expected);
});

it('leaves topics of other stacks, schedules of yours and other keys alone', async () => {
  account.secrets['hash-secret'] = { KmsKeyId: 'alias/yours' };
  const yours = { logicalId: 'Yours', id: 'yours', type: 'AWS::Scheduler::Schedule' };
  account.parts.push({ ...yours, properties: { Name: 'yours', State: 'ENABLED' } });
  for (const alarm of account.alarms) alarm.AlarmActions = ['arn:aws:sns:eu-west-1:123456789012:oncall'];
  account.subscriptions = [];
  expect([(await doctor()).status, open.denied]).toEqual([0, []]);
});

it('repeats requests that AWS throttles', async () => {
  account.throttled = 3;
  expect((await doctor()).status).toBe(0);
  account.throttled = 5;
  expect((await doctor()).stdout).toMatch(/could not be checked: lambda answered 429 for \/2019-09-30/);
});

describe('a broken stage', () => {
  it.each(BROKEN)('%s: names each problem and the command that mends it', async (_what, breaks, expected) => {
    await breaks();
    const { status, stdout, stderr } = await doctor('--json');
    const { findings, well } = JSON.parse(stdout);
    const found = findings.map(({ says, command }: Record<string, string>) => `${says} → ${command}`);
    expect(found).toEqual(expected.map((problem) => expect.stringMatching(problem)));
    expect(new Set([...well, ...findings.map(({ check }: Record<string, string>) => check)])).toEqual(
      new Set(WELL),
    );
    expect(stderr).toBe(`error: Problems of canvass-test in eu-west-1: ${expected.length}.\n`);
    expect([status, open.denied]).toEqual([1, []]);
    const { stdout: text } = await doctor();
    for (const { check, says, command } of findings)
      expect(text).toContain(`WRONG  ${check}: ${says}\n       ${command}`);
  });

  it('says which right is missing, and checks the rest', async () => {
    open.policies = open.policies?.map((policy) => ({
      ...{ ...policy, Statement: policy.Statement.filter(({ Sid }) => Sid !== 'SeeWhoIsTold') },
    }));
    const { status, stdout } = await doctor('--json', '--construct', 'Default');
    expect(JSON.parse(stdout).findings).toEqual([
      {
        check: 'alarms and their subscribers',
        says: 'could not be checked: sns refused the request: AccessDeniedException',
        command:
          'npm run admin -- iam operate --doctor --stack canvass-test --construct Default --stage test',
      },
    ]);
    expect(status).toBe(1);
  });
});
