import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { refusalsOf } from '../../shared/contract/route.ts';
import { ROUTES, routes } from '../../shared/contract/routes.ts';
import type { ServiceApi } from '../api.ts';
import type { ServiceTable } from '../data/table.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';
import type { StreamConsumer } from '../stream-consumer.ts';
import {
  type AlarmCondition,
  ANY_ERROR,
  accessLog,
  alarmEach,
  functionLog,
  functionLogs,
  longest,
  PERIOD,
  serviceMetric,
  share,
  sum,
  sums,
} from './alarm.ts';

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
      first: accessLog(settings, '{ $.status = "5*" }'),
      metric: share(http.metricServerError(sum), requests, 2),
      threshold: 5,
    },
    {
      name: 'gateway-failures-quiet',
      means: 'During a quiet hour, at least one request in five failed with a 5xx.',
      runbook: 'gateway-failures',
      first: accessLog(settings, '{ $.status = "5*" }'),
      level: 'all',
      metric: share(http.metricServerError(hourly), http.metricCount(hourly), 3),
      threshold: 20,
    },
    {
      name: 'internal-errors',
      means: 'At least one request in a hundred fails with 500: a bug in Canvass.',
      first: accessLog(settings, '{ $.status = "500" }'),
      level: 'all',
      metric: share(refusals('internal_error'), requests, 2),
    },
    {
      name: 'unavailable',
      means:
        'At least one request in fifty fails with 503: DynamoDB or Secrets Manager does not respond in time.',
      first: accessLog(settings, '{ $.status = "503" }'),
      level: 'all',
      metric: share(refusals('temporarily_unavailable'), requests, 2),
      threshold: 2,
      periods: 2,
    },
    {
      name: 'rate-limiter-open',
      means: 'The rate limiter does not respond: at least one request in twenty is not limited.',
      first: functionLogs(settings, LIMITED, '{ $.message = "rate limiter unavailable*" }'),
      level: 'all',
      metric: share(serviceMetric(namespace, 'unmetered'), requests, 5),
      threshold: 5,
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
      first: functionLog(settings, routes.bootstrap.name, '{ $.reply_too_large >= 1 }'),
      level: 'all',
      metric: serviceMetric(namespace, 'reply_too_large', { route: routes.bootstrap.name }),
    },
  ];
}

const ACCOUNT_LIMITS = 'aws lambda get-account-settings --query AccountLimit';

/** Request functions alarm on the share of failures, background functions on their number. */
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
        first: accessLog(settings, '{ $.status = "5*" }'),
        level: 'all',
      },
    ),
    ...alarmEach(
      ofRequests((fn) => fn.metricThrottles(sum)),
      {
        name: 'function-throttles',
        means: 'Lambda throttles at least one request in a hundred: the account has too little concurrency.',
        first: ACCOUNT_LIMITS,
        level: 'all',
      },
    ),
    ...alarmEach(
      inBackground((fn) => fn.metricErrors(sum)),
      {
        name: 'background-failures',
        means:
          'Background functions (stream, purges, scores, events, Slack, digest) crash, time out or run out of memory.',
        first: functionLogs(settings, [...background.keys()], ANY_ERROR),
        level: 'all',
        threshold: 3,
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
      },
    ),
  ];
}

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
      first: `aws lambda list-event-source-mappings --function-name ${consumer.function.functionName}`,
      metric: uncounted(namespace, consumer),
      periods: 2,
    },
    {
      name: 'counting-behind',
      means: 'Totals are more than ten minutes behind the answers. Quotas and limits can be exceeded.',
      first: consumed(ANY_ERROR),
      metric: consumer.function.metric('IteratorAge', longest),
      threshold: Duration.minutes(10).toMilliseconds(),
      periods: 2,
    },
    {
      name: 'counting-abandoned',
      means: 'A batch of the stream failed for good. Its answers are stored but not counted.',
      first: `aws sqs receive-message --queue-url ${consumer.abandoned.queueUrl}`,
      metric: consumer.abandoned.metricApproximateNumberOfMessagesVisible(longest),
    },
    {
      name: 'results-uncounted',
      means:
        'Some answers are missing from results: settings or records could not be read, or results not written.',
      first: consumed('{ $.uncounted >= 1 }'),
      metric: serviceMetric(namespace, 'uncounted'),
    },
    ...alarmEach(sums(table.throttles(PERIOD)), {
      name: 'table-throttles',
      means: 'DynamoDB has throttled the table or one of its indexes for ten minutes.',
      first: accessLog(settings, '{ $.status = "503" }'),
      level: 'all',
      threshold: 20,
      periods: 2,
    }),
    {
      // This alarm exists without the score adapter too, because polling reports the age.
      name: 'scores-stuck',
      means: 'Polling for scores returned one that has been pending for more than an hour.',
      first: functionLog(settings, routes.listPendingScores.name, '{ $.oldest_pending >= 3600 }'),
      level: 'all',
      metric: serviceMetric(namespace, 'oldest_pending', {}, Stats.MAXIMUM),
      threshold: Duration.hours(1).toSeconds(),
      periods: 2,
    },
    {
      name: 'notifications-failed',
      means: 'A subscriber of the alarm topic could not be notified. The other subscribers get this message.',
      first: `aws sns list-subscriptions-by-topic --topic-arn ${topic.topicArn}`,
      metric: topic.metricNumberOfNotificationsFailed(sum),
    },
  ];
}
