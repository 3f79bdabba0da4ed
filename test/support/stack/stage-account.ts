/** Fakes the regions of an account with a deployed stage: what `doctor` and docs/restore.sh read and change. */

import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import type { Policy } from '../../../bin/admin/iam/operate-statements.ts';
import type { TestService } from '../service/test-service.ts';
import { type NeededPermission, stackOutputs, stackSecrets, startAws, stubAws } from './aws-stand-in.ts';
import { isAllowed } from './policy.ts';
import { resolveTemplate } from './resolved-template.ts';
import { stacksOf } from './synthesised-stack.ts';

const ACCOUNT = '123456789012';
const REGION = 'eu-west-1';
export const SECOND_REGION = 'eu-central-1';

interface TableFacts {
  readonly isRecoverable?: boolean;
  readonly key?: string | undefined;
  /** Fields of a replica. The embedded DynamoDB has those of the first region. */
  readonly own?: object;
}

type Tables = Map<string, TableFacts>;
/** Fields of DescribeSecret by name. */
type Secrets = Record<string, object | undefined>;

export type AccountRegion = ReturnType<typeof createRegion>;

/** REST calls by a part of their path. */
const CALLS: Readonly<Record<string, string>> = {
  functions: 'GetFunctionConcurrency',
  'event-source-mappings': 'GetEventSourceMapping',
  schedules: 'GetSchedule',
  'global-settings': 'DescribeGlobalSettings',
  'account-settings': 'DescribeRegionSettings',
  'copy-jobs': 'ListCopyJobs',
};
/** See DynamoDB, "Using IAM with backup and restore". */
const FILLING = 'Scan Query GetItem PutItem UpdateItem DeleteItem BatchWriteItem'.split(' ');
const API = { ResourceType: 'AWS::ApiGatewayV2::Api', PhysicalResourceId: 'a1' };

