import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../../shared/settings/metrics.ts';

export const PERIOD = Duration.minutes(5);

export function serviceMetric(
  namespace: string,
  metricName: MetricName,
  dimensionsMap: Readonly<Record<string, string>> = {},
  statistic: string = Stats.SUM,
): Metric {
  return new Metric({ namespace, metricName, dimensionsMap, statistic, period: PERIOD });
}
