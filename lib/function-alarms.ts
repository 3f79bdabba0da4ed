import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type AlarmCondition, numbered, share, sums } from './alarm.ts';
import type { ServiceApi } from './api.ts';
import { PERIOD } from './service-metric.ts';

const sum = { statistic: Stats.SUM, period: PERIOD };

type Wording = Pick<AlarmCondition, 'means' | 'runbook'>;

/**
 * Which functions fail: those of the routes as a share of requests, those in the background by number.
 * @param background functions that no caller waits for
 */
export function functionConditions(
  { functions, http }: ServiceApi,
  background: readonly IFunction[],
): readonly AlarmCondition[] {
  const serving = [...functions.values()];
  const requests = http.metricCount(sum);
  const ofRequests = (name: string, of: (fn: IFunction) => Metric, more: Wording): AlarmCondition[] =>
    sums(serving.map(of), 1).map((failed, part) => ({
      ...more,
      name: numbered(name, part),
      level: 'all',
      metric: share(failed, requests, 2),
      threshold: 1,
      periods: 1,
    }));
  const inBackground = (name: string, of: (fn: IFunction) => Metric, more: Wording): AlarmCondition[] =>
    sums(background.map(of)).map((metric, part) => ({
      ...more,
      name: numbered(name, part),
      level: 'all',
      metric,
      threshold: 3,
      periods: 1,
    }));
  return [
    ...ofRequests('function-failures', (fn) => fn.metricErrors(sum), {
      means:
        'Functions that answer requests crash, run out of memory or time: one request in a hundred or more.',
      runbook: 'function-failures',
    }),
    ...ofRequests('function-throttles', (fn) => fn.metricThrottles(sum), {
      means: 'Lambda refuses one request in a hundred or more: the account runs out of concurrency.',
      runbook: 'function-throttles',
    }),
    ...inBackground('background-failures', (fn) => fn.metricErrors(sum), {
      means: 'Functions of the stream, of purges or of the score adapter crash, run out of memory or time.',
      runbook: 'background-failures',
    }),
    ...inBackground('background-throttles', (fn) => fn.metricThrottles(sum), {
      means: 'Lambda refuses to run the stream, purges or the score adapter.',
      runbook: 'function-throttles',
    }),
  ];
}
