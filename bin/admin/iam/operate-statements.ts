/** The permissions that the command line and the runbook need (docs/operations.md). */

import { BACKUP_TAG, type DeploymentSettings, metricsNamespace } from '../../../lib/settings/settings.ts';
import {
  MINT_KEY_OUTPUT,
  WEBHOOKS_OUTPUT,
  type WebhookOutput,
} from '../../../shared/settings/stack-outputs.ts';

const EDGE_REGION = 'us-east-1';

/**
 * CloudFormation keeps 24 characters of the stack's name when a function's name would exceed 64
 * (aws-cloudformation/cloudformation-cli-java-plugin, IdentifierUtils).
 */
const MOST_OF_STACK = 24;

const MOST_OF_TABLE = 255 - '-restored-20261120T093000Z'.length;

const generatedNames = (stack: string): string =>
  stack.length > MOST_OF_STACK ? `${stack.slice(0, MOST_OF_STACK)}*` : `${stack}-*`;

export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** @param actions actions of one service, such as `s3:GetObject PutObject` */
function allow(Sid: string, actions: string, Resource: readonly string[]): Statement {
  const [service, names = ''] = actions.split(':');
  return { Sid, Effect: 'Allow', Action: names.split(' ').map((name) => `${service}:${name}`), Resource };
}

interface Operated {
  readonly stack: string;
  readonly settings: DeploymentSettings;
  readonly output: (name: string) => string;
  readonly optional: (name: string) => string | undefined;
  readonly mintKeySecrets?: readonly string[];
  /** A second region, and the stage's own key there. */
  readonly replica?: { readonly region: string; readonly keyArn?: string | undefined } | undefined;
}

function placeOf({ output, optional }: Operated) {
  const [, partition, , region, account] = output('PurgeStateMachineArn').split(':');
  const arn = (service: string, rest: string, where = region) =>
    `arn:${partition}:${service}:${where}:${account}:${rest}`;
  const webhooks: readonly WebhookOutput[] = JSON.parse(optional(WEBHOOKS_OUTPUT) ?? '[]');
  const queues = webhooks.map(({ queueUrl }) =>
    arn('sqs', new URL(queueUrl).pathname.split('/').at(-1) ?? ''),
  );
  const secret = (name: string) =>
    name.startsWith('arn:') ? `${name}*` : arn('secretsmanager', `secret:${name}-??????`);
  // docs/restore.sh names restored tables, with at most 255 characters.
  const original = output('TableName').replace(/-restored-\d{8}T\d{6}Z$/, '');
  const restored = arn('dynamodb', `table/${original.slice(0, MOST_OF_TABLE)}-restored-*`);
  return {
    ...{ arn, region, webhooks, queues, secret, restored },
    secrets: [output('HashSecretName'), output('TokenRingName')].map(secret),
    table: arn('dynamodb', `table/${output('TableName')}`),
    erasureLog: arn('dynamodb', `table/${output('ErasureLogTableName')}`),
  };
}

const needed = (statements: readonly Statement[]): readonly Statement[] =>
  statements.filter(({ Resource }) => Resource.length > 0);

const distinct = (names: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(names.filter((name) => name !== undefined)),
];

const USES_OF_KEYS = 'kms:Decrypt Encrypt ReEncryptFrom ReEncryptTo GenerateDataKey DescribeKey';
/** Without it, a grant could let anybody use the key (AWS KMS, `kms:GrantIsForAWSResource`). */
const FOR_SERVICES = { Bool: { 'kms:GrantIsForAWSResource': 'true' } };

/** DynamoDB and Secrets Manager use keys on behalf of the caller. */
const keysOf = ({ settings: { kmsKeyArn, existing }, replica }: Operated): readonly string[] =>
  distinct([kmsKeyArn, ...(existing?.kmsKeyArns ?? []), replica?.keyArn]);

/** Stacks, tables, secrets and logs have the same names in both regions. */
function inBothRegions(operated: Operated, statements: readonly Statement[]): readonly Statement[] {
  const { region } = placeOf(operated);
  const second = operated.replica?.region;
  if (second === undefined) return needed(statements);
  const both = (resource: string) => [resource, resource.replace(`:${region}:`, `:${second}:`)];
  return needed(statements).map((each) => ({ ...each, Resource: distinct(each.Resource.flatMap(both)) }));
}

