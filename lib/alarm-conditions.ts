/** What somebody is woken for: each condition with the section of the runbook that says what to do. */

import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { refusalsOf } from '../shared/contract/route.ts';
import type { MetricName } from '../shared/settings/metrics.ts';
import type { AnswerCounter } from './answer-counter.ts';
import type { ServiceApi } from './api.ts';

const PERIOD = Duration.minutes(5);

export interface AlarmCondition {
  readonly name: string;
  /** Symptom, in words. */
  readonly means: string;
  /** Heading in docs/operations.md, as its anchor. */
  readonly runbook: string;
  readonly metric: IMetric;
  /** Alarms at or above this. */
  readonly threshold: number;
  /** Periods of five minutes in a row. */
  readonly periods: number;
  /** For a percentile: what too few requests say of it is ignored. */
  readonly ignoresFewSamples?: true;
}

export interface Observed {
  readonly namespace: string;
  readonly api: ServiceApi;
  readonly counter: AnswerCounter;
  /** Functions that no caller waits for. */
  readonly background: readonly IFunction[];
}

export function serviceMetric(
  namespace: string,
  metricName: MetricName,
  dimensionsMap: Readonly<Record<string, string>> = {},
  statistic: string = Stats.SUM,
): Metric {
  return new Metric({ namespace, metricName, dimensionsMap, statistic, period: PERIOD });
}

type ErrorCode = ReturnType<typeof refusalsOf>[number];

const refusals = (namespace: string, code: ErrorCode): Metric =>
  serviceMetric(namespace, 'refused', { code });

/**
 * One sum over many functions: an alarm of each would cost as many times as much and say no more. Ten at most
 * (CloudWatch, service quotas: metrics of an alarm). Functions that never wrote the metric count as none.
 */
function total(functions: readonly IFunction[], of: (fn: IFunction) => Metric): MathExpression {
  const names = functions.map((_, index) => `m${index}`);
  return new MathExpression({
    expression: `SUM([${names.join(', ')}])`,
    usingMetrics: Object.fromEntries(functions.map((fn, index) => [`m${index}`, of(fn)])),
    period: PERIOD,
  });
}

export function alarmConditions({ namespace, api, counter, background }: Observed): AlarmCondition[] {
  const functions = [...api.functions.values()];
  const sum = { statistic: Stats.SUM, period: PERIOD };
  const longest = { statistic: Stats.MAXIMUM, period: PERIOD };
  return [
    {
      name: 'internal-errors',
      means: 'Requests end in 500: a defect of ours.',
      runbook: 'internal-errors',
      metric: refusals(namespace, 'internal_error'),
      threshold: 5,
      periods: 1,
    },
    {
      name: 'unavailable',
      means: 'Requests end in 503: DynamoDB or Secrets Manager does not answer in time.',
      runbook: 'unavailable',
      metric: refusals(namespace, 'temporarily_unavailable'),
      threshold: 20,
      periods: 2,
    },
    {
      name: 'function-failures',
      means: 'Functions that answer requests crash, run out of memory or time.',
      runbook: 'function-failures',
      metric: total(functions, (fn) => fn.metricErrors(sum)),
      threshold: 5,
      periods: 1,
    },
    {
      name: 'function-throttles',
      means: 'Lambda refuses requests: the account runs out of concurrency.',
      runbook: 'function-throttles',
      metric: total(functions, (fn) => fn.metricThrottles(sum)),
      threshold: 10,
      periods: 1,
    },
    {
      name: 'background-failures',
      means: 'Functions of the stream, of purges or of the score adapter crash, run out of memory or time.',
      runbook: 'background-failures',
      metric: total(background, (fn) => fn.metricErrors(sum)),
      threshold: 5,
      periods: 1,
    },
    {
      name: 'background-throttles',
      means: 'Lambda refuses to run the stream, purges or the score adapter.',
      runbook: 'function-throttles',
      metric: total(background, (fn) => fn.metricThrottles(sum)),
      threshold: 10,
      periods: 1,
    },
    {
      name: 'slow-bootstrap',
      means: 'One bootstrap in a hundred takes longer than two seconds.',
      runbook: 'slow-requests',
      metric: serviceMetric(namespace, 'latency', { route: 'bootstrap' }, Stats.percentile(99)),
      threshold: 2_000,
      periods: 3,
      ignoresFewSamples: true,
    },
    {
      name: 'rate-limiter-open',
      means: 'The rate limiter does not answer; requests pass without a limit.',
      runbook: 'rate-limiter-open',
      metric: serviceMetric(namespace, 'unmetered'),
      threshold: 100,
      periods: 1,
    },
    {
      name: 'bootstrap-too-large',
      means: "A project's surveys do not fit in one reply: its visitors are shown none.",
      runbook: 'bootstrap-too-large',
      metric: serviceMetric(namespace, 'reply_too_large', { route: 'bootstrap' }),
      threshold: 1,
      periods: 1,
    },
    {
      name: 'counting-behind',
      means: 'Totals lag behind the answers by more than ten minutes; quotas and maxima overshoot.',
      runbook: 'counting-behind',
      metric: counter.function.metric('IteratorAge', longest),
      threshold: Duration.minutes(10).toMilliseconds(),
      periods: 2,
    },
    {
      name: 'counting-abandoned',
      means: 'A batch of the stream was given up; its answers are stored but not counted.',
      runbook: 'counting-abandoned',
      metric: counter.abandoned.metricApproximateNumberOfMessagesVisible(longest),
      threshold: 1,
      periods: 1,
    },
    {
      name: 'scores-stuck',
      means: 'Whoever polls for scores finds one that has waited for more than an hour.',
      runbook: 'scores-stuck',
      metric: serviceMetric(namespace, 'oldest_pending', {}, Stats.MAXIMUM),
      threshold: Duration.hours(1).toSeconds(),
      periods: 2,
    },
  ];
}
