/** The permissions of the command line, of the alarms' instructions and of the runbook (docs/operations.md). */

import type { DeploymentSettings } from '../../../lib/settings/settings.ts';
import {
  MINT_KEY_OUTPUT,
  WEBHOOKS_OUTPUT,
  type WebhookOutput,
} from '../../../shared/settings/stack-outputs.ts';
import { allow, type Statement, verbs } from './statement.ts';

/** The region of the edge's stack. */
const EDGE_REGION = 'us-east-1';

/**
 * CloudFormation keeps 24 characters of the stack's name when the full name would exceed the 64 of a function name
 * (aws-cloudformation/cloudformation-cli-java-plugin, IdentifierUtils).
 */
const MOST_OF_STACK = 24;

const generatedNames = (stack: string): string =>
  stack.length > MOST_OF_STACK ? `${stack.slice(0, MOST_OF_STACK)}*` : `${stack}-*`;

const secretArn = (arn: (service: string, rest: string) => string, nameOrArn: string): string =>
  nameOrArn.startsWith('arn:') ? `${nameOrArn}*` : arn('secretsmanager', `secret:${nameOrArn}-??????`);

interface Operated {
  readonly stack: string;
  readonly settings: DeploymentSettings;
  /** @throws AdminError when the stack has no such output */
  readonly output: (name: string) => string;
  readonly optional: (name: string) => string | undefined;
  /** Names or ARNs of your own secrets for `project ensure`. */
  readonly mintKeySecrets?: readonly string[];
}

export function lookingStatements(operated: Operated): readonly Statement[] {
  const { stack, settings, output } = operated;
  const { arn } = placeOf(output('PurgeStateMachineArn'));
  const table = arn('dynamodb', `table/${output('TableName')}`);
  return [
    allow('FindTheStage', ['cloudformation:DescribeStacks'], [arn('cloudformation', `stack/${stack}/*`)]),
    allow('ProjectsKeysSurveysAnswers', verbs('dynamodb', 'Query BatchGetItem'), [table]),
    allow('WalkAnswers', ['dynamodb:Query'], [`${table}/index/by_project`, `${table}/index/by_contact`]),
    hashStatement(output),
    ...queuesOf(operated, 'SeeWebhooksNotTaken', ['sqs:GetQueueAttributes']),
    ...keysStatement(settings, 'Decrypt DescribeKey'),
  ];
}

/** DynamoDB and Secrets Manager use a key on behalf of the caller. */
function keysStatement({ kmsKeyArn, existing }: DeploymentSettings, actions: string): readonly Statement[] {
  const keys = [kmsKeyArn, ...(existing?.kmsKeyArns ?? [])].filter((key) => key !== undefined);
  return keys.length === 0 ? [] : [allow('Keys', verbs('kms', actions), [...new Set(keys)])];
}

const hashStatement = (output: Operated['output']): Statement =>
  allow(
    'HashRespondents',
    ['secretsmanager:GetSecretValue'],
    [
      placeOf(output('PurgeStateMachineArn')).arn(
        'secretsmanager',
        `secret:${output('HashSecretName')}-??????`,
      ),
    ],
  );

function placeOf(anArn: string) {
  const [, partition, , region, account] = anArn.split(':');
  return {
    arn: (service: string, rest: string, where = region) =>
      `arn:${partition}:${service}:${where}:${account}:${rest}`,
  };
}

const webhooksOf = ({ optional }: Operated): readonly WebhookOutput[] =>
  JSON.parse(optional(WEBHOOKS_OUTPUT) ?? '[]');

/** The dead-letter queues of webhooks. */
function queuesOf(operated: Operated, sid: string, actions: readonly string[]): readonly Statement[] {
  const { arn } = placeOf(operated.output('PurgeStateMachineArn'));
  const queues = webhooksOf(operated).map(({ queueUrl }) =>
    arn('sqs', new URL(queueUrl).pathname.split('/').at(-1) ?? ''),
  );
  return queues.length === 0 ? [] : [allow(sid, actions, queues)];
}

function webhookStatements(operated: Operated): readonly Statement[] {
  const webhooks = webhooksOf(operated);
  if (webhooks.length === 0) return [];
  const { arn } = placeOf(operated.output('PurgeStateMachineArn'));
  const secrets = webhooks.map(({ secretName }) => secretArn(arn, secretName));
  return [
    ...queuesOf(
      operated,
      'WebhooksNotTaken',
      verbs('sqs', 'GetQueueAttributes ReceiveMessage DeleteMessage'),
    ),
    allow('WebhookSecrets', ['secretsmanager:GetSecretValue'], [...new Set(secrets)]),
  ];
}

function mintKeyStatements({ optional, output, mintKeySecrets = [] }: Operated): readonly Statement[] {
  const { arn } = placeOf(output('PurgeStateMachineArn'));
  const own = optional(MINT_KEY_OUTPUT);
  const secrets = [...(own === undefined ? [] : [own]), ...mintKeySecrets];
  if (secrets.length === 0) return [];
  return [
    allow('PutMintKeys', verbs('secretsmanager', 'GetSecretValue PutSecretValue'), [
      ...new Set(secrets.map((secret) => secretArn(arn, secret))),
    ]),
  ];
}

