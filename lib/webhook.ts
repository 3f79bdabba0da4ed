import { createHash } from 'node:crypto';
import { SecretValue } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { ApiDestination, Authorization, CfnRule, Connection, type IEventBus } from 'aws-cdk-lib/aws-events';
import { PolicyDocument, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { EVENT_SOURCE } from '../shared/domain/happening.ts';
import type { WebhookOutput } from '../shared/settings/stack-outputs.ts';
import { createAlarm } from './alarms/alarm.ts';
import { FailureQueue } from './failure-queue.ts';
import { serviceRole } from './functions/service-role.ts';
import { type DeploymentSettings, metricsNamespace } from './settings/settings.ts';
import type { WebhookSettings } from './settings/telling-settings.ts';

/** EventBridge's maximum (RetryPolicy). */
const RETRY = { maximumRetryAttempts: 185, maximumEventAgeInSeconds: 86_400 } as const;

export class Webhook extends Construct {
  readonly alarm: Alarm;
  readonly resending: WebhookOutput;

  constructor(scope: Construct, webhook: WebhookSettings, bus: IEventBus, settings: DeploymentSettings) {
    const { url, secretName, secretVersion, detailTypes, onlyLow } = webhook;
    // Not the index: a webhook inserted before this one must not replace it.
    const key = createHash('sha256').update(url).digest('hex').slice(0, 8);
    super(scope, `Webhook-${key}`);
    const deployment = metricsNamespace(settings);
    const name = `${deployment}-${key}`;
    const connection = new Connection(this, 'Connection', {
      connectionName: name,
      description: 'Canvass: the credentials of its webhook',
      authorization: Authorization.apiKey(
        'Authorization',
        SecretValue.secretsManager(
          secretName,
          secretVersion === undefined ? {} : { versionId: secretVersion },
        ),
      ),
    });
    const destination = new ApiDestination(this, 'Destination', {
      apiDestinationName: name,
      connection,
      endpoint: url,
    });
    const failed = new FailureQueue(this, 'Failed', settings);
    this.resending = { url, secretName, queueUrl: failed.queueUrl };
    const invoke = new PolicyStatement({
      actions: ['events:InvokeApiDestination'],
      resources: [destination.apiDestinationArn],
    });
    const role = serviceRole(this, 'Role', 'events.amazonaws.com', {
      invoke: new PolicyDocument({ statements: [invoke] }),
    });
    const pattern = {
      source: [EVENT_SOURCE],
      ...(detailTypes !== undefined && { 'detail-type': detailTypes }),
      detail: { deployment: [deployment], ...(onlyLow && { low: [true] }) },
    };
    const rule = new CfnRule(this, 'Rule', {
      name,
      description: 'Canvass: events for its webhook',
      eventBusName: bus.eventBusName,
      eventPattern: pattern,
      targets: [
        {
          id: 'webhook',
          arn: destination.apiDestinationArn,
          roleArn: role.roleArn,
          retryPolicy: RETRY,
          deadLetterConfig: { arn: failed.queueArn },
        },
      ],
    });
    failed.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AllowRule',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [failed.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': rule.attrArn } },
      }),
    );
    this.alarm = createAlarm(
      this,
      'NotTaken',
      {
        name: `webhook-failed-${key}`,
        means: `The webhook at ${new URL(url).host} did not accept an event within a day.`,
        runbook: 'webhook-failed',
        first: `aws sqs receive-message --message-attribute-names All --queue-url ${failed.queueUrl}`,
        level: 'essential',
        metric: failed.messages,
        threshold: 1,
        periods: 1,
      },
      settings,
    );
  }
}
