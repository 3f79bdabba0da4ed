import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { ServiceTable } from '../data/table.ts';
import { PERIOD, serviceMetric } from '../functions/service-metric.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';
import type { StreamConsumer } from '../stream-consumer.ts';
import { type AlarmCondition, alarmEach, sums } from './alarm.ts';
import { ANY_ERROR, accessLog, functionLog } from './first-command.ts';
import { scoresStuck } from './score-alarms.ts';

const sum = { statistic: Stats.SUM, period: PERIOD };
const longest = { statistic: Stats.MAXIMUM, period: PERIOD };

interface Observed {
  readonly settings: DeploymentSettings;
  readonly table: ServiceTable;
  readonly consumer: StreamConsumer;
  readonly topic: ITopic;
}

/**
 * Positive only if answers or dismissals were accepted while the consumer never ran: accepted answers minus 10⁹ for
 * each run. A disabled mapping writes no metric, so iterator age has no data (Lambda, "Event source mapping metrics").
 * The alarm needs two windows: a window's last answers may be counted after its end.
 */
function uncounted(namespace: string, consumer: StreamConsumer): MathExpression {
  const period = Duration.minutes(90);
  const accepted = serviceMetric(namespace, 'accepted');
  const runs = new MathExpression({
    expression: '-1000000000 * runs',
    usingMetrics: { runs: consumer.function.metricInvocations({ statistic: Stats.SUM }) },
    period,
  });
  return new MathExpression({
    expression: 'SUM([accepted, counted])',
    usingMetrics: { accepted, counted: runs },
    period,
  });
}

export function dataConditions({ settings, table, consumer, topic }: Observed): readonly AlarmCondition[] {
  const namespace = metricsNamespace(settings);
  const consumed = (pattern: string) => functionLog(settings, 'on-change', pattern);
  return [
    {
      name: 'counting-stopped',
      means: 'Answers arrived for three hours, but the function that counts them never ran.',
      runbook: 'counting-stopped',
      first: `aws lambda list-event-source-mappings --function-name ${consumer.function.functionName}`,
      level: 'essential',
      metric: uncounted(namespace, consumer),
      threshold: 1,
      periods: 2,
    },
    {
      name: 'counting-behind',
      means: 'Totals are more than ten minutes behind the answers. Quotas and limits can be exceeded.',
      runbook: 'counting-behind',
      first: consumed(ANY_ERROR),
      level: 'essential',
      metric: consumer.function.metric('IteratorAge', longest),
      threshold: Duration.minutes(10).toMilliseconds(),
      periods: 2,
    },
    {
      name: 'counting-abandoned',
      means: 'A batch of the stream failed for good. Its answers are stored but not counted.',
      runbook: 'counting-abandoned',
      first: `aws sqs receive-message --queue-url ${consumer.abandoned.queueUrl}`,
      level: 'essential',
      metric: consumer.abandoned.metricApproximateNumberOfMessagesVisible(longest),
      threshold: 1,
      periods: 1,
    },
    {
      name: 'results-uncounted',
      means:
        'Some answers are missing from results: settings or records could not be read, or results not written.',
      runbook: 'results-uncounted',
      first: consumed('{ $.uncounted >= 1 }'),
      level: 'essential',
      metric: serviceMetric(namespace, 'uncounted'),
      threshold: 1,
      periods: 1,
    },
    ...alarmEach(sums(table.throttles(PERIOD)), {
      name: 'table-throttles',
      means: 'DynamoDB has throttled the table or one of its indexes for ten minutes.',
      runbook: 'table-throttles',
      first: accessLog(settings, '{ $.status = "503" }'),
      level: 'all',
      threshold: 20,
      periods: 2,
    }),
    scoresStuck(settings),
    {
      name: 'notifications-failed',
      means: 'A subscriber of the alarm topic could not be notified. The other subscribers get this message.',
      runbook: 'notifications-failed',
      first: `aws sns list-subscriptions-by-topic --topic-arn ${topic.topicArn}`,
      level: 'essential',
      metric: topic.metricNumberOfNotificationsFailed(sum),
      threshold: 1,
      periods: 1,
    },
  ];
}