type Reply = readonly [resource: string, reply?: object | string, also?: readonly NeededPermission[]];

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export function createRegion(
  region: string,
  second?: { readonly tables: Tables; readonly secrets: Secrets },
) {
  const place = `${region}:${ACCOUNT}`;
  const prefixOf = (type: string) => (type === 'AWS::SNS::Topic' ? `arn:aws:sns:${place}:` : '');
  const ofType = (type: string) => its.parts.filter((part) => part.type === `AWS::${type}`);
  const its = {
    /** Empty if no stack is deployed. */
    outputs: {} as Record<string, string>,
    status: 'UPDATE_COMPLETE',
    parts: [] as { logicalId: string; id: string; type: string; properties: Record<string, unknown> }[],
    tables: new Map() as Tables,
    secrets: {} as Secrets,
    alarms: [] as { AlarmName: string; AlarmActions: string[] }[],
    subscriptions: ['arn:aws:sns:topic:1'],
    /** Reserved concurrency by function. */
    concurrency: new Map<string, number>(),
    /** States of schedules and event source mappings. */
    states: new Map<string, string>(),
    copyJobs: [] as object[],
    backup: { isMember: true, isOn: true, isAdvanced: true },
    /** Requests that are refused next because of their rate. */
    throttled: 0,
    /** Its logical id. */
    gateway: 'ApiHttp',
    /** ARNs of the functions that the gateway calls. */
    serving: [] as string[],
    /** Creates the restored table. */
    restore: async (_table: string) => {},

    deploy(settings: object, outputs: Readonly<Record<string, string>> = {}): void {
      const [stack] = stacksOf(settings).values();
      if (stack === undefined) throw new Error('there is no stack');
      its.parts = [...resolveTemplate(stack.template, {}, region)].map(([logicalId, each]) => ({
        ...{ ...each, logicalId },
        id: String(each.properties.AlarmName ?? `${prefixOf(each.type)}canvass-test-${logicalId}-1A2B`),
      }));
      for (const [name, output] of Object.entries(stack.template.Outputs ?? {})) {
        const value: unknown = Reflect.get(Object(output), 'Value');
        if (typeof value === 'string') its.outputs[name] = value;
      }
      const PurgeStateMachineArn = `arn:aws:states:${place}:stateMachine:canvass-test-purge`;
      Object.assign(its.outputs, outputs, { PurgeStateMachineArn });
      const topic = its.idOf('SNS::Topic', 'Observability');
      its.alarms = ofType('CloudWatch::Alarm').map(({ id, properties }) => ({
        ...{ ...properties, AlarmName: id, StateValue: 'OK', ActionsEnabled: true, AlarmActions: [topic] },
      }));
      for (const { properties } of ofType('ApiGatewayV2::Integration')) {
        const [, called = '', alias] = /<(\w+?)(Alias\w+)?[.>]/.exec(String(properties.IntegrationUri)) ?? [];
        const arn = `arn:aws:lambda:${place}:function:canvass-test-${called}-1A2B`;
        its.serving.push(alias === undefined ? arn : `${arn}:live`);
      }
      for (const { id, properties } of ofType('Lambda::Function'))
        if (properties.ReservedConcurrentExecutions !== undefined)
          its.concurrency.set(id, Number(properties.ReservedConcurrentExecutions));
    },

    idOf(type: string, part = ''): string {
      const found = ofType(type).find(({ logicalId }) => logicalId.includes(part));
      if (found === undefined) throw new Error(`there is no ${type} ${part}`);
      return found.id;
    },

    /** Replies of CloudFormation. */
    describe(action: string): string {
      const members = its.parts.map(
        ({ logicalId, type, id }) =>
          `<member><LogicalResourceId>${logicalId}</LogicalResourceId><PhysicalResourceId>${id}</PhysicalResourceId><ResourceType>${type}</ResourceType><ResourceStatus>UPDATE_COMPLETE</ResourceStatus></member>`,
      );
      const Resources = Object.fromEntries(
        its.parts.map(({ logicalId, type: Type, properties: Properties }) => [
          logicalId,
          { Type, Properties },
        ]),
      );
      const result =
        action === 'GetTemplate'
          ? `<TemplateBody>${escaped(JSON.stringify({ Resources }))}</TemplateBody>`
          : `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
      return `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`;
    },

    /** Fields of a table that the embedded DynamoDB does not keep. */
    see(table: string): object {
      const { key, own } = its.tables.get(table) ?? {};
      const Replicas = second?.tables.has(table) ? [{ RegionName: SECOND_REGION }] : [];
      return { Replicas, SSEDescription: { KMSMasterKeyArn: key }, ...own };
    },

    /** Undefined if another stand-in answers. */
    async ask(scope: string, operation: string, url: string, body: string) {
      const input = body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
      const { pathname, searchParams } = new URL(url, 'http://aws');
      const path = pathname.split('/').map(decodeURIComponent);
      const at = path.findIndex((each) => each in CALLS);
      const id = path[at + 1] ?? '';
      const call = operation || CALLS[path[at] ?? ''] || input.Action;
      const { TableName, SecretId, FunctionName, ReplicaUpdates: [{ Create = undefined } = {}] = [] } = input;
      const service = scope === 'monitoring' ? 'cloudwatch' : scope;
      const arn = (rest: string) => `arn:aws:${service}:${place}:${rest}`;
      const ofTable = arn(`table/${TableName}`);
      const ofSecret = arn(`secret:${SecretId}-AbCdEf`);
      const ofFunction = arn(`function:${FunctionName ?? id}`);
      const ofStack = arn('stack/canvass-test/1');
      const table = its.tables.get(TableName) ?? {};
      const secret = its.secrets[SecretId];
      const stateOf = (what: string): Reply => [
        arn(`${what}${id}`),
        { State: its.states.get(id) ?? 'ENABLED' },
      ];
      const replies: Readonly<Record<string, () => Reply | Promise<Reply>>> = {
        DescribeAlarms: () => {
          const known = its.alarms.filter(({ AlarmName }) => input.AlarmNames?.includes(AlarmName));
          return [arn('alarm:*'), { MetricAlarms: known.slice(0, input.MaxRecords ?? 50) }];
        },
        ListSubscriptionsByTopic: () => [
          input.TopicArn,
          `<${call}Response>${its.subscriptions.map((each) => `<SubscriptionArn>${each}</SubscriptionArn>`)}</${call}Response>`,
        ],
        ListStackResources: () => [
          ofStack,
          { StackResourceSummaries: [{ ...API, LogicalResourceId: its.gateway }] },
        ],
        DescribeStacks: () => {
          const Outputs = Object.entries(its.outputs).map(([OutputKey, OutputValue]) => ({
            ...{ OutputKey, OutputValue },
          }));
          return [ofStack, { Stacks: [{ Outputs }] }];
        },
        GetIntegrations: () => [
          `arn:aws:apigateway:${region}::/apis/${input.ApiId}/integrations`,
          { Items: its.serving.map((IntegrationUri) => ({ IntegrationUri })) },
        ],
        GetFunctionConcurrency: () => {
          const reply = { ReservedConcurrentExecutions: its.concurrency.get(id) };
          return its.parts.some((part) => part.id === id) ? [ofFunction, reply] : [ofFunction];
        },
        PutFunctionConcurrency: () => [
          ofFunction,
          its.concurrency.set(FunctionName, Number(input.ReservedConcurrentExecutions)),
        ],
        DeleteFunctionConcurrency: () => [ofFunction, { isDone: its.concurrency.delete(FunctionName) }],
        GetEventSourceMapping: () => stateOf('event-source-mapping:'),
        GetSchedule: () => stateOf('schedule/default/'),
        DescribeGlobalSettings: () => {
          const GlobalSettings = { isCrossAccountBackupEnabled: String(its.backup.isOn) };
          return its.backup.isMember ? ['*', { GlobalSettings }] : ['*'];
        },
        DescribeRegionSettings: () => {
          const ResourceTypeManagementPreference = { DynamoDB: its.backup.isAdvanced };
          return ['*', { ResourceTypeOptInPreference: { DynamoDB: true }, ResourceTypeManagementPreference }];
        },
        ListCopyJobs: () => ['*', { CopyJobs: searchParams.has('resourceArn') ? its.copyJobs : [] }],
        StartRestoreJob: async () => {
          const { targetTableName, kmsMasterKeyArn: key } = input.Metadata;
          its.tables.set(targetTableName, { key });
          await its.restore(targetTableName);
          const pass = { action: 'iam:PassRole', resource: input.IamRoleArn };
          return [input.RecoveryPointArn, {}, [pass]];
        },
        RestoreTableToPointInTime: async () => {
          const [source, target] = [input.SourceTableName, input.TargetTableName];
          if (its.tables.has(target)) return [arn(`table/${source}`)];
          its.tables.set(target, { key: its.tables.get(source)?.key });
          await its.restore(target);
          const resource = arn(`table/${target}`);
          const also = [call, ...FILLING].map((each) => ({ action: `dynamodb:${each}`, resource }));
          return [arn(`table/${source}`), {}, also];
        },
        DescribeContinuousBackups: () => {
          const PointInTimeRecoveryStatus = table.isRecoverable ? 'ENABLED' : 'DISABLED';
          const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus };
          return [ofTable, { ContinuousBackupsDescription: { PointInTimeRecoveryDescription } }];
        },
        UpdateContinuousBackups: () => [
          ofTable,
          its.tables.set(TableName, { ...table, isRecoverable: true }),
        ],
        DescribeSecret: () => [ofSecret, { ARN: ofSecret, ...secret }],
        ReplicateSecretToRegions: () => {
          const [{ KmsKeyId = undefined } = {}] = input.AddReplicaRegions;
          if (second !== undefined) second.secrets[SecretId] = { PrimaryRegion: region, KmsKeyId };
          its.secrets[SecretId] = { ...secret, ReplicationStatus: input.AddReplicaRegions };
          return [ofSecret, {}];
        },
        StopReplicationToReplica: () => {
          its.secrets[SecretId] = { ...secret, PrimaryRegion: undefined };
          return [ofSecret, {}];
        },
        UpdateTable: () => {
          if (Create === undefined) {
            its.tables.set(TableName, { ...table, own: { ...table.own, DeletionProtectionEnabled: true } });
            return [ofTable, {}];
          }
          const TableArn = ofTable.replace(region, Create.RegionName);
          const own = { TableArn, LatestStreamArn: `${TableArn}/stream/1`, DeletionProtectionEnabled: false };
          second?.tables.set(TableName, { key: Create.KMSMasterKeyId, own });
          return [ofTable, {}];
        },
      };
      // The embedded DynamoDB has the tables of the first region.
      if (call === 'UpdateTable' && Create === undefined && second !== undefined) return undefined;
      if (scope === 'cloudformation' && operation === '') return undefined;
      const reply = await replies[call]?.();
      if (reply === undefined) return undefined;
      const [resource, answered, also = []] = reply;
      const action = scope === 'apigatewayv2' ? 'apigateway:GET' : `${service}:${call}`;
      const needed = [{ action, resource }, ...also];
      const isThrottled = scope === 'lambda' && its.throttled-- > 0;
      if (isThrottled) return { needed, status: 429, text: '{}' };
      const text = typeof answered === 'string' ? answered : JSON.stringify(answered ?? {});
      return { needed, status: answered === undefined ? 404 : 200, text };
    },
  };
  return its;
}

/** Serves a stage and an empty second region. Calls are allowed by `policies`, or all if there are none. */
export async function openStage({ table }: TestService, settings: { readonly kmsKeyArn?: string }) {
  const second = createRegion(SECOND_REGION);
  const account = createRegion(REGION, second);
  account.deploy(settings, {
    ...stackOutputs(table),
    BackupRoleArn: `arn:aws:iam::${ACCOUNT}:role/canvass-test-backup`,
  });
  for (const name of [table.tableName, table.erasureLogTableName]) {
    account.tables.set(name, { isRecoverable: true, key: settings.kmsKeyArn });
    const isOn = { DeletionProtectionEnabled: true };
    await table.client.send(new UpdateTableCommand({ TableName: name, ...isOn }));
  }
  account.secrets['hash-secret'] = { KmsKeyId: settings.kmsKeyArn };
  const denied: NeededPermission[] = [];
  const open = { account, second, denied, policies: undefined as readonly Policy[] | undefined };
  const aws = await startAws({
    ...{ stack: 'canvass-test', dynamodb: table.endpoint, outputs: {}, secrets: stackSecrets() },
    regions: { [REGION]: account, [SECOND_REGION]: second },
    allows(permission) {
      const isFine = open.policies === undefined || isAllowed(open.policies, permission);
      if (!isFine) denied.push(permission);
      return isFine;
    },
  });
  stubAws(aws.url);
  return Object.assign(open, { aws });
}
