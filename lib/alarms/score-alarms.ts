import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricProps, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { routes } from '../../shared/contract/routes.ts';
import { SCORE_METRICS } from '../../shared/settings/score-metrics.ts';
import { serviceMetric } from '../functions/service-metric.ts';
import {
  type DeploymentSettings,
  metricsNamespace,
  type ScoreAdapterSettings,
} from '../settings/settings.ts';
import type { AlarmCondition } from './alarm.ts';
import { functionLog } from './first-command.ts';

/** Minutes that a figure covers, or those between two runs where these are more: a period without a run would be silent. */
const PERIOD_MINUTES = 5;

/** Scores of erased answers that could not be deleted where they were delivered for so long need a person. */
const WITHDRAWAL_HOURS = 24;

/** One of the adapter's own metrics, a sum of five minutes unless said. */
export function scoreMetric(
  settings: DeploymentSettings,
  which: keyof typeof SCORE_METRICS,
  how: Partial<MetricProps> = {},
): Metric {
  return new Metric({
    namespace: metricsNamespace(settings),
    metricName: SCORE_METRICS[which].name,
    statistic: Stats.SUM,
    ...how,
  });
}

/** Of a stage with the score adapter or without: the age that polling for scores finds. */
export const scoresStuck = (settings: DeploymentSettings): AlarmCondition => ({
  name: 'scores-stuck',
  means: 'Somebody polls for scores and finds one that has waited for more than an hour.',
  runbook: 'scores-stuck',
  first: functionLog(settings, routes.listPendingScores.name, '{ $.oldest_pending >= 3600 }'),
  level: 'all',
  metric: serviceMetric(metricsNamespace(settings), 'oldest_pending', {}, Stats.MAXIMUM),
  threshold: Duration.hours(1).toSeconds(),
  periods: 2,
});

/** Of the score adapter: late, refused and failing deliveries, by the ids of their alarms. */
export function scoreConditions(
  settings: DeploymentSettings,
  { alarmAfterMinutes, everyMinutes }: ScoreAdapterSettings,
): readonly (readonly [id: string, condition: AlarmCondition])[] {
  const pushed = (pattern: string) => functionLog(settings, 'push-scores', pattern);
  const period = Duration.minutes(Math.max(PERIOD_MINUTES, everyMinutes));
  const once = (which: 'halted' | 'failed') => ({
    metric: scoreMetric(settings, which, { period }),
    threshold: 1,
  });
  return [
    [
      'Late',
      {
        name: 'scores-late',
        means: `A score has been pending for ${alarmAfterMinutes} minutes or more, or the adapter is silent.`,
        runbook: 'scores-late',
        first: pushed('{ $.message = "scores*" }'),
        level: 'essential',
        metric: scoreMetric(settings, 'oldestPendingAge', { statistic: Stats.MAXIMUM, period }),
        threshold: alarmAfterMinutes * 60,
        periods: 3,
        alarmsOnSilence: true,
      },
    ],
    [
      'Halted',
      {
        ...once('halted'),
        name: 'scores-halted',
        means: 'A destination takes no scores: wrong address or refused credentials.',
        runbook: 'scores-halted',
        first: pushed('{ $.ScoreDeliveryHalted = 1 }'),
        level: 'essential',
        periods: 1,
      },
    ],
    [
      'NotWithdrawn',
      {
        name: 'scores-not-withdrawn',
        means: `Scores of erased answers could not be deleted where they were delivered, for ${WITHDRAWAL_HOURS} hours or more.`,
        runbook: 'scores-not-withdrawn',
        first: pushed('{ $.message = "scores: withdrawals" }'),
        level: 'essential',
        metric: scoreMetric(settings, 'oldestWithdrawalAge', { statistic: Stats.MAXIMUM, period }),
        threshold: WITHDRAWAL_HOURS * 3_600,
        periods: 1,
      },
    ],
    [
      'Failing',
      {
        ...once('failed'),
        name: 'scores-failing',
        means:
          'Runs of the score adapter fail: its configuration is wrong, or the table or a secret cannot be read.',
        runbook: 'scores-failing',
        first: pushed('{ $.ScoreRunFailed = 1 }'),
        level: 'all',
        periods: 3,
      },
    ],
  ];
}