function followStatements({ stack, settings, output }: Operated): readonly Statement[] {
  const machine = output('PurgeStateMachineArn');
  const { arn } = placeOf(machine);
  const { name, stage } = settings;
  const names = generatedNames(stack);
  const requestLogs = `log-group:/aws/vendedlogs/${name}/${stage}/*`;
  return [
    allow('FollowLogs', verbs('logs', 'FilterLogEvents StartQuery GetQueryResults'), [
      arn('logs', `log-group:/${name}/${stage}/*`),
      arn('logs', requestLogs),
    ]),
    ...(settings.edge === undefined
      ? []
      : [allow('FollowEdgeLog', ['logs:FilterLogEvents'], [arn('logs', requestLogs, EDGE_REGION)])]),
    allow(
      'SeeCountingAndLimits',
      verbs('lambda', 'ListEventSourceMappings GetAccountSettings ListFunctions'),
      ['*'],
    ),
    // These actions support no resource-level permissions (Service Authorization Reference).
    allow('SeeAlarms', verbs('cloudwatch', 'DescribeAlarms DescribeAlarmHistory'), [
      arn('cloudwatch', 'alarm:*'),
      ...(settings.edge === undefined ? [] : [arn('cloudwatch', 'alarm:*', EDGE_REGION)]),
    ]),
    allow('SeeMetrics', verbs('cloudwatch', 'GetMetricData ListMetrics'), ['*']),
    allow('SeeLogGroups', ['logs:DescribeLogGroups'], ['*']),
    allow('SeeNames', ['cloudformation:ListStackResources'], [arn('cloudformation', `stack/${stack}/*`)]),
    allow('SeeConcurrency', ['lambda:GetFunctionConcurrency'], [arn('lambda', `function:${names}`)]),
    allow('SeeWhatFailed', verbs('sqs', 'ReceiveMessage GetQueueAttributes'), [arn('sqs', names)]),
    allow('SeeWhoIsTold', ['sns:ListSubscriptionsByTopic'], [arn('sns', names)]),
    allow('SeePurges', ['states:ListExecutions'], [machine]),
    allow(
      'SeeOnePurge',
      ['states:GetExecutionHistory'],
      [`${machine.replace(':stateMachine:', ':execution:')}:*`],
    ),
    ...(settings.probe === undefined
      ? []
      : [allow('SeeTheProbe', ['events:DescribeRule'], [arn('events', `rule/${name}-${stage}-probe`)])]),
    allow('SeeSchedules', ['scheduler:ListSchedules'], ['*']),
    allow('SeeOneSchedule', ['scheduler:GetSchedule'], [arn('scheduler', `schedule/default/${names}`)]),
    ...(settings.deployment === 'canary'
      ? [
          allow('SeeDeployments', verbs('codedeploy', 'ListDeployments GetDeployment'), [
            arn('codedeploy', 'deploymentgroup:*'),
          ]),
        ]
      : []),
  ];
}

/** Includes reading every answer in the table: import and erasure need it. */
export function operateStatements(operated: Operated): readonly Statement[] {
  const { stack, settings, output } = operated;
  const { arn } = placeOf(output('PurgeStateMachineArn'));
  const table = arn('dynamodb', `table/${output('TableName')}`);
  return [
    allow('FindTheStage', ['cloudformation:DescribeStacks'], [arn('cloudformation', `stack/${stack}/*`)]),
    allow(
      'ProjectsKeysSurveysAnswers',
      verbs(
        'dynamodb',
        'Query GetItem BatchGetItem PutItem UpdateItem DeleteItem BatchWriteItem ConditionCheckItem DescribeTimeToLive UpdateTimeToLive',
      ),
      [table],
    ),
    allow('WalkAnswers', ['dynamodb:Query'], [`${table}/index/by_project`, `${table}/index/by_contact`]),
    allow('LogOfErasures', verbs('dynamodb', 'Query PutItem'), [
      arn('dynamodb', `table/${output('ErasureLogTableName')}`),
    ]),
    hashStatement(output),
    allow('RotateTheRing', verbs('secretsmanager', 'GetSecretValue PutSecretValue'), [
      arn('secretsmanager', `secret:${output('TokenRingName')}-??????`),
    ]),
    allow('RetryPurges', ['states:StartExecution'], [output('PurgeStateMachineArn')]),
    ...mintKeyStatements(operated),
    ...webhookStatements(operated),
    ...followStatements(operated),
    ...(settings.backup === undefined
      ? []
      : [
          allow(
            'CheckBackups',
            verbs('backup', 'DescribeGlobalSettings DescribeRegionSettings ListCopyJobs'),
            ['*'],
          ),
        ]),
    ...keysStatement(settings, 'Decrypt Encrypt GenerateDataKey DescribeKey'),
  ];
}
