import { Aws, Duration, Validations } from 'aws-cdk-lib';
import { type Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { EVENT_ENVIRONMENT } from '../shared/settings/environment.ts';
import { alarmEach, createAlarm } from './alarms/alarm.ts';
import { functionLog } from './alarms/first-command.ts';
import { queueEncryption } from './failure-queue.ts';
import type { Backends, Connected } from './functions/backends.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { PERIOD, serviceMetric } from './functions/service-metric.ts';
import { metricsNamespace } from './settings/settings.ts';
import { requireStageRegion } from './settings/stage-region.ts';
import { type EventConfig, jsonWebhooksOf } from './settings/telling-settings.ts';
import { Webhook } from './webhook.ts';

const TIMEOUT_SECONDS = 10;
/** Six times the function's time-out (Lambda, "Using Lambda with Amazon SQS"). */
const VISIBILITY_SECONDS = 6 * TIMEOUT_SECONDS;
/** PutEvents' maximum. */
const BATCH = 10;
/** Clears a backlog of hours without using up the account's concurrency. */
const MOST_SENDERS = 10;

/** AWS SDKs and Tools, "Service-specific endpoints". */
const EVENTS_ENDPOINT = 'AWS_ENDPOINT_URL_EVENTBRIDGE';

export class Events extends Construct {
  readonly queue: Queue;
  readonly bus: IEventBus;
  readonly includeText: boolean;
  /** An ARN if the bus is in another account. */
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
    // The queue's age leaves out messages that were received three times. The sender reports those.
    const ages = [
      this.queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: PERIOD }),
      serviceMetric(namespace, 'events_waited', {}, Stats.MAXIMUM),
    ];
    const late = alarmEach(ages, {
      name: 'events-late',
      means: 'An event has waited 15 minutes to be sent to the event bus. Webhooks and Slack are late.',
      runbook: 'events-late',
      first: functionLog(settings, 'send-events', '{ $.message = "events not delivered" }'),
      level: 'essential',
      threshold: Duration.minutes(15).toSeconds(),
      periods: 1,
    }).map((condition, index) => createAlarm(this, index === 0 ? 'Late' : 'Refused', condition, settings));
    const lost = createAlarm(
      this,
      'Lost',
      {
        name: 'events-lost',
        means:
          'Events were lost: neither the queue nor the event bus accepted them for five hours. Answers are still counted.',
        runbook: 'events-lost',
        first: functionLog(settings, 'on-change', '{ $.events_lost >= 1 }'),
        level: 'essential',
        metric: serviceMetric(namespace, 'events_lost'),
        threshold: 1,
        periods: 1,
      },
      settings,
    );
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
