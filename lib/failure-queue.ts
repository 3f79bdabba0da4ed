import { Duration, Validations } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { longest } from './alarms/alarm.ts';
import { encryptionKey } from './data/encryption-key.ts';
import type { DeploymentSettings } from './settings/settings.ts';

export function queueEncryption(
  scope: Construct,
  { kmsKeyArn }: DeploymentSettings,
): Pick<QueueProps, 'encryption' | 'encryptionMasterKey'> {
  const key = encryptionKey(scope, kmsKeyArn);
  return key === undefined
    ? { encryption: QueueEncryption.SQS_MANAGED }
    : { encryption: QueueEncryption.KMS, encryptionMasterKey: key };
}

export class FailureQueue extends Queue {
  /** See SQS, "Dead-letter queues". */
  constructor(
    scope: Construct,
    id: string,
    settings: DeploymentSettings,
    more: Pick<QueueProps, 'fifo'> = {},
  ) {
    super(scope, id, {
      ...more,
      ...queueEncryption(scope, settings),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This queue is itself a dead-letter queue.',
    });
  }

  get messages(): Metric {
    return this.metricApproximateNumberOfMessagesVisible(longest);
  }
}
