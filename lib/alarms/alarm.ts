import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { isWatched, type MetricName } from '../../shared/settings/metrics.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';

export interface AlarmCondition {
  readonly name: string;
  /** A sentence that describes the symptom. */
  readonly means: string;
  /** The command that an operator runs first. */
  readonly first: string;
  /** The anchor of a heading in docs/operations.md. @default name */
  readonly runbook?: string;
  /** `essential`: callers, answers or erasures are affected. `all`: causes and early signs, too. @default 'essential' */
  readonly level?: DeploymentSettings['alarms'];
  readonly metric: IMetric;
  /** The lowest value that raises the alarm. @default 1 */
  readonly threshold?: number;
  /** @default at or above the threshold */
  readonly comparison?: ComparisonOperator;
  /** Consecutive periods of the metric. @default 1 */
  readonly periods?: number;
  /** Ignores percentiles that are based on too few requests. */
  readonly ignoresFewSamples?: true;
  readonly alarmsOnSilence?: boolean;
}

/** Scheduler retries a run for six hours, and a day can have 25 hours. */
const OVERDUE_AFTER = Duration.hours(32);

/**
 * Alarms if a daily run does not take place. An alarm looks back at most seven days, in periods of an hour or more
 * (CloudWatch, "Alarm evaluation": evaluation periods).
 * @param runs writes no data without a run
 */
export const createOverdueAlarm = (
  scope: Construct,
  settings: DeploymentSettings,
  runs: Metric,
  words: Pick<AlarmCondition, 'name' | 'means' | 'first'>,
  after = OVERDUE_AFTER,
): Alarm =>
  createAlarm(scope, 'Overdue', settings, {
    ...words,
    runbook: 'runs-overdue',
    metric: runs.with({ statistic: Stats.SUM, period: Duration.hours(1) }),
    periods: after.toHours(),
    comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
    alarmsOnSilence: true,
  });

/**
 * An alarm that treats missing data as breaching starts in ALARM and recovers after the first run
 * (aws-cloudformation/cloudformation-coverage-roadmap#2486; CloudWatch, "How alarm state is evaluated when data is
 * missing"). Any other treatment would miss a function that never runs.
 */
const WHEN_NEW = 'A new alarm is in ALARM until the first run.';

export const isWanted = ({ level = 'essential' }: AlarmCondition, settings: DeploymentSettings): boolean =>
  isWatched(level, settings);

export function createAlarm(
  scope: Construct,
  id: string,
  settings: DeploymentSettings,
  { name, means, first, metric, alarmsOnSilence = false, ...condition }: AlarmCondition,
): Alarm {
  const { runbook = name, threshold = 1, periods = 1, ignoresFewSamples } = condition;
  const { comparison = ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD } = condition;
  return new Alarm(scope, id, {
    alarmName: `${metricsNamespace(settings)}-${name}`,
    alarmDescription: `${means}${alarmsOnSilence ? ` ${WHEN_NEW}` : ''}\nFirst: ${first}\nRunbook: ${settings.runbookUrl}#${runbook}`,
    metric,
    threshold,
    evaluationPeriods: periods,
    comparisonOperator: comparison,
    treatMissingData: alarmsOnSilence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    ...(ignoresFewSamples === true && { evaluateLowSampleCountPercentile: 'ignore' }),
  });
}

export const PERIOD = Duration.minutes(5);
export const sum = { statistic: Stats.SUM, period: PERIOD };
export const longest = { statistic: Stats.MAXIMUM, period: PERIOD };

export function serviceMetric(
  namespace: string,
  metricName: MetricName,
  dimensionsMap: Readonly<Record<string, string>> = {},
  statistic: string = Stats.SUM,
): Metric {
  return new Metric({ namespace, metricName, dimensionsMap, statistic, period: PERIOD });
}

/** CloudWatch quota for metrics in a metric math alarm. */
const MOST_METRICS = 10;

/**
 * Sums the metrics, because an alarm for each would cost more. Metrics without data count as zero.
 * @param beside the number of other metrics in the expression
 */
export function sums(metrics: readonly Metric[], beside = 0): readonly MathExpression[] {
  const most = MOST_METRICS - beside;
  const count = Math.ceil(metrics.length / most);
  return Array.from({ length: count }, (_, part) => {
    const summed = metrics.slice(part * most, (part + 1) * most);
    const ids = summed.map((_metric, index) => `m${index}`);
    return new MathExpression({
      expression: `SUM([${ids.join(', ')}])`,
      usingMetrics: Object.fromEntries(summed.map((metric, index) => [`m${index}`, metric])),
      ...(summed[0] !== undefined && { period: summed[0].period }),
    });
  });
}

export const alarmEach = (
  metrics: readonly IMetric[],
  { name, runbook = name, ...condition }: Omit<AlarmCondition, 'metric'>,
): readonly AlarmCondition[] =>
  metrics.map((metric, part) => ({
    ...condition,
    runbook,
    name: part === 0 ? name : `${name}-${part + 1}`,
    metric,
  }));

/** Bad requests in percent. Zero for fewer than `floor`, because one bad request in a quiet hour is not a trend. */
export function share(bad: IMetric, requests: Metric, floor: number): MathExpression {
  return new MathExpression({
    expression: `IF(bad >= ${floor}, 100 * bad / requests, 0)`,
    usingMetrics: { bad, requests },
    period: requests.period,
  });
}

type Named = Pick<DeploymentSettings, 'name' | 'stage'>;

/** See CloudWatch Logs, "Filter pattern syntax". */
const tail = (group: string, pattern: string, since: string): string =>
  `aws logs tail ${group} --since ${since} --filter-pattern '${pattern}'`;

export const functionLog = (
  { name, stage }: Named,
  functionName: string,
  pattern: string,
  since = '3h',
): string => tail(`/${name}/${stage}/${functionName}`, pattern, since);

export const functionLogs = (settings: Named, functionNames: readonly string[], pattern: string): string =>
  `for f in ${functionNames.join(' ')}; do echo "== $f"; ${functionLog(settings, '$f', pattern)}; done`;

export const accessLog = (
  { name, stage }: Named,
  pattern: string,
  since = '3h',
  log: 'access' | 'edge' = 'access',
): string => tail(`/aws/vendedlogs/${name}/${stage}/${log}`, pattern, since);

/** The service logs `error`, Lambda's runtime `ERROR`. */
export const ANY_ERROR = '?error ?ERROR ?timeout';
