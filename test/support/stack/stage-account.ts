/** Fakes what `doctor` reads of a deployed stage, with the resources of its template. */

import type { NeededPermission } from './aws-stand-in.ts';
import { resolveTemplate } from './resolved-template.ts';
import { stacksOf } from './synthesised-stack.ts';

interface Asked {
  readonly permission: NeededPermission;
  readonly status: number;
  readonly text: string;
}

export type StageAccount = ReturnType<typeof createStageAccount>;

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:canvass-test-Alarms-1A2B';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export function createStageAccount(settings: object, tables: readonly string[]) {
  const template = [...stacksOf(settings).values()][0]?.template;
  if (template === undefined) throw new Error('there is no template');
  const resolved = [...resolveTemplate(template)];
  const parts = resolved.map(([logicalId, { type, properties }]) => ({
    ...{ logicalId, type, properties },
    id: String(type.endsWith('::Alarm') ? properties.AlarmName : `canvass-test-${logicalId}-1A2B`),
  }));
  const ofType = (type: string) => parts.filter((part) => part.type === type);
  const uris = ofType('AWS::ApiGatewayV2::Integration').map(({ properties }) => properties.IntegrationUri);
  const served = new Set(uris.map((uri) => String(uri).match(/<(\w+?)(?:Alias\w+)?[.>]/)?.[1]));
  const concurrency = new Map<string, number>();
  for (const { id, properties } of ofType('AWS::Lambda::Function'))
    if (properties.ReservedConcurrentExecutions !== undefined)
      concurrency.set(id, properties.ReservedConcurrentExecutions);
  const answer = (action: string, resource: string, reply: object | undefined): Asked => ({
    permission: { action, resource },
    status: reply === undefined ? 404 : 200,
    text: JSON.stringify(reply ?? {}),
  });
  const account = {
    status: 'UPDATE_COMPLETE',
    /** Tables with point-in-time recovery. A replica is named `<table> <region>`. */
    recoverable: new Set(tables),
    replicas: new Map<string, object>(),
    /** A table's key. */
    keys: new Map<string, string>(),
    /** Fields of DescribeSecret by name. */
    secrets: {} as Record<string, object | undefined>,
    alarms: ofType('AWS::CloudWatch::Alarm').map(({ properties }) => ({
      ...{ ...properties, AlarmName: String(properties.AlarmName), StateValue: 'OK' },
      ...{ ActionsEnabled: true, AlarmActions: [TOPIC] },
    })),
    subscriptions: [`${TOPIC}:1`],
    /** Reserved concurrency by function. */
    concurrency,
    /** States of schedules and event source mappings. */
    states: new Map<string, string>(),
    copyJobs: [] as object[],
    /** Requests that are refused next because of their rate. */
    throttled: 0,
    /** Ids of the functions that the gateway calls. */
    serving: ofType('AWS::Lambda::Function').flatMap(({ logicalId, id }) =>
      served.has(logicalId) ? id : [],
    ),
    idOf(type: string, part = ''): string {
      const found = ofType(type).find(({ logicalId }) => logicalId.includes(part));
      if (found === undefined) throw new Error(`there is no ${type} ${part}`);
      return found.id;
    },
    /** A reply of CloudFormation. */
    describe(action: string): string {
      const body =
        action === 'GetTemplate'
          ? `<TemplateBody>${escaped(JSON.stringify(template))}</TemplateBody>`
          : `<StackResourceSummaries>${parts
              .map(
                ({ logicalId, type, id }) =>
                  `<member><LogicalResourceId>${logicalId}</LogicalResourceId><PhysicalResourceId>${id}</PhysicalResourceId><ResourceType>${type}</ResourceType><ResourceStatus>UPDATE_COMPLETE</ResourceStatus></member>`,
              )
              .join('')}</StackResourceSummaries>`;
      return `<${action}Response><${action}Result>${body}</${action}Result></${action}Response>`;
    },
    /** Fields of a table that the embedded DynamoDB does not keep. */
    see(table: string, region: string): object {
      const replicas = [...account.replicas].filter(([key]) => key.startsWith(`${table} `));
      const Replicas = replicas.map(([key]) => ({ RegionName: key.split(' ')[1] }));
      const SSEDescription = { KMSMasterKeyArn: account.keys.get(table) };
      return { Replicas, SSEDescription, ...account.replicas.get(`${table} ${region}`) };
    },
    /** Undefined if another stand-in answers. */
    ask(scope: string, operation: string, url: string, body: string, place: string): Asked | undefined {
      const input = body.startsWith('{') ? JSON.parse(body) : {};
      const { pathname, searchParams } = new URL(url, 'http://aws');
      const name = decodeURIComponent(pathname.split('/')[3] ?? '');
      const arn = (rest: string) => `arn:aws:${scope}:${place}:${rest}`;
      const isThere = (id: string) => parts.some((part) => part.id === id);
      const table: string = input.TableName;
      const isHome = place.startsWith('eu-west-1');
      const kept = isHome ? table : `${table} ${place.split(':')[0]}`;
      if (operation.endsWith('ContinuousBackups')) {
        if (operation.startsWith('Update')) account.recoverable.add(kept);
        const PointInTimeRecoveryStatus = account.recoverable.has(kept) ? 'ENABLED' : 'DISABLED';
        const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus };
        return answer(`dynamodb:${operation}`, arn(`table/${table}`), {
          ContinuousBackupsDescription: { PointInTimeRecoveryDescription },
        });
      }
      const [{ Create = undefined } = {}] = input.ReplicaUpdates ?? [];
      if (operation === 'UpdateTable' && (Create !== undefined || !isHome)) {
        const key = isHome ? `${table} ${Create.RegionName}` : kept;
        const made = `arn:aws:dynamodb:${key.split(' ')[1]}:123456789012:table/${table}`;
        const fields = { TableArn: made, LatestStreamArn: `${made}/stream/1`, ...Create };
        const DeletionProtectionEnabled = input.DeletionProtectionEnabled === true;
        account.replicas.set(key, { ...account.replicas.get(key), ...fields, DeletionProtectionEnabled });
        return answer(`dynamodb:${operation}`, arn(`table/${table}`), {});
      }
      if (operation === 'ReplicateSecretToRegions') {
        const known = account.secrets[input.SecretId];
        account.secrets[input.SecretId] = { ...known, ReplicationStatus: input.AddReplicaRegions };
      }
      if (operation === 'DescribeSecret' || operation === 'ReplicateSecretToRegions') {
        const ARN = arn(`secret:${input.SecretId}-AbCdEf`);
        return answer(`secretsmanager:${operation}`, ARN, { ARN, ...account.secrets[input.SecretId] });
      }
      if (scope === 'sns') {
        const topic = new URLSearchParams(body).get('TopicArn') ?? '';
        const members = account.subscriptions.map((each) => `<SubscriptionArn>${each}</SubscriptionArn>`);
        const text = `<ListSubscriptionsByTopicResponse>${members.join('')}</ListSubscriptionsByTopicResponse>`;
        return { ...answer('sns:ListSubscriptionsByTopic', topic, {}), text };
      }
      const schedule = pathname.split('/')[2] ?? '';
      const on = { DynamoDB: true };
      const ReservedConcurrentExecutions = account.concurrency.get(name);
      const replies: Readonly<Record<string, readonly [string, string, object | undefined]>> = {
        monitoring: [
          'cloudwatch:DescribeAlarms',
          `arn:aws:cloudwatch:${place}:alarm:*`,
          {
            MetricAlarms: account.alarms
              .filter(({ AlarmName }) => input.AlarmNames?.includes(AlarmName))
              .slice(0, input.MaxRecords ?? 50),
          },
        ],
        functions: [
          'lambda:GetFunctionConcurrency',
          arn(`function:${name}`),
          isThere(name) ? { ReservedConcurrentExecutions } : undefined,
        ],
        'event-source-mappings': [
          'lambda:GetEventSourceMapping',
          arn(`event-source-mapping:${name}`),
          { State: account.states.get(name) ?? 'Enabled' },
        ],
        scheduler: [
          'scheduler:GetSchedule',
          arn(`schedule/default/${schedule}`),
          { State: account.states.get(schedule) ?? 'ENABLED' },
        ],
        'global-settings': [
          'backup:DescribeGlobalSettings',
          '*',
          { GlobalSettings: { isCrossAccountBackupEnabled: 'true' } },
        ],
        'account-settings': [
          'backup:DescribeRegionSettings',
          '*',
          { ResourceTypeOptInPreference: on, ResourceTypeManagementPreference: on },
        ],
        'copy-jobs': [
          'backup:ListCopyJobs',
          '*',
          { CopyJobs: searchParams.has('resourceArn') ? account.copyJobs : [] },
        ],
      };
      const part = { lambda: schedule, backup: pathname.split('/')[1] ?? '' }[scope] ?? scope;
      const reply = replies[part];
      if (scope === 'lambda' && account.throttled > 0) {
        account.throttled -= 1;
        return { ...answer(reply?.[0] ?? '', reply?.[1] ?? '', {}), status: 429 };
      }
      return reply && answer(...reply);
    },
  };
  return account;
}
