import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { routes } from '../../shared/contract/routes.ts';
import type { ServiceTable } from '../data/table.ts';
import { PERIOD, serviceMetric } from '../functions/service-metric.ts';
import type { StreamConsumer } from '../stream-consumer.ts';
import { type AlarmCondition, alarmEach, sums } from './alarm.ts';
import { scoresStuck } from './score-alarms.ts';

const sum = { statistic: Stats.SUM, period: PERIOD };
const longest = { statistic: Stats.MAXIMUM, period: PERIOD };

interface Observed {
  readonly namespace: string;
  readonly table: ServiceTable;
  readonly consumer: StreamConsumer;
  readonly topic: ITopic;
}

/**
 * Answers accepted while the consumer never ran. A mapping that is switched off, or that Lambda may not run, writes no
 * metric at all, so the age of its records stays silent (Lambda, "Event source mapping metrics"). The sum is the answers
 * less 10⁹ for each run: above zero only if there were answers and no run. SUM takes a metric that was never written as 0.
 */
function uncounted(namespace: string, consumer: StreamConsumer): MathExpression {
  const period = Duration.hours(3);
  const accepted = serviceMetric(namespace, 'accepted', { route: routes.submitResponse.name });
  const byLink = serviceMetric(namespace, 'accepted', { route: routes.answerLink.name });
  const runs = new MathExpression({
    expression: '-1000000000 * runs',
    usingMetrics: { runs: consumer.function.metricInvocations({ statistic: Stats.SUM }) },
    period,
  });
  return new MathExpression({
    expression: 'SUM([accepted, byLink, counted])',
    usingMetrics: { accepted, byLink, counted: runs },
    period,
  });
}

/** What happens to answers once they are accepted. */
export function dataConditions({ namespace, table, consumer, topic }: Observed): readonly AlarmCondition[] {
  return [
    {
      name: 'counting-stopped',
      means: 'Answers came in for three hours, and the function that counts them never ran.',
      runbook: 'counting-stopped',
      level: 'essential',
      metric: uncounted(namespace, consumer),
      threshold: 2,
      periods: 1,
    },
    {
      name: 'counting-behind',
      means: 'Totals lag behind the answers by more than ten minutes; quotas and maxima overshoot.',
      runbook: 'counting-behind',
      level: 'essential',
      metric: consumer.function.metric('IteratorAge', longest),
      threshold: Duration.minutes(10).toMilliseconds(),
      periods: 2,
    },
    {
      name: 'counting-abandoned',
      means: 'A batch of the stream was given up; its answers are stored but not counted.',
      runbook: 'counting-abandoned',
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
      level: 'essential',
      metric: serviceMetric(namespace, 'uncounted'),
      threshold: 1,
      periods: 1,
    },
    ...alarmEach(sums(table.throttles(PERIOD)), {
      name: 'table-throttles',
      means: 'DynamoDB throttles the table or one of its indexes, for ten minutes.',
      runbook: 'table-throttles',
      level: 'all',
      threshold: 20,
      periods: 2,
    }),
    scoresStuck(namespace),
    {
      name: 'notifications-failed',
      means: 'A subscriber of the alarm topic could not be told; the others hear of it.',
      runbook: 'notifications-failed',
      level: 'essential',
      metric: topic.metricNumberOfNotificationsFailed(sum),
      threshold: 1,
      periods: 1,
    },
  ];
}
