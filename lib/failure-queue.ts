import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { encryptionKey } from './data/encryption-key.ts';
import type { DeploymentSettings } from './settings/settings.ts';

/** What a queue of the stage is encrypted under. */
export function queueEncryption(
  scope: Construct,
  { kmsKeyArn }: DeploymentSettings,
): Pick<QueueProps, 'encryption' | 'encryptionMasterKey'> {
  const key = encryptionKey(scope, kmsKeyArn);
  return key === undefined
    ? { encryption: QueueEncryption.SQS_MANAGED }
    : { encryption: QueueEncryption.KMS, encryptionMasterKey: key };
}

/** Where what was given up is kept for two weeks: which event it was, not what was in it. */
export class FailureQueue extends Queue {
  /** @param more of a queue that keeps an order, its own does too (SQS, "Dead-letter queues") */
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
      reason: 'This queue is itself where failures end.',
    });
  }
}