export function lookingStatements(operated: Operated): readonly Statement[] {
  const { stack, output } = operated;
  const { arn, table, secret, queues } = placeOf(operated);
  return needed([
    allow('FindTheStage', 'cloudformation:DescribeStacks', [arn('cloudformation', `stack/${stack}/*`)]),
    allow('ProjectsKeysSurveysAnswers', 'dynamodb:Query BatchGetItem', [table]),
    allow('WalkAnswers', 'dynamodb:Query', [`${table}/index/by_project`, `${table}/index/by_contact`]),
    allow('HashRespondents', 'secretsmanager:GetSecretValue', [secret(output('HashSecretName'))]),
    allow('SeeWebhooksNotTaken', 'sqs:GetQueueAttributes', queues),
    allow('Keys', 'kms:Decrypt DescribeKey', keysOf(operated)),
  ]);
}

function followStatements(operated: Operated): readonly Statement[] {
  const { stack, settings, output } = operated;
  const { name, stage, edge, probe, deployment } = settings;
  const { arn } = placeOf(operated);
  const machine = output('PurgeStateMachineArn');
  const executions = `${machine.replace(':stateMachine:', ':execution:')}:*`;
  const names = generatedNames(stack);
  const requestLogs = `log-group:/aws/vendedlogs/${name}/${stage}/*`;
  const ofEdge = (service: string, rest: string) =>
    edge === undefined ? [] : [arn(service, rest, EDGE_REGION)];
  const alarms = [arn('cloudwatch', 'alarm:*')];
  // Actions on `*` support no resource-level permissions (Service Authorization Reference).
  return [
    allow('FollowLogs', 'logs:FilterLogEvents StartQuery GetQueryResults', [
      arn('logs', `log-group:/${name}/${stage}/*`),
      arn('logs', requestLogs),
    ]),
    allow('FollowEdgeLog', 'logs:FilterLogEvents', ofEdge('logs', requestLogs)),
    allow('SeeCountingAndLimits', 'lambda:ListEventSourceMappings GetAccountSettings ListFunctions', ['*']),
    allow('SeeAlarms', 'cloudwatch:DescribeAlarms', [...alarms, ...ofEdge('cloudwatch', 'alarm:*')]),
    allow('SeeAlarmHistory', 'cloudwatch:DescribeAlarmHistory', alarms),
    allow('SeeMetrics', 'cloudwatch:GetMetricData ListMetrics', ['*']),
    allow('SeeLogGroups', 'logs:DescribeLogGroups', ['*']),
    allow('SeeNames', 'cloudformation:ListStackResources GetTemplate', [
      arn('cloudformation', `stack/${stack}/*`),
    ]),
    allow('SeeConcurrency', 'lambda:GetFunctionConcurrency', [arn('lambda', `function:${names}`)]),
    allow('SeeWhatFailed', 'sqs:ReceiveMessage GetQueueAttributes', [arn('sqs', names)]),
    allow('SeeWhoIsTold', 'sns:ListSubscriptionsByTopic', [arn('sns', names)]),
    allow('SeePurges', 'states:ListExecutions', [machine]),
    allow('SeeOnePurge', 'states:GetExecutionHistory', [executions]),
    allow(
      'SeeTheProbe',
      'events:DescribeRule',
      probe === undefined ? [] : [arn('events', `rule/${name}-${stage}-probe`)],
    ),
    allow('SeeSchedules', 'scheduler:ListSchedules', ['*']),
    allow('SeeOneSchedule', 'scheduler:GetSchedule', [arn('scheduler', `schedule/default/${names}`)]),
    allow(
      'SeeDeployments',
      'codedeploy:ListDeployments GetDeployment',
      deployment === 'canary' ? [arn('codedeploy', 'deploymentgroup:*')] : [],
    ),
  ];
}

/** For docs/restore.sh. A restore writes with the rights of its caller (DynamoDB, "Using IAM with backup and restore"). */
function restoreStatements(operated: Operated): readonly Statement[] {
  const { stack, settings, optional, replica } = operated;
  const { arn, table, restored, secrets } = placeOf(operated);
  // The vault's other backups may be of anything. Backups before this tag need an administrator.
  const ofStage = { StringEquals: { [`aws:ResourceTag/${BACKUP_TAG}`]: metricsNamespace(settings) } };
  const backupRoles = [optional('BackupRoleArn') ?? []].flat();
  const points = backupRoles.map(() => arn('backup', 'recovery-point:*'));
  return [
    allow('RestoreTheTable', 'dynamodb:RestoreTableToPointInTime', [table, restored]),
    allow('FillTheRestoredTable', 'dynamodb:UpdateTable UpdateContinuousBackups Scan', [restored]),
    allow('StopTraffic', 'lambda:PutFunctionConcurrency DeleteFunctionConcurrency', [
      arn('lambda', `function:${generatedNames(stack)}`),
    ]),
    allow('FindTraffic', 'apigateway:GET', [
      arn('apigateway', '/apis/*/integrations').replace(/:\d+:/, '::'),
    ]),
    { ...allow('RestoreBackups', 'backup:StartRestoreJob', points), Condition: ofStage },
    allow('PassBackupRole', 'iam:PassRole', backupRoles),
    allow('TakeOverTheRing', 'secretsmanager:StopReplicationToReplica', replica === undefined ? [] : secrets),
  ];
}

