/**
 * What CloudFormation calls to make, read and delete a resource of each type, with the name it acts on (CloudFormation
 * registry, handlers of the resource types).
 */

const verbs = (service: string, actions: string): readonly string[] =>
  actions.split(' ').map((action) => `${service}:${action}`);

const gateway = verbs('apigateway', 'POST GET PATCH DELETE');

export const CALLS_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Api': [...gateway, 'apigateway:TagResource'],
  'AWS::ApiGatewayV2::ApiMapping': gateway,
  'AWS::ApiGatewayV2::DomainName': gateway,
  'AWS::ApiGatewayV2::Integration': gateway,
  'AWS::ApiGatewayV2::Route': gateway,
  'AWS::ApiGatewayV2::Stage': gateway,
  'AWS::CloudFront::CachePolicy': verbs('cloudfront', 'CreateCachePolicy GetCachePolicy DeleteCachePolicy'),
  'AWS::CloudFront::Distribution': verbs(
    'cloudfront',
    'CreateDistribution GetDistribution UpdateDistribution DeleteDistribution TagResource',
  ),
  'AWS::CloudFront::Function': verbs(
    'cloudfront',
    'CreateFunction PublishFunction DescribeFunction DeleteFunction',
  ),
  'AWS::CloudFront::OriginAccessControl': verbs(
    'cloudfront',
    'CreateOriginAccessControl GetOriginAccessControl DeleteOriginAccessControl',
  ),
  'AWS::CloudFront::ResponseHeadersPolicy': verbs(
    'cloudfront',
    'CreateResponseHeadersPolicy GetResponseHeadersPolicy DeleteResponseHeadersPolicy',
  ),
  'AWS::CloudWatch::Alarm': verbs('cloudwatch', 'PutMetricAlarm DescribeAlarms DeleteAlarms TagResource'),
  'AWS::CloudWatch::Dashboard': verbs('cloudwatch', 'PutDashboard GetDashboard DeleteDashboards'),
  'AWS::CodeDeploy::Application': verbs('codedeploy', 'CreateApplication GetApplication DeleteApplication'),
  'AWS::CodeDeploy::DeploymentGroup': verbs(
    'codedeploy',
    'CreateDeploymentGroup GetDeploymentGroup DeleteDeploymentGroup',
  ),
  'AWS::DynamoDB::Table': verbs(
    'dynamodb',
    'CreateTable DescribeTable UpdateTable DeleteTable UpdateTimeToLive UpdateContinuousBackups TagResource',
  ),
  'AWS::Events::ApiDestination': verbs(
    'events',
    'CreateApiDestination DescribeApiDestination UpdateApiDestination DeleteApiDestination',
  ),
  'AWS::Events::Connection': [
    ...verbs('events', 'CreateConnection DescribeConnection UpdateConnection DeleteConnection'),
    ...verbs(
      'secretsmanager',
      'CreateSecret DescribeSecret UpdateSecret DeleteSecret GetSecretValue PutSecretValue',
    ),
    'iam:CreateServiceLinkedRole',
  ],
  'AWS::Events::Rule': [
    ...verbs('events', 'PutRule DescribeRule DeleteRule PutTargets RemoveTargets'),
    'iam:PassRole',
  ],
  'AWS::IAM::Policy': verbs('iam', 'PutRolePolicy GetRolePolicy DeleteRolePolicy'),
  'AWS::IAM::Role': verbs(
    'iam',
    'CreateRole GetRole UpdateAssumeRolePolicy DeleteRole PutRolePermissionsBoundary TagRole',
  ),
  'AWS::Lambda::Alias': verbs('lambda', 'CreateAlias GetAlias UpdateAlias DeleteAlias'),
  'AWS::Lambda::EventInvokeConfig': verbs(
    'lambda',
    'PutFunctionEventInvokeConfig DeleteFunctionEventInvokeConfig',
  ),
  'AWS::Lambda::EventSourceMapping': verbs(
    'lambda',
    'CreateEventSourceMapping GetEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping',
  ),
  'AWS::Lambda::Function': [
    ...verbs(
      'lambda',
      'CreateFunction GetFunction UpdateFunctionCode UpdateFunctionConfiguration DeleteFunction',
    ),
    'iam:PassRole',
    's3:GetObject',
  ],
  'AWS::Lambda::Permission': verbs('lambda', 'AddPermission GetPolicy RemovePermission'),
  'AWS::Lambda::Version': verbs('lambda', 'PublishVersion ListVersionsByFunction'),
  'AWS::Logs::Delivery': verbs('logs', 'CreateDelivery GetDelivery DeleteDelivery'),
  'AWS::Logs::DeliveryDestination': verbs('logs', 'PutDeliveryDestination DeleteDeliveryDestination'),
  'AWS::Logs::DeliverySource': [
    ...verbs('logs', 'PutDeliverySource DeleteDeliverySource'),
    'cloudfront:AllowVendedLogDeliveryForResource',
  ],
  'AWS::Logs::LogGroup': verbs('logs', 'CreateLogGroup DescribeLogGroups PutRetentionPolicy DeleteLogGroup'),
  'AWS::S3::Bucket': verbs('s3', 'CreateBucket PutBucketPublicAccessBlock PutEncryptionConfiguration'),
  'AWS::S3::BucketPolicy': verbs('s3', 'PutBucketPolicy GetBucketPolicy DeleteBucketPolicy'),
  'AWS::SNS::Subscription': verbs('sns', 'Subscribe Unsubscribe'),
  'AWS::SNS::Topic': verbs('sns', 'CreateTopic GetTopicAttributes DeleteTopic TagResource'),
  'AWS::SNS::TopicPolicy': verbs('sns', 'SetTopicAttributes'),
  'AWS::SQS::Queue': verbs('sqs', 'CreateQueue GetQueueAttributes SetQueueAttributes DeleteQueue TagQueue'),
  'AWS::SQS::QueuePolicy': verbs('sqs', 'SetQueueAttributes'),
  'AWS::Scheduler::Schedule': [
    ...verbs('scheduler', 'CreateSchedule GetSchedule DeleteSchedule'),
    'iam:PassRole',
  ],
  'AWS::SecretsManager::Secret': verbs(
    'secretsmanager',
    'GetRandomPassword CreateSecret DescribeSecret DeleteSecret TagResource',
  ),
  'AWS::StepFunctions::StateMachine': [
    ...verbs('states', 'CreateStateMachine DescribeStateMachine UpdateStateMachine DeleteStateMachine'),
    'iam:PassRole',
  ],
  'AWS::WAFv2::LoggingConfiguration': verbs('wafv2', 'PutLoggingConfiguration DeleteLoggingConfiguration'),
  'AWS::WAFv2::WebACL': verbs('wafv2', 'CreateWebACL GetWebACL UpdateWebACL DeleteWebACL'),
};
