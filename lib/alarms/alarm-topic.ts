import { Annotations, Aspects, Aws } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSubscription, type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { encryptionKey } from '../data/encryption-key.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';

/**
 * A topic's own policy replaces the default policy, which lets CloudWatch publish (AWS re:Post, "Why didn't I receive
 * an SNS notification for my CloudWatch alarm trigger?").
 */
function letAlarmsIn(topic: ITopic, settings: DeploymentSettings): void {
  const alarms = `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:${metricsNamespace(settings)}-*`;
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AllowAlarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
        ArnLike: { 'aws:SourceArn': alarms },
      },
    }),
  );
}

function warnIfUnheard(topic: ITopic, settings: DeploymentSettings): void {
  const { stack, node } = topic;
  const arnOf = (arn: unknown) => JSON.stringify(stack.resolve(arn));
  // The ARN of a topic in another environment, such as that of an edge, cannot be resolved.
  const isSubscribed = node.root.node
    .findAll()
    .some(
      (each) =>
        each instanceof CfnSubscription &&
        each.stack.environment === stack.environment &&
        arnOf(each.topicArn) === arnOf(topic.topicArn),
    );
  if (isSubscribed) return;
  Annotations.of(topic).addWarningV2(
    '@canvass-surveys/cdk:unheardAlarms',
    `Nobody in this app is subscribed to the alarms of ${metricsNamespace(settings)}. Set alarmEmail, or subscribe to the topic.`,
  );
}

export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, settings: DeploymentSettings, kmsKeyArn: string | undefined) {
    const masterKey = encryptionKey(scope, kmsKeyArn);
    super(scope, id, {
      displayName: `Canvass alarms (${settings.stage})`,
      enforceSSL: true,
      ...(masterKey !== undefined && { masterKey }),
    });
    letAlarmsIn(this, settings);
    // An app may subscribe after the topic is created, in any of its stacks.
    Aspects.of(this).add({ visit: (node) => node === this && warnIfUnheard(this, settings) });
    if (settings.alarmEmail !== undefined) this.addSubscription(new EmailSubscription(settings.alarmEmail));
  }
}

export function takeTopic(topic: ITopic, settings: DeploymentSettings): ITopic {
  const hasPolicy = topic.node.tryFindChild('Policy') !== undefined;
  if (hasPolicy) letAlarmsIn(topic, settings);
  return topic;
}

export function tell(topic: ITopic, alarms: readonly Alarm[]): void {
  for (const alarm of alarms) {
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  }
}
