import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ServiceApi } from '../api.ts';
import { PERIOD } from '../functions/service-metric.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { type AlarmCondition, alarmEach, share, sums } from './alarm.ts';
import { ANY_ERROR, accessLog, functionLogs } from './first-command.ts';

const ACCOUNT_LIMITS = 'aws lambda get-account-settings --query AccountLimit';

const sum = { statistic: Stats.SUM, period: PERIOD };

/** Request functions fail as a share of requests, background functions by number. */
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
          'At least one request in a hundred fails because its function crashes, times out or runs out of memory.',
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
        means: 'Lambda throttles at least one request in a hundred: the account has too little concurrency.',
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
          'Background functions (stream, purges, scores, events, Slack, digest) crash, time out or run out of memory.',
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
        means: 'Lambda throttles background functions (stream, purges, scores, events, Slack, digest).',
        runbook: 'function-throttles',
        first: ACCOUNT_LIMITS,
        level: 'all',
        threshold: 3,
        periods: 1,
      },
    ),
  ];
}