/** These permissions include reading all answers, for import and erasure. */
export function operateStatements(operated: Operated): readonly Statement[] {
  const { stack, settings, output, optional, mintKeySecrets = [] } = operated;
  const { arn, table, restored, erasureLog, secret, secrets, webhooks, queues } = placeOf(operated);
  const tables = [table, restored];
  const indexes = tables.flatMap((each) => [`${each}/index/by_project`, `${each}/index/by_contact`]);
  const backedUp = settings.backup === undefined ? [] : ['*'];
  const described = 'dynamodb:DescribeTable DescribeContinuousBackups DescribeTimeToLive';
  const mintKeys = [optional(MINT_KEY_OUTPUT), settings.probe?.mintKeySecret, ...mintKeySecrets];
  return inBothRegions(operated, [
    allow('FindTheStage', 'cloudformation:DescribeStacks', [arn('cloudformation', `stack/${stack}/*`)]),
    allow(
      'ProjectsKeysSurveysAnswers',
      'dynamodb:Query GetItem BatchGetItem PutItem UpdateItem DeleteItem BatchWriteItem ConditionCheckItem DescribeTimeToLive UpdateTimeToLive',
      tables,
    ),
    allow('WalkAnswers', 'dynamodb:Query', indexes),
    allow('LogOfErasures', 'dynamodb:Query PutItem', [erasureLog]),
    ...restoreStatements(operated),
    allow('CheckTables', described, [...tables, erasureLog]),
    allow('CheckSecrets', 'secretsmanager:DescribeSecret', secrets),
    allow('CheckMappings', 'lambda:GetEventSourceMapping', [arn('lambda', 'event-source-mapping:*')]),
    allow('HashRespondents', 'secretsmanager:GetSecretValue', [secret(output('HashSecretName'))]),
    allow('RotateTheRing', 'secretsmanager:GetSecretValue PutSecretValue', [secret(output('TokenRingName'))]),
    allow('RetryPurges', 'states:StartExecution', [output('PurgeStateMachineArn')]),
    allow('PutMintKeys', 'secretsmanager:GetSecretValue PutSecretValue', distinct(mintKeys).map(secret)),
    allow('WebhooksNotTaken', 'sqs:GetQueueAttributes ReceiveMessage DeleteMessage', queues),
    allow(
      'WebhookSecrets',
      'secretsmanager:GetSecretValue',
      distinct(webhooks.map(({ secretName }) => secretName)).map(secret),
    ),
    ...followStatements(operated),
    allow('CheckBackups', 'backup:DescribeGlobalSettings DescribeRegionSettings ListCopyJobs', backedUp),
    allow('SeeBackupJobs', 'backup:ListBackupJobs', backedUp),
    allow('Keys', USES_OF_KEYS, keysOf(operated)),
    { ...allow('GrantKeysToServices', 'kms:CreateGrant', keysOf(operated)), Condition: FOR_SERVICES },
  ]);
}

const EXAMINED = /^Check|^See(Names|Alarms|Concurrency|WhoIsTold|OneSchedule)$/;

/** These allow `doctor` and nothing else. */
export const doctorStatements = (operated: Operated): readonly Statement[] => [
  ...lookingStatements(operated).filter(({ Sid }) => /^(Find|Projects|Walk|Keys)/.test(Sid)),
  ...operateStatements(operated).filter(({ Sid }) => EXAMINED.test(Sid)),
];

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** The maximum number of characters in a policy, without white space (IAM, "IAM and AWS STS quotas"). */
const MOST_CHARACTERS = 6_144;

const policyOf = (Statement: readonly Statement[]): Policy => ({ Version: '2012-10-17', Statement });

export const charactersOf = (policy: Policy): number => JSON.stringify(policy).length;

/** Packs the statements, in their order, into few policies. @throws Error if a statement fits into none */
export function pack(statements: readonly Statement[]): readonly Policy[] {
  const packed: Statement[][] = [];
  for (const statement of statements) {
    const last = packed.at(-1);
    if (last !== undefined && charactersOf(policyOf([...last, statement])) <= MOST_CHARACTERS)
      last.push(statement);
    else packed.push([statement]);
  }
  const policies = packed.map(policyOf);
  const large = policies.find((policy) => charactersOf(policy) > MOST_CHARACTERS);
  if (large !== undefined) throw new Error(`${large.Statement[0]?.Sid} is larger than a managed policy`);
  return policies;
}
