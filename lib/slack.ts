import { createHash } from 'node:crypto';
import { Duration, Stack } from 'aws-cdk-lib';
import { type Alarm, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnRule, type IEventBus } from 'aws-cdk-lib/aws-events';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { EVENT_SOURCE, NEWS } from '../shared/domain/happening.ts';
import { SLACK_ENVIRONMENT } from '../shared/settings/environment.ts';
import { createAlarm, functionLog, longest, PERIOD } from './alarms/alarm.ts';
import { secretArn } from './data/secrets.ts';
import { RETRY } from './events.ts';
import { FailureQueue, queueEncryption } from './failure-queue.ts';
import { type Backends, ruleStatement } from './functions/function-role.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { metricsNamespace } from './settings/settings.ts';
import type { SlackWebhookSettings } from './settings/telling-settings.ts';

const TIMEOUT_SECONDS = 60;
/** Six times the function's time-out (Lambda, "Using Lambda with Amazon SQS"). */
const VISIBILITY_SECONDS = 6 * TIMEOUT_SECONDS;
/** Enough for an hour of attempts. */
const MOST_RECEIVES = 10;
/** Longer than a refused message can delay others before it raises its own alarm. */
const MOST_WAIT = Duration.hours(2);

interface SlackProps {
  readonly backends: Backends;
  readonly channels: readonly SlackWebhookSettings[];
  readonly bus: IEventBus;
  readonly url: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Imported answers are not sent. An answer with two kinds of news is one event and one message. */
function patternOf({ projects, events }: SlackWebhookSettings, deployment: string) {
  const news = NEWS.filter((each) => events.includes(each));
  const hasDigest = events.includes('digest');
  const answers = { became: news, source: ['sdk'] };
  const ofDetail =
    news.length === 0 ? {} : hasDigest ? { $or: [answers, { week: [{ exists: true }] }] } : answers;
  return {
    source: [EVENT_SOURCE],
    'detail-type': [
      ...(news.length === 0 ? [] : ['Response Recorded', 'Response Revised']),
      ...(hasDigest ? ['Survey Digest'] : []),
    ],
    detail: { deployment: [deployment], projectId: projects, ...ofDetail },
  };
}

interface Queues {
  readonly queue: Queue;
  readonly failed: FailureQueue;
  readonly untaken: FailureQueue;
}

/**
 * If the sender does not run, no message fails. One failure is therefore added if the oldest message waits too long.
 * The age includes messages that Slack refused (SQS, "Available CloudWatch metrics").
 */
function unsent({ queue, failed, untaken }: Queues): MathExpression {
  const stopped = new MathExpression({
    expression: `IF(oldest >= ${MOST_WAIT.toSeconds()}, 1, 0)`,
    usingMetrics: { oldest: queue.metricApproximateAgeOfOldestMessage(longest) },
    period: PERIOD,
  });
  return new MathExpression({
    expression: 'SUM([failed, untaken, stopped])',
    usingMetrics: { failed: failed.messages, untaken: untaken.messages, stopped },
    period: PERIOD,
  });
}

/**
 * A rule for each channel sends to one FIFO queue, grouped by the secret of the webhook address. Messages that Slack
 * refuses for an hour go to a queue with an alarm.
 */
export class Slack extends Construct {
  readonly function: IFunction;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { backends, channels, bus, url }: SlackProps) {
    super(scope, id);
    const { settings } = backends;
    const failed = new FailureQueue(this, 'Failed', settings, { fifo: true });
    const queue = new Queue(this, 'Queue', {
      ...queueEncryption(this, settings),
      enforceSSL: true,
      fifo: true,
      // EventBridge requires this for FIFO targets.
      contentBasedDeduplication: true,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(VISIBILITY_SECONDS),
      deadLetterQueue: { queue: failed, maxReceiveCount: MOST_RECEIVES },
    });
    // A rule's dead-letter queue cannot be FIFO (EventBridge, "Using dead-letter queues").
    const untaken = new FailureQueue(this, 'Untaken', settings);
    const deployment = metricsNamespace(settings);
    const rules = channels.map((channel) => this.#rule(channel, bus, { queue, untaken }, deployment));
    const ruleArns = rules.map(({ attrArn }) => attrArn);
    for (const each of [queue, untaken])
      each.addToResourcePolicy(ruleStatement('AllowRules', 'sqs:SendMessage', each.queueArn, ruleArns));
    this.function = this.#send({ backends, channels, url }, queue);
    const alarm = createAlarm(this, 'NotTaken', settings, {
      name: 'slack-failed',
      means:
        'Slack messages are not delivered: Slack refuses them, EventBridge cannot queue them, or the sender does not run.',
      first: functionLog(settings, 'send-slack', '{ $.message = "slack message not delivered" }', '24h'),
      metric: unsent({ queue, failed, untaken }),
    });
    this.alarms = [alarm];
  }

  #rule(
    channel: SlackWebhookSettings,
    bus: IEventBus,
    { queue, untaken }: Omit<Queues, 'failed'>,
    deployment: string,
  ): CfnRule {
    const { name, secretName: secretId, events, includeText } = channel;
    // The key does not use the index, because inserting a channel before this one must not replace it.
    const key = hashOf(`slack ${name}`).slice(0, 8);
    const webhook = Stack.of(this).toJsonString({ name, secretId, events, includeText });
    return new CfnRule(this, `Rule-${key}`, {
      name: `${deployment}-${key}`,
      description: `Canvass: messages for its Slack channel ${name}`,
      eventBusName: bus.eventBusName,
      eventPattern: patternOf(channel, deployment),
      targets: [
        {
          id: 'slack',
          arn: queue.queueArn,
          // Channels can share a webhook address, which accepts one message per second.
          sqsParameters: { messageGroupId: hashOf(secretId) },
          inputTransformer: {
            inputPathsMap: { detail: '$.detail' },
            inputTemplate: `{"webhook":${webhook},"detail":<detail>}`,
          },
          retryPolicy: RETRY,
          deadLetterConfig: { arn: untaken.queueArn },
        },
      ],
    });
  }

  #send({ backends, channels, url }: Omit<SlackProps, 'bus'>, queue: Queue): IFunction {
    const sending = new ServiceFunction(this, 'send-slack', {
      name: 'send-slack',
      timeoutSeconds: TIMEOUT_SECONDS,
      backends,
    });
    const secrets = new Set(channels.map(({ secretName }) => secretName));
    sending.readSecrets([...secrets].map((name) => secretArn(this, name)));
    sending.may.allowReceiving(queue.queueArn);
    sending.setEnvironment({ [SLACK_ENVIRONMENT.url]: url });
    new EventSourceMapping(this, 'Waiting', {
      target: sending.function,
      eventSourceArn: queue.queueArn,
      // With larger batches, messages that Slack did not refuse would also count as received again.
      batchSize: 1,
      reportBatchItemFailures: true,
    });
    return sending.function;
  }
}
