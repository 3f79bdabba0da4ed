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

/** What somebody is woken for, with the section of the runbook that says what to do. */
export interface AlarmCondition {
  readonly name: string;
  /** Symptom, in words. */
  readonly means: string;
  /** The command that an operator runs first. */
  readonly first: string;
  /** Heading in docs/operations.md, as its anchor. */
  readonly runbook: string;
  /** `essential`: callers, answers or erasures suffer; `all`: it says where that comes from, or what may follow. */
  readonly level: DeploymentSettings['alarms'];
  readonly metric: IMetric;
  /** Alarms at or above this. */
  readonly threshold: number;
  /** Of the metric, in a row. */
  readonly periods: number;
  /** For a percentile: what too few requests say of it is ignored. */
  readonly ignoresFewSamples?: true;
  /** Silence alarms too. */
  readonly alarmsOnSilence?: true;
}

/**
 * An alarm that silence breaches begins with it: the periods before it was made are missing too, however many there are,
 * so it goes off within minutes, and is over after the first run (aws-cloudformation/cloudformation-coverage-roadmap#2486;
 * CloudWatch, "How alarm state is evaluated when data is missing"). To take silence for no matter until then would leave
 * unheard what never runs at all, so the mail says it.
 */
const WHEN_NEW = 'A new alarm is on until the first run.';

/** Whether a stage wants an alarm of this level. */
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

/** Metrics that one alarm may add up or compare (CloudWatch, service quotas: metric math in alarms). */
const MOST_METRICS = 10;

/**
 * Sums over many metrics, since an alarm of each would cost as many times as much and say no more: as many sums as the
 * quota needs. Where there was nothing to write, a metric counts as none.
 * @param beside metrics of the alarm besides those of the sum
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

/** An alarm for each of several metrics that say the same: the first has the name alone, the others a number too. */
export const alarmEach = (
  metrics: readonly IMetric[],
  { name, ...condition }: Omit<AlarmCondition, 'metric'>,
): readonly AlarmCondition[] =>
  metrics.map((metric, part) => ({
    ...condition,
    name: part === 0 ? name : `${name}-${part + 1}`,
    metric,
  }));

/**
 * How many in a hundred requests were bad; none while fewer than `floor` were, since the one bad request of a quiet
 * hour is no share of anything.
 */
export function share(bad: IMetric, requests: Metric, floor: number): MathExpression {
  return new MathExpression({
    expression: `IF(bad >= ${floor}, 100 * bad / requests, 0)`,
    usingMetrics: { bad, requests },
    period: requests.period,
  });
}
