import { Aws } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { DeploymentSettings } from '../settings/settings.ts';

class CustomerKey extends Construct {
  readonly key: IKey;

  constructor(scope: Construct, id: string, keyArn: string) {
    super(scope, id);
    this.key = Key.fromKeyArn(this, 'Key', keyArn);
  }
}

/** docs/iam.md lists what the key's policy must allow. */
export function encryptionKey(scope: Construct, keyArn: string | undefined): IKey | undefined {
  if (keyArn === undefined) return undefined;
  const id = 'CustomerKey';
  const known = scope.node.tryFindChild(id);
  return (known instanceof CustomerKey ? known : new CustomerKey(scope, id, keyArn)).key;
}

const USE = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'];

/**
 * See docs/iam.md. The grant to CloudWatch Logs is limited by log group (CloudWatch Logs, "Encrypt log data"), the
 * grants to other services by account.
 */
export function letServicesUse(key: IKey): void {
  const logGroups = `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:*`;
  const statements = [
    {
      principals: [new ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
      conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': logGroups } },
    },
    {
      principals: ['cloudwatch.amazonaws.com', 'events.amazonaws.com'].map(
        (each) => new ServicePrincipal(each),
      ),
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    },
  ];
  for (const statement of statements)
    key.addToResourcePolicy(new PolicyStatement({ ...statement, actions: USE, resources: ['*'] }), true);
}

/**
 * See DynamoDB, "Authorizing use of your AWS KMS key"; Secrets Manager, "Permissions for the KMS key"; SQS,
 * "Least-privilege key policies"; SNS, "Configure AWS KMS permissions".
 */
const ACTIONS = {
  dynamodb: ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'],
  secretsmanager: ['Decrypt'],
  sns: ['Decrypt', 'GenerateDataKey'],
  sqs: ['Decrypt', 'GenerateDataKey'],
} as const;

export type EncryptingService = keyof typeof ACTIONS;

/** Allows using the key only through the service. Returns nothing for keys that AWS manages. */
export function keyStatements(
  { kmsKeyArn, existing }: DeploymentSettings,
  service: EncryptingService,
): readonly PolicyStatement[] {
  const resources = [...(kmsKeyArn === undefined ? [] : [kmsKeyArn]), ...(existing?.kmsKeyArns ?? [])];
  if (resources.length === 0) return [];
  const host = `${service}.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  return [
    new PolicyStatement({
      actions: ACTIONS[service].map((action) => `kms:${action}`),
      resources,
      conditions: { StringEquals: { 'kms:ViaService': host } },
    }),
  ];
}
