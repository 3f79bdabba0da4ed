import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { refusalsOf } from '../../shared/contract/route.ts';
import { ROUTES, routes } from '../../shared/contract/routes.ts';
import type { ServiceApi } from '../api.ts';
import { PERIOD, serviceMetric } from '../functions/service-metric.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';
import { type AlarmCondition, share } from './alarm.ts';
import { accessLog, functionLog, functionLogs } from './first-command.ts';

const sum = { statistic: Stats.SUM, period: PERIOD };
const hourly = { statistic: Stats.SUM, period: Duration.hours(1) };

const LIMITED = ROUTES.filter(({ rateLimited }) => rateLimited === true).map(({ name }) => name);

export function requestConditions(
  settings: DeploymentSettings,
  { http }: ServiceApi,
): readonly AlarmCondition[] {
  const namespace = metricsNamespace(settings);
  const requests = http.metricCount(sum);
  const refusals = (code: ReturnType<typeof refusalsOf>[number]) =>
    serviceMetric(namespace, 'refused', { code });
  return [
    {
      name: 'gateway-failures',
      means: 'At least one request in twenty fails with a 5xx: callers see errors.',
      runbook: 'gateway-failures',
      first: accessLog(settings, '{ $.status = "5*" }'),
      level: 'essential',
      metric: share(http.metricServerError(sum), requests, 2),
      threshold: 5,
      periods: 1,
    },
    {
      name: 'gateway-failures-quiet',
      means: 'During a quiet hour, at least one request in five failed with a 5xx.',
      runbook: 'gateway-failures',
      first: accessLog(settings, '{ $.status = "5*" }'),
      level: 'all',
      metric: share(http.metricServerError(hourly), http.metricCount(hourly), 3),
      threshold: 20,
      periods: 1,
    },
    {
      name: 'internal-errors',
      means: 'At least one request in a hundred fails with 500: a bug in Canvass.',
      runbook: 'internal-errors',
      first: accessLog(settings, '{ $.status = "500" }'),
      level: 'all',
      metric: share(refusals('internal_error'), requests, 2),
      threshold: 1,
      periods: 1,
    },
    {
      name: 'unavailable',
      means:
        'At least one request in fifty fails with 503: DynamoDB or Secrets Manager does not respond in time.',
      runbook: 'unavailable',
      first: accessLog(settings, '{ $.status = "503" }'),
      level: 'all',
      metric: share(refusals('temporarily_unavailable'), requests, 2),
      threshold: 2,
      periods: 2,
    },
    {
      name: 'rate-limiter-open',
      means: 'The rate limiter does not respond: at least one request in twenty is not limited.',
      runbook: 'rate-limiter-open',
      first: functionLogs(settings, LIMITED, '{ $.message = "rate limiter unavailable*" }'),
      level: 'all',
      metric: share(serviceMetric(namespace, 'unmetered'), requests, 5),
      threshold: 5,
      periods: 1,
    },
    {
      name: 'slow-bootstrap',
      means: 'At least one bootstrap request in a hundred takes more than two seconds: surveys appear late.',
      runbook: 'slow-requests',
      first: functionLog(settings, routes.bootstrap.name, '{ $.latency >= 2000 }'),
      level: 'all',
      metric: serviceMetric(namespace, 'latency', { route: routes.bootstrap.name }, Stats.percentile(99)),
      threshold: 2_000,
      periods: 3,
      ignoresFewSamples: true,
    },
    {
      name: 'bootstrap-too-large',
      means: "A project's surveys do not fit in one response: its visitors see no surveys.",
      runbook: 'bootstrap-too-large',
      first: functionLog(settings, routes.bootstrap.name, '{ $.reply_too_large >= 1 }'),
      level: 'all',
      metric: serviceMetric(namespace, 'reply_too_large', { route: routes.bootstrap.name }),
      threshold: 1,
      periods: 1,
    },
  ];
}
