import { createHash } from 'node:crypto';
import { Aws, Duration, Validations } from 'aws-cdk-lib';
import { type Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  ApiDestination,
  Authorization,
  CfnRule,
  Connection,
  EventBus,
  type IEventBus,
} from 'aws-cdk-lib/aws-events';
import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { EVENT_SOURCE } from '../shared/domain/happening.ts';
import { EVENT_ENVIRONMENT } from '../shared/settings/environment.ts';
import type { WebhookOutput } from '../shared/settings/stack-outputs.ts';
import { alarmEach, createAlarm, functionLog, longest, serviceMetric } from './alarms/alarm.ts';
import { secretValue } from './data/secrets.ts';
import { FailureQueue, queueEncryption } from './failure-queue.ts';
import { type Backends, type Connected, ruleStatement, serviceRole } from './functions/function-role.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { type DeploymentSettings, metricsNamespace } from './settings/settings.ts';
import { requireStageRegion } from './settings/stage-guard.ts';
import { type EventConfig, jsonWebhooksOf, type WebhookSettings } from './settings/telling-settings.ts';

const TIMEOUT_SECONDS = 10;
/** Six times the function's time-out (Lambda, "Using Lambda with Amazon SQS"). */
const VISIBILITY_SECONDS = 6 * TIMEOUT_SECONDS;
/** The maximum of PutEvents. */
const BATCH = 10;
/** Enough to clear a backlog of hours within the concurrency of the account. */
const MOST_SENDERS = 10;

/** See AWS SDKs and Tools, "Service-specific endpoints". */
const EVENTS_ENDPOINT = 'AWS_ENDPOINT_URL_EVENTBRIDGE';

export class Events extends Construct {
  readonly queue: Queue;
  readonly bus: IEventBus;
  readonly includeText: boolean;
  readonly #busId: string;
  readonly alarms: readonly Alarm[];
  readonly webhooks: readonly Webhook[];
  readonly function: IFunction;

  constructor(
    scope: Construct,
    id: string,
    backends: Backends,
    { busName = 'default', busArn, includeText }: EventConfig,
  ) {
    super(scope, id);
    const { settings } = backends;
    this.includeText = includeText;
    // `PutEvents` refuses a bus in another region.
    if (busArn !== undefined) requireStageRegion(this, 'events.busArn', busArn, 'a bus');
    this.bus =
      busArn === undefined
        ? EventBus.fromEventBusName(this, 'Bus', busName)
        : EventBus.fromEventBusArn(this, 'Bus', busArn);
    this.#busId = busArn ?? busName;
    this.queue = new Queue(this, 'Queue', {
      ...queueEncryption(this, settings),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(VISIBILITY_SECONDS),
    });
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'The sender retries an event for as long as a queue can keep it. An alarm reports late events.',
    });
    this.function = this.#send(backends);
    const namespace = metricsNamespace(settings);
    // The queue's age metric ignores messages that were received three times. The sender reports those.
    const ages = [
      this.queue.metricApproximateAgeOfOldestMessage(longest),
      serviceMetric(namespace, 'events_waited', {}, Stats.MAXIMUM),
    ];
    const late = alarmEach(ages, {
      name: 'events-late',
      means: 'An event has waited 15 minutes to be sent to the event bus. Webhooks and Slack are late.',
      first: functionLog(settings, 'send-events', '{ $.message = "events not delivered" }'),
      threshold: Duration.minutes(15).toSeconds(),
    }).map((condition, index) => createAlarm(this, index === 0 ? 'Late' : 'Refused', settings, condition));
    const lost = createAlarm(this, 'Lost', settings, {
      name: 'events-lost',
      means:
        'Events were lost: neither the queue nor the event bus accepted them for five hours. Answers are still counted.',
      first: functionLog(settings, 'on-change', '{ $.events_lost >= 1 }'),
      metric: serviceMetric(namespace, 'events_lost'),
    });
    this.webhooks = jsonWebhooksOf(settings.webhooks).map(
      (webhook) => new Webhook(this, webhook, this.bus, settings),
    );
    this.alarms = [...late, lost, ...this.webhooks.map(({ alarm }) => alarm)];
  }

  connect(queueing: Connected): void {
    queueing.may.allowQueue(this.queue.queueArn);
    queueing.setEnvironment({
      [EVENT_ENVIRONMENT.queueUrl]: this.queue.queueUrl,
      [EVENT_ENVIRONMENT.includeText]: String(this.includeText),
    });
  }

  connectBus(sending: Connected): void {
    sending.may.allow(['events:PutEvents'], [this.bus.eventBusArn]);
    sending.setEnvironment({
      [EVENT_ENVIRONMENT.busName]: this.#busId,
      [EVENTS_ENDPOINT]: `https://events.${Aws.REGION}.${Aws.URL_SUFFIX}`,
    });
  }

  #send(backends: Backends): IFunction {
    const sending = new ServiceFunction(this, 'send-events', {
      name: 'send-events',
      timeoutSeconds: TIMEOUT_SECONDS,
      backends,
    });
    this.connectBus(sending);
    sending.may.allowReceiving(this.queue.queueArn);
    new EventSourceMapping(this, 'Waiting', {
      target: sending.function,
      eventSourceArn: this.queue.queueArn,
      batchSize: BATCH,
      reportBatchItemFailures: true,
      maxConcurrency: MOST_SENDERS,
    });
    return sending.function;
  }
}

/** The maximum of EventBridge (RetryPolicy). */
export const RETRY = { maximumRetryAttempts: 185, maximumEventAgeInSeconds: 86_400 } as const;

class Webhook extends Construct {
  readonly alarm: Alarm;
  readonly resending: WebhookOutput;

  constructor(scope: Construct, webhook: WebhookSettings, bus: IEventBus, settings: DeploymentSettings) {
    const { url, secretName, secretVersion, detailTypes, onlyLow } = webhook;
    // The key does not use the index, because inserting a webhook before this one must not replace it.
    const key = createHash('sha256').update(url).digest('hex').slice(0, 8);
    super(scope, `Webhook-${key}`);
    const deployment = metricsNamespace(settings);
    const name = `${deployment}-${key}`;
    const connection = new Connection(this, 'Connection', {
      connectionName: name,
      description: 'Canvass: the credentials of its webhook',
      authorization: Authorization.apiKey('Authorization', secretValue(secretName, secretVersion)),
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
    failed.addToResourcePolicy(ruleStatement('AllowRule', 'sqs:SendMessage', failed.queueArn, rule.attrArn));
    this.alarm = createAlarm(this, 'NotTaken', settings, {
      name: `webhook-failed-${key}`,
      means: `The webhook at ${new URL(url).host} did not accept an event within a day.`,
      runbook: 'webhook-failed',
      first: `aws sqs receive-message --message-attribute-names All --queue-url ${failed.queueUrl}`,
      metric: failed.messages,
    });
  }
}
