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
 * Answers, dismissals too, that were accepted while the consumer never ran. A mapping that is switched off, or that
 * Lambda may not run, writes no metric at all, so the age of its records stays silent (Lambda, "Event source mapping
 * metrics"). The sum is the answers less 10⁹ for each run: above zero only if there were answers and no run. SUM takes a
 * metric that was never written as 0.
 *
 * Two windows in a row have to be so, since one may be without anything being wrong: its last answers were counted after
 * its end, or the metric of that run is not there yet. Then the run is in the second of the two.
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

/** What happens to answers once they are accepted. */
export function dataConditions({ settings, table, consumer, topic }: Observed): readonly AlarmCondition[] {
  const namespace = metricsNamespace(settings);
  const consumed = (pattern: string) => functionLog(settings, 'on-change', pattern);
  return [
    {
      name: 'counting-stopped',
      means: 'Answers came in for three hours, and the function that counts them never ran.',
      runbook: 'counting-stopped',
      first: `aws lambda list-event-source-mappings --function-name ${consumer.function.functionName}`,
      level: 'essential',
      metric: uncounted(namespace, consumer),
      threshold: 1,
      periods: 2,
    },
    {
      name: 'counting-behind',
      means: 'Totals lag behind the answers by more than ten minutes; quotas and maxima overshoot.',
      runbook: 'counting-behind',
      first: consumed(ANY_ERROR),
      level: 'essential',
      metric: consumer.function.metric('IteratorAge', longest),
      threshold: Duration.minutes(10).toMilliseconds(),
      periods: 2,
    },
    {
      name: 'counting-abandoned',
      means: 'A batch of the stream was given up; its answers are stored but not counted.',
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
        'Settings or records cannot be read, or results not written: they are left out, and others counted.',
      runbook: 'results-uncounted',
      first: consumed('{ $.uncounted >= 1 }'),
      level: 'essential',
      metric: serviceMetric(namespace, 'uncounted'),
      threshold: 1,
      periods: 1,
    },
    ...alarmEach(sums(table.throttles(PERIOD)), {
      name: 'table-throttles',
      means: 'DynamoDB throttles the table or one of its indexes, for ten minutes.',
      runbook: 'table-throttles',
      first: accessLog(settings, '{ $.status = "503" }'),
      level: 'all',
      threshold: 20,
      periods: 2,
    }),
    scoresStuck(settings),
    {
      name: 'notifications-failed',
      means: 'A subscriber of the alarm topic could not be told; the others hear of it.',
      runbook: 'notifications-failed',
      first: `aws sns list-subscriptions-by-topic --topic-arn ${topic.topicArn}`,
      level: 'essential',
      metric: topic.metricNumberOfNotificationsFailed(sum),
      threshold: 1,
      periods: 1,
    },
  ];
}
