/** What CloudFormation needs in us-east-1, for the stack of a stage's edge. */

import { originSecretName } from '../../../lib/settings/settings.ts';
import {
  alarmStatement,
  bootstrapStatements,
  LOG_GROUP,
  LOGS_ANYWHERE,
  topicStatement,
} from './deploy-statements.ts';
import { arnsOf, EDGE_REGION, type Place } from './place.ts';
import { allow, type Statement, verbs } from './statement.ts';

const KINDS = [
  'distribution',
  'function',
  'origin-access-control',
  'cache-policy',
  'response-headers-policy',
];

/** Nothing of CloudFront can be named before it is made, and but for functions nothing has a name at all. */
const MADE = 'Distribution Function OriginAccessControl CachePolicy ResponseHeadersPolicy'.split(' ');

/** Nothing where the settings have no edge. */
export function edgeStatements(place: Place): readonly Statement[] {
  const { settings } = place;
  const { edge, name, stage } = settings;
  if (edge === undefined) return [];
  const arns = arnsOf(place, place.edgeStack, EDGE_REGION);
  const { arn, bare, base, names, global, linkedRole } = arns;
  return [
    ...bootstrapStatements(place, arns),
    // The replica of the stage's secret, which the distribution brings to its gateway.
    allow(
      'OriginSecret',
      ['secretsmanager:GetSecretValue'],
      [arn('secretsmanager', `secret:${originSecretName(settings)}-??????`)],
    ),
    allow(
      'DistributionMade',
      MADE.map((kind) => `cloudfront:Create${kind}`),
      ['*'],
    ),
    allow(
      'Distribution',
      verbs(
        'cloudfront',
        'GetDistribution GetDistributionConfig UpdateDistribution DeleteDistribution AllowVendedLogDeliveryForResource DescribeFunction GetFunction PublishFunction UpdateFunction DeleteFunction GetOriginAccessControl UpdateOriginAccessControl DeleteOriginAccessControl GetCachePolicy UpdateCachePolicy DeleteCachePolicy GetResponseHeadersPolicy UpdateResponseHeadersPolicy DeleteResponseHeadersPolicy TagResource UntagResource ListTagsForResource',
      ),
      KINDS.map((kind) => global('cloudfront', `${kind}/*`)),
    ),
    ...(edge.webAclArn === undefined
      ? [
          allow(
            'Firewall',
            verbs(
              'wafv2',
              'CreateWebACL GetWebACL UpdateWebACL DeleteWebACL PutLoggingConfiguration GetLoggingConfiguration DeleteLoggingConfiguration TagResource UntagResource ListTagsForResource',
            ),
            [arn('wafv2', 'global/*')],
          ),
          allow('FirewallLinked', ['iam:CreateServiceLinkedRole'], [linkedRole('wafv2.amazonaws.com')]),
        ]
      : [allow('Firewall', ['wafv2:GetWebACL'], [edge.webAclArn])]),
    allow(
      'Files',
      verbs(
        's3',
        'CreateBucket GetBucketLocation PutBucketPolicy GetBucketPolicy DeleteBucketPolicy PutBucketPublicAccessBlock GetBucketPublicAccessBlock PutEncryptionConfiguration GetEncryptionConfiguration PutBucketTagging GetBucketTagging',
      ),
      [bare('s3', names.toLowerCase())],
    ),
    allow('Logs', LOG_GROUP, [
      arn('logs', `log-group:aws-waf-logs-${base}*`),
      arn('logs', `log-group:/aws/vendedlogs/${name}/${stage}/*`),
    ]),
    allow(
      'LogDeliveries',
      verbs(
        'logs',
        'PutDeliverySource GetDeliverySource DeleteDeliverySource PutDeliveryDestination GetDeliveryDestination DeleteDeliveryDestination GetDeliveryDestinationPolicy PutDeliveryDestinationPolicy DeleteDeliveryDestinationPolicy CreateDelivery GetDelivery UpdateDeliveryConfiguration DeleteDelivery TagResource UntagResource ListTagsForResource',
      ),
      [
        arn('logs', `delivery-source:${base}-*`),
        arn('logs', `delivery-destination:${base}-*`),
        arn('logs', 'delivery:*'),
      ],
    ),
    { ...LOGS_ANYWHERE, Action: [...LOGS_ANYWHERE.Action, 'logs:DescribeDeliveries'] },
    topicStatement(arns),
    alarmStatement(arns),
    ...(edge.kmsKeyArn === undefined
      ? []
      : [allow('Keys', verbs('kms', 'DescribeKey CreateGrant Decrypt GenerateDataKey'), [edge.kmsKeyArn])]),
  ];
}
