import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricProps, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { routes } from '../../shared/contract/routes.ts';
import { SCORE_METRICS } from '../../shared/settings/metrics.ts';
import { serviceMetric } from '../functions/service-metric.ts';
import {
  type DeploymentSettings,
  metricsNamespace,
  type ScoreAdapterSettings,
} from '../settings/settings.ts';
import type { AlarmCondition } from './alarm.ts';
import { functionLog } from './first-command.ts';

/** A period shorter than the time between runs would have no data. */
const PERIOD_MINUTES = 5;

const WITHDRAWAL_HOURS = 24;

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

/** Exists without the score adapter too: polling reports this age. */
export const scoresStuck = (settings: DeploymentSettings): AlarmCondition => ({
  name: 'scores-stuck',
  means: 'Polling for scores returned one that has been pending for more than an hour.',
  runbook: 'scores-stuck',
  first: functionLog(settings, routes.listPendingScores.name, '{ $.oldest_pending >= 3600 }'),
  level: 'all',
  metric: serviceMetric(metricsNamespace(settings), 'oldest_pending', {}, Stats.MAXIMUM),
  threshold: Duration.hours(1).toSeconds(),
  periods: 2,
});

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
        means: `A score has been pending for ${alarmAfterMinutes} minutes or more, or the adapter does not run.`,
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
        means: 'A destination accepts no scores: its address is wrong, or it refused the credentials.',
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
        means: `Scores of erased answers could not be deleted at a destination for ${WITHDRAWAL_HOURS} hours or more.`,
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
          'The score adapter fails: its configuration is invalid, or it cannot read the table or a secret.',
        runbook: 'scores-failing',
        first: pushed('{ $.ScoreRunFailed = 1 }'),
        level: 'all',
        periods: 3,
      },
    ],
  ];
}
