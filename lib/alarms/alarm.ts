import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { isWatched } from '../../shared/settings/metrics.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';

export interface AlarmCondition {
  readonly name: string;
  /** The symptom, as a sentence. */
  readonly means: string;
  readonly first: string;
  /** A heading in docs/operations.md. */
  readonly runbook: string;
  /** `essential`: callers, answers or erasures are affected. `all`: causes and early signs, too. */
  readonly level: DeploymentSettings['alarms'];
  readonly metric: IMetric;
  /** Inclusive. */
  readonly threshold: number;
  /** Consecutive periods of the metric. */
  readonly periods: number;
  /** Ignores percentiles of too few requests. */
  readonly ignoresFewSamples?: true;
  readonly alarmsOnSilence?: true;
}

/**
 * An alarm that treats missing data as breaching starts in ALARM and recovers after the first run
 * (aws-cloudformation/cloudformation-coverage-roadmap#2486; CloudWatch, "How alarm state is evaluated when data is
 * missing"). Any other treatment would miss a function that never runs.
 */
const WHEN_NEW = 'A new alarm is in ALARM until the first run.';

export const isWanted = ({ level }: Pick<AlarmCondition, 'level'>, settings: DeploymentSettings): boolean =>
  isWatched(level, settings);

export function createAlarm(
  scope: Construct,
  id: string,
  condition: AlarmCondition,
  settings: DeploymentSettings,
): Alarm {
  const { name, means, first, runbook, metric, threshold, periods, ignoresFewSamples, alarmsOnSilence } =
    condition;
  const said = alarmsOnSilence === true ? `${means} ${WHEN_NEW}` : means;
  return new Alarm(scope, id, {
    alarmName: `${metricsNamespace(settings)}-${name}`,
    alarmDescription: `${said}\nFirst: ${first}\nRunbook: ${settings.runbookUrl}#${runbook}`,
    metric,
    threshold,
    evaluationPeriods: periods,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: alarmsOnSilence === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    ...(ignoresFewSamples === true && { evaluateLowSampleCountPercentile: 'ignore' }),
  });
}

/** CloudWatch quota for metrics in a metric math alarm. */
const MOST_METRICS = 10;

/**
 * An alarm for each metric would cost more. Metrics without data count as zero.
 * @param beside number of metrics that the alarm has besides the sum
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
  { name, ...condition }: Omit<AlarmCondition, 'metric'>,
): readonly AlarmCondition[] =>
  metrics.map((metric, part) => ({
    ...condition,
    name: part === 0 ? name : `${name}-${part + 1}`,
    metric,
  }));

/** In percent; zero below `floor`: one bad request in a quiet hour is not a trend. */
export function share(bad: IMetric, requests: Metric, floor: number): MathExpression {
  return new MathExpression({
    expression: `IF(bad >= ${floor}, 100 * bad / requests, 0)`,
    usingMetrics: { bad, requests },
    period: requests.period,
  });
}
