import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ServiceApi } from '../api.ts';
import { PERIOD } from '../functions/service-metric.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { type AlarmCondition, alarmEach, share, sums } from './alarm.ts';
import { ANY_ERROR, accessLog, functionLogs } from './first-command.ts';

/** Concurrency of the account, and what of it is reserved. */
const ACCOUNT_LIMITS = 'aws lambda get-account-settings --query AccountLimit';

const sum = { statistic: Stats.SUM, period: PERIOD };

/**
 * Which functions fail: those of the routes as a share of requests, those in the background by number.
 * @param background functions that no caller waits for, by the names of their logs
 */
export function functionConditions(
  { functions, http }: ServiceApi,
  background: ReadonlyMap<string, IFunction>,
  settings: DeploymentSettings,
): readonly AlarmCondition[] {
  const serving = [...functions.values()];
  const requests = http.metricCount(sum);
  const ofRequests = (of: (fn: IFunction) => Metric) =>
    sums(serving.map(of), 1).map((failed) => share(failed, requests, 2));
  const inBackground = (of: (fn: IFunction) => Metric) => sums([...background.values()].map(of));
  return [
    ...alarmEach(
      ofRequests((fn) => fn.metricErrors(sum)),
      {
        name: 'function-failures',
        means:
          'Functions that answer requests crash, run out of memory or time: one request in a hundred or more.',
        runbook: 'function-failures',
        first: accessLog(settings, '{ $.status = "5*" }'),
        level: 'all',
        threshold: 1,
        periods: 1,
      },
    ),
    ...alarmEach(
      ofRequests((fn) => fn.metricThrottles(sum)),
      {
        name: 'function-throttles',
        means: 'Lambda refuses one request in a hundred or more: the account runs out of concurrency.',
        runbook: 'function-throttles',
        first: ACCOUNT_LIMITS,
        level: 'all',
        threshold: 1,
        periods: 1,
      },
    ),
    ...alarmEach(
      inBackground((fn) => fn.metricErrors(sum)),
      {
        name: 'background-failures',
        means:
          'Functions of the stream, purges, the score adapter, events, Slack or the digest crash, run out of memory or time.',
        runbook: 'background-failures',
        first: functionLogs(settings, [...background.keys()], ANY_ERROR),
        level: 'all',
        threshold: 3,
        periods: 1,
      },
    ),
    ...alarmEach(
      inBackground((fn) => fn.metricThrottles(sum)),
      {
        name: 'background-throttles',
        means:
          'Lambda refuses to run the stream, purges, the score adapter, or what sends events, to Slack or the digest.',
        runbook: 'function-throttles',
        first: ACCOUNT_LIMITS,
        level: 'all',
        threshold: 3,
        periods: 1,
      },
    ),
  ];
}
