import { Aws, Duration, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
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
/**
 * What the bus did not take comes again after so long; Lambda wants six times the function's time-out (Lambda, "Using
 * Lambda with Amazon SQS").
 */
const VISIBILITY_SECONDS = 6 * TIMEOUT_SECONDS;
/** Entries of one PutEvents request. */
const BATCH = 10;
/** A backlog of hours leaves as fast as the bus takes it, and the account its concurrency. */
const MOST_SENDERS = 10;

/** As the SDKs read it (AWS SDKs and Tools, "Service-specific endpoints"). */
const EVENTS_ENDPOINT = 'AWS_ENDPOINT_URL_EVENTBRIDGE';

/** The queue in which events wait for the bus, the function that sends them, and webhooks on the bus. */
export class Events extends Construct {
  readonly queue: Queue;
  readonly bus: IEventBus;
  readonly includeText: boolean;
  /** As `PutEvents` takes it: of another account it is the ARN. */
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
    // `PutEvents` is asked in the stage's region, and refuses a bus of another one.
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
      reason:
        'An event is tried until the bus takes it, for as long as a queue can keep it; an alarm says when one is late.',
    });
    this.function = this.#send(backends);
    const namespace = metricsNamespace(settings);
    // The queue's own age leaves out what was received three times: what the sender tells of that, while it runs.
    const ages = [
      this.queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: PERIOD }),
      serviceMetric(namespace, 'events_waited', {}, Stats.MAXIMUM),
    ];
    const late = alarmEach(ages, {
      name: 'events-late',
      means: 'An event has waited for the bus for a quarter of an hour.',
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
        means: 'Neither queue nor bus took events for five hours: they are lost, and counting goes on.',
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

  /** Allows queueing events, and says where. */
  connect(queueing: Connected): void {
    queueing.may.allowQueue(this.queue.queueArn);
    queueing.setEnvironment({
      [EVENT_ENVIRONMENT.queueUrl]: this.queue.queueUrl,
      [EVENT_ENVIRONMENT.includeText]: String(this.includeText),
    });
  }

  /** Allows putting events on the bus, and says where it is in this partition. */
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
