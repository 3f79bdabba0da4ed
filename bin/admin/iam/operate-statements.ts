/** What the command line calls, on the resources of a deployed stage, which its outputs name. */

import type { DeploymentSettings } from '../../../lib/settings/settings.ts';
import { WEBHOOKS_OUTPUT, type WebhookOutput } from '../../../shared/settings/webhook-output.ts';
import { secretArn } from './feature-statements.ts';
import { allow, type Statement, verbs } from './statement.ts';

interface Operated {
  readonly stack: string;
  readonly settings: DeploymentSettings;
  /** Of the stack. @throws AdminError when it has none of this name */
  readonly output: (name: string) => string;
  readonly optional: (name: string) => string | undefined;
}

/** What support staff need who only look. */
export function lookingStatements({ stack, output }: Operated): readonly Statement[] {
  const { arn } = placeOf(output('PurgeStateMachineArn'));
  const table = arn('dynamodb', `table/${output('TableName')}`);
  return [
    allow('FindTheStage', ['cloudformation:DescribeStacks'], [arn('cloudformation', `stack/${stack}/*`)]),
    allow('ProjectsKeysSurveysAnswers', verbs('dynamodb', 'Query BatchGetItem'), [table]),
    allow('WalkAnswers', ['dynamodb:Query'], [`${table}/index/by_project`]),
    hashStatement(output),
  ];
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

/** Where a stage is, by the ARN of anything in it. */
function placeOf(anArn: string) {
  const [, partition, , region, account] = anArn.split(':');
  return {
    arn: (service: string, rest: string) => `arn:${partition}:${service}:${region}:${account}:${rest}`,
  };
}

function webhookStatements({ optional, output }: Operated): readonly Statement[] {
  const webhooks: readonly WebhookOutput[] = JSON.parse(optional(WEBHOOKS_OUTPUT) ?? '[]');
  if (webhooks.length === 0) return [];
  const { arn } = placeOf(output('PurgeStateMachineArn'));
  const queues = webhooks.map(({ queueUrl }) =>
    arn('sqs', new URL(queueUrl).pathname.split('/').at(-1) ?? ''),
  );
  const secrets = webhooks.map(({ secretName }) => secretArn(arn, secretName));
  return [
    allow('WebhooksNotTaken', verbs('sqs', 'GetQueueAttributes ReceiveMessage DeleteMessage'), queues),
    allow('WebhookSecrets', ['secretsmanager:GetSecretValue'], [...new Set(secrets)]),
  ];
}

/** Every command. It can read every answer in the table: importing and erasing need that. */
export function operateStatements(operated: Operated): readonly Statement[] {
  const { stack, settings, output } = operated;
  const { arn } = placeOf(output('PurgeStateMachineArn'));
  const table = arn('dynamodb', `table/${output('TableName')}`);
  const keys = [settings.kmsKeyArn, ...(settings.existing?.kmsKeyArns ?? [])].filter(
    (key) => key !== undefined,
  );
  return [
    allow('FindTheStage', ['cloudformation:DescribeStacks'], [arn('cloudformation', `stack/${stack}/*`)]),
    allow(
      'ProjectsKeysSurveysAnswers',
      verbs(
        'dynamodb',
        'Query GetItem BatchGetItem PutItem UpdateItem DeleteItem BatchWriteItem ConditionCheckItem',
      ),
      [table],
    ),
    allow('WalkAnswers', ['dynamodb:Query'], [`${table}/index/by_project`]),
    allow('LogOfErasures', verbs('dynamodb', 'Query PutItem'), [
      arn('dynamodb', `table/${output('ErasureLogTableName')}`),
    ]),
    hashStatement(output),
    allow('RotateTheRing', verbs('secretsmanager', 'GetSecretValue PutSecretValue'), [
      arn('secretsmanager', `secret:${output('TokenRingName')}-??????`),
    ]),
    allow('RetryPurges', ['states:StartExecution'], [output('PurgeStateMachineArn')]),
    ...webhookStatements(operated),
    ...(settings.backup === undefined
      ? []
      : [
          allow(
            'CheckBackups',
            verbs('backup', 'DescribeGlobalSettings DescribeRegionSettings ListCopyJobs'),
            ['*'],
          ),
        ]),
    ...(keys.length === 0
      ? []
      : [allow('Keys', verbs('kms', 'Decrypt Encrypt GenerateDataKey DescribeKey'), [...new Set(keys)])]),
  ];
}
