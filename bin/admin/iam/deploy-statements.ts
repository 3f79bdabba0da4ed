/**
 * What CloudFormation needs to make, change, roll back and delete the stack of a stage: what the handlers of its resource
 * types call (CloudFormation registry, `handlers` of each schema), on the stage's resources, and on all of them where IAM
 * knows none to name (Service Authorization Reference).
 */

import { featureStatements } from './feature-statements.ts';
import { type Arns, arnsOf, type Place } from './place.ts';
import { roleStatements } from './role-statements.ts';
import { allow, type Statement, verbs } from './statement.ts';

/** Bundles, and the version of the bootstrap, which every template asks for. */
export function bootstrapStatements(
  { qualifier, account }: Place,
  { arn, bare }: Arns,
): readonly Statement[] {
  const assets = bare('s3', `cdk-${qualifier}-assets-${account}-*`);
  return [
    allow('Bundles', ['s3:GetObject', 's3:GetBucketLocation'], [assets, `${assets}/*`]),
    allow(
      'BootstrapVersion',
      ['ssm:GetParameters'],
      [arn('ssm', `parameter/cdk-bootstrap/${qualifier}/version`)],
    ),
  ];
}

export function topicStatement({ arn, names }: Arns): Statement {
  return allow(
    'Topic',
    verbs(
      'sns',
      'CreateTopic GetTopicAttributes SetTopicAttributes DeleteTopic Subscribe Unsubscribe GetSubscriptionAttributes SetSubscriptionAttributes ListSubscriptionsByTopic GetDataProtectionPolicy TagResource UntagResource ListTagsForResource',
    ),
    [arn('sns', names)],
  );
}

export function alarmStatement({ arn, base }: Arns): Statement {
  return allow(
    'Alarms',
    verbs(
      'cloudwatch',
      'PutMetricAlarm DescribeAlarms DeleteAlarms TagResource UntagResource ListTagsForResource',
    ),
    [arn('cloudwatch', `alarm:${base}-*`)],
  );
}

/** Of the deliveries of logs there is no ARN that an account's own administration of logs would name. */
export const LOGS_ANYWHERE = allow(
  'LogsAnywhere',
  verbs(
    'logs',
    'DescribeLogGroups CreateLogDelivery GetLogDelivery UpdateLogDelivery DeleteLogDelivery ListLogDeliveries PutResourcePolicy DescribeResourcePolicies DescribeIndexPolicies',
  ),
  ['*'],
);

export const LOG_GROUP = verbs(
  'logs',
  'CreateLogGroup DeleteLogGroup PutRetentionPolicy DeleteRetentionPolicy AssociateKmsKey DisassociateKmsKey GetDataProtectionPolicy TagResource UntagResource ListTagsForResource',
);

function dataStatements({ prefix }: Place, { arn, names, base }: Arns): readonly Statement[] {
  return [
    allow(
      'Tables',
      verbs(
        'dynamodb',
        'CreateTable DescribeTable UpdateTable DeleteTable DescribeTimeToLive UpdateTimeToLive DescribeContinuousBackups UpdateContinuousBackups TagResource UntagResource ListTagsOfResource DescribeContributorInsights DescribeKinesisStreamingDestination GetResourcePolicy',
      ),
      [arn('dynamodb', `table/${names}`)],
    ),
    allow(
      'Secrets',
      verbs(
        'secretsmanager',
        'CreateSecret DescribeSecret UpdateSecret PutSecretValue GetSecretValue DeleteSecret TagResource UntagResource ReplicateSecretToRegions RemoveRegionsFromReplication',
      ),
      // A secret without a name is called by its logical id (CloudFormation, AWS::SecretsManager::Secret: Name).
      [`${prefix}Secrets*`, `${prefix}Scores*`, `${prefix}MintKey*`, `${base}-*`].map((name) =>
        arn('secretsmanager', `secret:${name}`),
      ),
    ),
    allow('RandomSecrets', ['secretsmanager:GetRandomPassword'], ['*']),
    allow(
      'Queues',
      verbs(
        'sqs',
        'CreateQueue GetQueueAttributes SetQueueAttributes DeleteQueue GetQueueUrl TagQueue UntagQueue ListQueueTags',
      ),
      [arn('sqs', names)],
    ),
  ];
}

