import { Aws } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { encryptionKey } from '../encryption-key.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings.ts';

/** Where the alarms of one region go, and who is told. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, settings: DeploymentSettings, kmsKeyArn: string | undefined) {
    const masterKey = encryptionKey(scope, kmsKeyArn);
    super(scope, id, {
      displayName: `Canvass alarms (${settings.stage})`,
      enforceSSL: true,
      ...(masterKey !== undefined && { masterKey }),
    });
    // A policy of its own takes the place of SNS's default one, by which CloudWatch could publish (AWS re:Post,
    // "Why didn't I receive an SNS notification for my CloudWatch alarm trigger?").
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AllowAlarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: {
            'aws:SourceArn': `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:${metricsNamespace(settings)}-*`,
          },
        },
      }),
    );
    if (settings.alarmEmail !== undefined) this.addSubscription(new EmailSubscription(settings.alarmEmail));
  }

  /** Tells of each alarm, and that it is over. */
  tell(alarms: readonly Alarm[]): void {
    for (const alarm of alarms) {
      alarm.addAlarmAction(new SnsAction(this));
      alarm.addOkAction(new SnsAction(this));
    }
  }
}
