/**
 * What CloudFormation calls for a resource of each type: `handlers` of the types' published schemas (CloudFormation
 * registry; kept at pulumi/pulumi-aws-native, aws-cloudformation-schema), without what they call only for properties that
 * no stage sets. Where a schema names none, the calls are those of the service's own reference.
 */

const verbs = (service: string, actions: string): readonly string[] =>
  actions.split(' ').map((action) => `${service}:${action}`);

export type Operation = 'create' | 'read' | 'update' | 'delete';

export type Handlers = Readonly<Record<Operation, readonly string[]>>;

const of = (
  service: string,
  handlers: Readonly<Record<Operation, string>>,
  more: Partial<Handlers> = {},
): Handlers => {
  const operation = (name: Operation) => [
    ...(handlers[name] === '' ? [] : verbs(service, handlers[name])),
    ...(more[name] ?? []),
  ];
  return {
    create: operation('create'),
    read: operation('read'),
    update: operation('update'),
    delete: operation('delete'),
  };
};

const PASS = ['iam:PassRole'];

const gateway = of('apigateway', {
  create: 'POST GET PUT',
  read: 'GET',
  update: 'PATCH GET PUT POST DELETE',
  delete: 'GET DELETE',
});

/** Making a route or an integration of an API needs no more than the API itself. */
export const HANDLERS: Readonly<Record<string, Handlers>> = {
  'AWS::ApiGatewayV2::Api': {
    ...gateway,
    // The first one of an account (serverless-domain-manager#112).
    create: [...gateway.create, 'iam:CreateServiceLinkedRole'],
  },
  'AWS::ApiGatewayV2::ApiMapping': gateway,
  'AWS::ApiGatewayV2::DomainName': {
    ...gateway,
    create: [...gateway.create, 'iam:CreateServiceLinkedRole'],
  },
  'AWS::ApiGatewayV2::Integration': gateway,
  'AWS::ApiGatewayV2::Route': gateway,
  // With access logs (API Gateway, "Configure logging for HTTP APIs": permissions).
  'AWS::ApiGatewayV2::Stage': {
    ...gateway,
    create: [
      ...gateway.create,
      ...verbs(
        'logs',
        'CreateLogDelivery DescribeLogGroups DescribeResourcePolicies PutResourcePolicy ListLogDeliveries',
      ),
    ],
    update: [...gateway.update, ...verbs('logs', 'UpdateLogDelivery GetLogDelivery')],
    delete: [...gateway.delete, ...verbs('logs', 'DeleteLogDelivery')],
  },
  'AWS::Backup::BackupPlan': of('backup', {
    create: 'GetBackupPlan TagResource CreateBackupPlan',
    read: 'GetBackupPlan ListTags',
    update: 'UpdateBackupPlan ListTags TagResource UntagResource',
    delete: 'GetBackupPlan DeleteBackupPlan',
  }),
  'AWS::Backup::BackupSelection': of(
    'backup',
    {
      create: 'CreateBackupSelection',
      read: 'GetBackupSelection',
      update: '',
      delete: 'GetBackupSelection DeleteBackupSelection',
    },
    { create: ['iam:GetRole', ...PASS, 'iam:CreateServiceLinkedRole'] },
  ),
  'AWS::Backup::BackupVault': of(
    'backup',
    {
      create: 'TagResource CreateBackupVault PutBackupVaultNotifications',
      read: 'DescribeBackupVault GetBackupVaultNotifications GetBackupVaultAccessPolicy ListTags',
      update:
        'DescribeBackupVault DeleteBackupVaultNotifications ListTags TagResource UntagResource PutBackupVaultNotifications',
      delete: 'DeleteBackupVault',
    },
    {
      create: [
        'backup-storage:MountCapsule',
        ...verbs('kms', 'CreateGrant GenerateDataKey Decrypt RetireGrant DescribeKey'),
      ],
    },
  ),
  'AWS::CloudFront::CachePolicy': of('cloudfront', {
    create: 'CreateCachePolicy',
    read: 'GetCachePolicy',
    update: 'UpdateCachePolicy GetCachePolicy',
    delete: 'DeleteCachePolicy GetCachePolicy',
  }),
  'AWS::CloudFront::Distribution': of('cloudfront', {
    create: 'CreateDistribution GetDistribution GetDistributionConfig TagResource',
    read: 'GetDistribution GetDistributionConfig ListTagsForResource',
    update:
      'GetDistribution GetDistributionConfig UpdateDistribution TagResource UntagResource ListTagsForResource',
    delete: 'DeleteDistribution GetDistribution GetDistributionConfig UpdateDistribution',
  }),
  'AWS::CloudFront::Function': of('cloudfront', {
    create: 'CreateFunction PublishFunction DescribeFunction TagResource',
    read: 'DescribeFunction GetFunction ListTagsForResource',
    update: 'UpdateFunction PublishFunction DescribeFunction TagResource UntagResource',
    delete: 'DeleteFunction DescribeFunction',
  }),
  'AWS::CloudFront::OriginAccessControl': of('cloudfront', {
    create: 'CreateOriginAccessControl',
    read: 'GetOriginAccessControl',
    update: 'UpdateOriginAccessControl GetOriginAccessControl',
    delete: 'DeleteOriginAccessControl GetOriginAccessControl',
  }),
  'AWS::CloudFront::ResponseHeadersPolicy': of('cloudfront', {
    create: 'CreateResponseHeadersPolicy',
    read: 'GetResponseHeadersPolicy',
    update: 'UpdateResponseHeadersPolicy GetResponseHeadersPolicy',
    delete: 'DeleteResponseHeadersPolicy GetResponseHeadersPolicy',
  }),
  'AWS::CloudWatch::Alarm': of('cloudwatch', {
    create: 'PutMetricAlarm DescribeAlarms TagResource',
    read: 'DescribeAlarms ListTagsForResource',
    update: 'PutMetricAlarm DescribeAlarms TagResource UntagResource',
    delete: 'DeleteAlarms DescribeAlarms',
  }),
  'AWS::CloudWatch::Dashboard': of('cloudwatch', {
    create: 'GetDashboard PutDashboard',
    read: 'GetDashboard',
    update: 'GetDashboard PutDashboard',
    delete: 'DeleteDashboards GetDashboard',
  }),
  'AWS::CodeDeploy::Application': of('codedeploy', {
    create: 'CreateApplication TagResource',
    read: 'GetApplication ListTagsForResource',
    update: 'TagResource UntagResource',
    delete: 'GetApplication DeleteApplication',
  }),
  'AWS::CodeDeploy::DeploymentGroup': of(
    'codedeploy',
    {
      create: 'CreateDeploymentGroup GetDeploymentGroup TagResource',
      read: 'GetDeploymentGroup ListTagsForResource',
      update: 'UpdateDeploymentGroup GetDeploymentGroup TagResource UntagResource',
      delete: 'DeleteDeploymentGroup',
    },
    { create: PASS, update: PASS },
  ),
  'AWS::DynamoDB::Table': of('dynamodb', {
    create:
      'CreateTable DescribeTable DescribeTimeToLive DescribeContinuousBackups DescribeContributorInsights UpdateTimeToLive UpdateContinuousBackups ListTagsOfResource TagResource GetResourcePolicy',
    read: 'DescribeTable DescribeTimeToLive DescribeContinuousBackups DescribeContributorInsights DescribeKinesisStreamingDestination GetResourcePolicy ListTagsOfResource',
    update:
      'UpdateTable DescribeTable DescribeTimeToLive DescribeContinuousBackups UpdateTimeToLive UpdateContinuousBackups ListTagsOfResource TagResource UntagResource GetResourcePolicy',
    delete: 'DeleteTable DescribeTable',
  }),
  'AWS::Events::ApiDestination': of('events', {
    create: 'CreateApiDestination DescribeApiDestination',
    read: 'DescribeApiDestination',
    update: 'UpdateApiDestination DescribeApiDestination',
    delete: 'DeleteApiDestination DescribeApiDestination',
  }),
  // Its secret is made and changed under the caller's rights (EventBridge, "Connections": permissions).
  'AWS::Events::Connection': of(
    'events',
    {
      create: 'CreateConnection DescribeConnection',
      read: 'DescribeConnection',
      update: 'UpdateConnection DescribeConnection',
      delete: 'DeleteConnection DescribeConnection',
    },
    {
      create: [
        'iam:CreateServiceLinkedRole',
        ...verbs('secretsmanager', 'CreateSecret GetSecretValue PutSecretValue TagResource'),
      ],
      update: verbs('secretsmanager', 'DescribeSecret UpdateSecret GetSecretValue PutSecretValue'),
      delete: verbs('secretsmanager', 'DeleteSecret'),
    },
  ),
  'AWS::Events::Rule': of(
    'events',
    {
      create: 'PutRule DescribeRule PutTargets ListTargetsByRule TagResource',
      read: 'DescribeRule ListTargetsByRule',
      update: 'PutRule DescribeRule PutTargets RemoveTargets ListTargetsByRule TagResource UntagResource',
      delete: 'DeleteRule DescribeRule RemoveTargets ListTargetsByRule',
    },
    { create: PASS, update: PASS },
  ),
  'AWS::IAM::Policy': of('iam', {
    create: 'GetRolePolicy PutRolePolicy',
    read: 'GetRolePolicy',
    update: 'PutRolePolicy DeleteRolePolicy',
    delete: 'DeleteRolePolicy',
  }),
  'AWS::IAM::Role': of('iam', {
    create:
      'CreateRole PutRolePolicy GetRole ListAttachedRolePolicies ListRolePolicies GetRolePolicy TagRole',
    read: 'GetRole ListAttachedRolePolicies ListRolePolicies GetRolePolicy',
    update:
      'UpdateRole UpdateRoleDescription UpdateAssumeRolePolicy PutRolePermissionsBoundary DeleteRolePermissionsBoundary DeleteRolePolicy PutRolePolicy TagRole UntagRole GetRole ListAttachedRolePolicies ListRolePolicies GetRolePolicy',
    delete: 'DeleteRole DeleteRolePolicy GetRole ListAttachedRolePolicies ListRolePolicies',
  }),
  'AWS::Lambda::Alias': of(
    'lambda',
    {
      create: 'CreateAlias',
      read: 'GetAlias GetProvisionedConcurrencyConfig',
      update: 'UpdateAlias GetAlias GetProvisionedConcurrencyConfig',
      delete: 'DeleteAlias GetAlias',
    },
    {
      update: verbs(
        'codedeploy',
        'CreateDeployment GetDeployment GetDeploymentGroup GetDeploymentConfig StopDeployment RegisterApplicationRevision GetApplicationRevision',
      ),
    },
  ),
  'AWS::Lambda::EventInvokeConfig': of('lambda', {
    create: 'PutFunctionEventInvokeConfig',
    read: 'GetFunctionEventInvokeConfig',
    update: 'UpdateFunctionEventInvokeConfig',
    delete: 'DeleteFunctionEventInvokeConfig',
  }),
  'AWS::Lambda::EventSourceMapping': of('lambda', {
    create: 'CreateEventSourceMapping GetEventSourceMapping TagResource',
    read: 'GetEventSourceMapping ListTags',
    update: 'UpdateEventSourceMapping GetEventSourceMapping ListTags TagResource UntagResource',
    delete: 'DeleteEventSourceMapping GetEventSourceMapping',
  }),
  'AWS::Lambda::Function': of(
    'lambda',
    {
      create:
        'CreateFunction GetFunction PutFunctionConcurrency GetFunctionCodeSigningConfig GetRuntimeManagementConfig TagResource',
      read: 'GetFunction GetFunctionCodeSigningConfig',
      update:
        'DeleteFunctionConcurrency GetFunction PutFunctionConcurrency ListTags TagResource UntagResource UpdateFunctionConfiguration UpdateFunctionCode GetRuntimeManagementConfig GetFunctionCodeSigningConfig',
      delete: 'DeleteFunction GetFunction',
    },
    { create: [...PASS, 's3:GetObject'], update: [...PASS, 's3:GetObject'] },
  ),
  'AWS::Lambda::Permission': of('lambda', {
    create: 'AddPermission',
    read: 'GetPolicy',
    update: '',
    delete: 'RemovePermission',
  }),
  'AWS::Lambda::Version': of('lambda', {
    create:
      'PublishVersion GetFunctionConfiguration GetProvisionedConcurrencyConfig GetRuntimeManagementConfig',
    read: 'GetFunctionConfiguration GetProvisionedConcurrencyConfig GetRuntimeManagementConfig',
    update: '',
    delete: 'GetFunctionConfiguration DeleteFunction',
  }),
  'AWS::Logs::Delivery': of('logs', {
    create:
      'CreateDelivery GetDelivery DescribeDeliveries ListTagsForResource TagResource GetDeliverySource GetDeliveryDestination',
    read: 'GetDelivery ListTagsForResource',
    update: 'UpdateDeliveryConfiguration GetDelivery ListTagsForResource TagResource UntagResource',
    delete: 'DeleteDelivery ListTagsForResource UntagResource',
  }),
  'AWS::Logs::DeliveryDestination': of('logs', {
    create:
      'PutDeliveryDestination GetDeliveryDestination ListTagsForResource TagResource UntagResource PutDeliveryDestinationPolicy GetDeliveryDestinationPolicy',
    read: 'GetDeliveryDestination ListTagsForResource GetDeliveryDestinationPolicy',
    update:
      'PutDeliveryDestination GetDeliveryDestination ListTagsForResource TagResource UntagResource DeleteDeliveryDestinationPolicy PutDeliveryDestinationPolicy GetDeliveryDestinationPolicy',
    delete: 'DeleteDeliveryDestination DeleteDeliveryDestinationPolicy',
  }),
  'AWS::Logs::DeliverySource': of(
    'logs',
    {
      create: 'PutDeliverySource GetDeliverySource ListTagsForResource TagResource',
      read: 'GetDeliverySource ListTagsForResource',
      update: 'PutDeliverySource GetDeliverySource ListTagsForResource TagResource UntagResource',
      delete: 'DeleteDeliverySource',
    },
    { create: ['cloudfront:AllowVendedLogDeliveryForResource'] },
  ),
  'AWS::Logs::LogGroup': of('logs', {
    create: 'DescribeLogGroups CreateLogGroup PutRetentionPolicy TagResource GetDataProtectionPolicy',
    read: 'DescribeLogGroups ListTagsForResource GetDataProtectionPolicy',
    update:
      'DescribeLogGroups AssociateKmsKey DisassociateKmsKey PutRetentionPolicy DeleteRetentionPolicy TagResource UntagResource GetDataProtectionPolicy',
    delete: 'DescribeLogGroups DeleteLogGroup',
  }),
  'AWS::Logs::MetricFilter': of('logs', {
    create: 'PutMetricFilter DescribeMetricFilters',
    read: 'DescribeMetricFilters',
    update: 'PutMetricFilter DescribeMetricFilters',
    delete: 'DeleteMetricFilter',
  }),
  'AWS::Route53::RecordSet': of('route53', {
    create: 'ChangeResourceRecordSets GetChange GetHostedZone ListResourceRecordSets',
    read: 'ListResourceRecordSets',
    update: 'ChangeResourceRecordSets GetChange',
    delete: 'ChangeResourceRecordSets GetChange',
  }),
  'AWS::S3::Bucket': of('s3', {
    create: 'CreateBucket PutBucketPublicAccessBlock PutEncryptionConfiguration PutBucketTagging',
    read: 'GetBucketLocation GetBucketPublicAccessBlock GetEncryptionConfiguration GetBucketTagging',
    update: 'PutBucketPublicAccessBlock PutEncryptionConfiguration PutBucketTagging',
    // It stays.
    delete: '',
  }),
  'AWS::S3::BucketPolicy': of('s3', {
    create: 'GetBucketPolicy PutBucketPolicy',
    read: 'GetBucketPolicy',
    update: 'GetBucketPolicy PutBucketPolicy',
    delete: 'GetBucketPolicy DeleteBucketPolicy',
  }),
  'AWS::SNS::Subscription': of('sns', {
    create: 'Subscribe GetSubscriptionAttributes ListSubscriptionsByTopic',
    read: 'GetSubscriptionAttributes',
    update: 'SetSubscriptionAttributes GetSubscriptionAttributes',
    delete: 'Unsubscribe GetSubscriptionAttributes',
  }),
  'AWS::SNS::Topic': of('sns', {
    create: 'CreateTopic TagResource Subscribe GetTopicAttributes',
    read: 'GetTopicAttributes ListTagsForResource ListSubscriptionsByTopic GetDataProtectionPolicy',
    update:
      'SetTopicAttributes TagResource UntagResource Subscribe Unsubscribe GetTopicAttributes ListTagsForResource ListSubscriptionsByTopic GetDataProtectionPolicy',
    delete: 'GetTopicAttributes DeleteTopic',
  }),
  'AWS::SNS::TopicPolicy': of('sns', {
    create: 'SetTopicAttributes',
    read: '',
    update: 'SetTopicAttributes',
    delete: 'SetTopicAttributes',
  }),
  'AWS::SQS::Queue': of('sqs', {
    create: 'CreateQueue GetQueueUrl GetQueueAttributes ListQueueTags TagQueue',
    read: 'GetQueueAttributes ListQueueTags',
    update: 'SetQueueAttributes GetQueueAttributes ListQueueTags TagQueue UntagQueue',
    delete: 'DeleteQueue GetQueueAttributes',
  }),
  'AWS::SQS::QueuePolicy': of('sqs', {
    create: 'SetQueueAttributes',
    read: '',
    update: 'SetQueueAttributes',
    delete: 'SetQueueAttributes',
  }),
  'AWS::Scheduler::Schedule': of(
    'scheduler',
    {
      create: 'CreateSchedule GetSchedule',
      read: 'GetSchedule',
      update: 'UpdateSchedule GetSchedule',
      delete: 'DeleteSchedule GetSchedule',
    },
    { create: PASS, update: PASS },
  ),
  'AWS::SecretsManager::Secret': of('secretsmanager', {
    create: 'DescribeSecret GetRandomPassword CreateSecret TagResource ReplicateSecretToRegions',
    read: 'DescribeSecret GetSecretValue',
    update:
      'UpdateSecret TagResource UntagResource GetRandomPassword GetSecretValue ReplicateSecretToRegions RemoveRegionsFromReplication',
    delete: 'DeleteSecret DescribeSecret RemoveRegionsFromReplication',
  }),
  'AWS::StepFunctions::StateMachine': of(
    'states',
    {
      create: 'CreateStateMachine DescribeStateMachine TagResource',
      read: 'DescribeStateMachine ListTagsForResource',
      update: 'UpdateStateMachine TagResource UntagResource ListTagsForResource',
      delete: 'DeleteStateMachine DescribeStateMachine',
    },
    { create: PASS, update: PASS },
  ),
  'AWS::WAFv2::LoggingConfiguration': of(
    'wafv2',
    {
      create: 'PutLoggingConfiguration GetLoggingConfiguration',
      read: 'GetLoggingConfiguration',
      update: 'PutLoggingConfiguration GetLoggingConfiguration',
      delete: 'DeleteLoggingConfiguration GetLoggingConfiguration',
    },
    {
      create: [
        'iam:CreateServiceLinkedRole',
        ...verbs('logs', 'CreateLogDelivery PutResourcePolicy DescribeResourcePolicies DescribeLogGroups'),
      ],
      delete: ['logs:DeleteLogDelivery'],
    },
  ),
  'AWS::WAFv2::WebACL': of('wafv2', {
    create: 'CreateWebACL GetWebACL ListTagsForResource TagResource',
    read: 'GetWebACL ListTagsForResource',
    update: 'UpdateWebACL GetWebACL ListTagsForResource TagResource UntagResource',
    delete: 'GetWebACL DeleteWebACL',
  }),
};