function functionStatements({ arn, names, base }: Arns): readonly Statement[] {
  return [
    allow(
      'Functions',
      verbs(
        'lambda',
        'CreateFunction GetFunction GetFunctionConfiguration GetFunctionCodeSigningConfig GetFunctionRecursionConfig GetRuntimeManagementConfig UpdateFunctionCode UpdateFunctionConfiguration PutFunctionConcurrency DeleteFunctionConcurrency DeleteFunction AddPermission RemovePermission GetPolicy PutFunctionEventInvokeConfig GetFunctionEventInvokeConfig UpdateFunctionEventInvokeConfig DeleteFunctionEventInvokeConfig PublishVersion ListVersionsByFunction CreateAlias GetAlias UpdateAlias DeleteAlias GetProvisionedConcurrencyConfig TagResource UntagResource ListTags',
      ),
      [arn('lambda', `function:${names}`)],
    ),
    // A mapping that is made has no ARN yet: its function stands for it.
    allow('StreamMappingsMade', ['lambda:CreateEventSourceMapping'], ['*'], {
      ArnLike: { 'lambda:FunctionArn': arn('lambda', `function:${names}`) },
    }),
    allow(
      'StreamMappings',
      verbs(
        'lambda',
        'GetEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping TagResource UntagResource ListTags',
      ),
      [arn('lambda', 'event-source-mapping:*')],
    ),
    allow(
      'StateMachine',
      verbs(
        'states',
        'CreateStateMachine DescribeStateMachine UpdateStateMachine DeleteStateMachine TagResource UntagResource ListTagsForResource',
      ),
      [arn('states', `stateMachine:${base}-purge`)],
    ),
  ];
}

function gatewayStatements({ region }: Place, { bare, linkedRole }: Arns): readonly Statement[] {
  const gateway = (path: string) => bare('apigateway', path, region);
  return [
    allow(
      'Gateway',
      verbs('apigateway', 'GET POST PUT PATCH DELETE'),
      ['/apis', '/apis/*', '/domainnames', '/domainnames/*', '/tags/*'].map(gateway),
    ),
    // The first API or domain of an account makes it (serverless-domain-manager#112).
    allow('GatewayLinked', ['iam:CreateServiceLinkedRole'], [linkedRole('ops.apigateway.amazonaws.com')], {
      StringEquals: { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' },
    }),
  ];
}

function watchStatements({ settings: { name, stage } }: Place, arns: Arns): readonly Statement[] {
  const { arn, base, global } = arns;
  return [
    allow(
      'Logs',
      [...LOG_GROUP, ...verbs('logs', 'PutMetricFilter DescribeMetricFilters DeleteMetricFilter')],
      [
        arn('logs', `log-group:/${name}/${stage}/*`),
        arn('logs', `log-group:/aws/vendedlogs/${name}/${stage}/*`),
      ],
    ),
    LOGS_ANYWHERE,
    topicStatement(arns),
    alarmStatement(arns),
    // Also where there is none any more: an earlier version's is deleted.
    allow('Dashboard', verbs('cloudwatch', 'PutDashboard GetDashboard DeleteDashboards'), [
      global('cloudwatch', `dashboard/${base}*`),
    ]),
  ];
}

export function deployStatements(place: Place): readonly Statement[] {
  const arns = arnsOf(place, place.stack);
  return [
    ...bootstrapStatements(place, arns),
    ...dataStatements(place, arns),
    ...functionStatements(arns),
    ...roleStatements(place.settings, arns),
    ...gatewayStatements(place, arns),
    ...watchStatements(place, arns),
    ...featureStatements(place, arns),
  ];
}
