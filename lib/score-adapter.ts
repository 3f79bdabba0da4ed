import { ArnFormat, Duration, SecretValue, Stack } from 'aws-cdk-lib';
import { type Alarm, Metric, type MetricProps, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import {
  respondentPartition,
  runLeaseKey,
  scorePushJob,
  WITHDRAWAL_PARTITIONS,
} from '../shared/data/table/schema.ts';
import { SCORE_ADAPTER_ENVIRONMENT } from '../shared/settings/environment.ts';
import { SCORE_METRICS } from '../shared/settings/metrics.ts';
import { type AlarmCondition, createAlarm, functionLog, isWanted } from './alarms/alarm.ts';
import { OwnSecret } from './data/secrets.ts';
import { FailureQueue } from './failure-queue.ts';
import type { Backends } from './functions/function-role.ts';
import { runOnSchedule } from './functions/run-on-schedule.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { type DeploymentSettings, metricsNamespace, type ScoreAdapterSettings } from './settings/settings.ts';

/** A run may use all but ten seconds of this time. A later run stops when it finds one active. */
const TIMEOUT_SECONDS = 120;
/** The minimum of Lambda. The next run makes up for a missed one. */
const MOST_AGE_SECONDS = 60;

interface ScoreAdapterProps {
  readonly backends: Backends;
  readonly schedule: ScoreAdapterSettings;
}

export class ScoreAdapter extends Construct {
  readonly secretName: string;
  readonly function: IFunction;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { backends, schedule }: ScoreAdapterProps) {
    super(scope, id);
    const { settings } = backends;
    // CloudFormation writes the empty list only once, because the template never changes it.
    const configuration = new OwnSecret(this, 'Configuration', settings, {
      what: 'scores',
      description: 'Canvass: destinations of scores and their credentials. See docs/scores.md.',
      secretStringValue: SecretValue.unsafePlainText('[]'),
      whyNotRotated: 'It holds keys that other systems issue and rotate; the operator puts new ones in.',
    });
    this.secretName = configuration.plainName;

    const pushing = new ServiceFunction(this, 'push-scores', {
      name: 'push-scores',
      timeoutSeconds: TIMEOUT_SECONDS,
      backends,
    });
    pushing.connect({
      table: ['BatchGetItem', 'Query'],
      byScoreState: ['Query'],
      secrets: ['hashSecret'],
    });
    pushing.may.allowIn(respondentPartition('*', '*'), 'UpdateItem');
    pushing.may.allowIn(runLeaseKey(scorePushJob('*')).pk, 'UpdateItem');
    pushing.may.allowIn(WITHDRAWAL_PARTITIONS, 'DeleteItem');
    const stack = Stack.of(this);
    const logs = schedule.logStreams.map(({ logGroup, logStream }) =>
      stack.formatArn({
        service: 'logs',
        resource: 'log-group',
        resourceName: `${logGroup}:log-stream:${logStream}`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    );
    pushing.may.allow(['logs:PutLogEvents'], logs);
    pushing.readSecrets([configuration.secretArn]);
    pushing.setEnvironment({ [SCORE_ADAPTER_ENVIRONMENT.configurationId]: configuration.secretArn });

    const { everyMinutes } = schedule;
    runOnSchedule(this, pushing, settings, new FailureQueue(this, 'Missed', settings), {
      description: 'Canvass: pushes pending scores',
      scheduleExpression: everyMinutes === 1 ? 'rate(1 minute)' : `rate(${everyMinutes} minutes)`,
      ...{ input: '{}', retries: 0, mostAgeSeconds: MOST_AGE_SECONDS, mostWaitSeconds: MOST_AGE_SECONDS },
    });
    this.function = pushing.function;
    this.alarms = scoreConditions(settings, schedule)
      .filter(([, condition]) => isWanted(condition, settings))
      .map(([part, condition]) => createAlarm(this, part, settings, condition));
  }
}

/** The minimum. With a period shorter than the time between runs, the metric would have gaps. */
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

function scoreConditions(
  settings: DeploymentSettings,
  { alarmAfterMinutes, everyMinutes }: ScoreAdapterSettings,
): readonly (readonly [id: string, condition: AlarmCondition])[] {
  const pushed = (pattern: string) => functionLog(settings, 'push-scores', pattern);
  const period = Duration.minutes(Math.max(PERIOD_MINUTES, everyMinutes));
  return [
    [
      'Late',
      {
        name: 'scores-late',
        means: `A score has been pending for ${alarmAfterMinutes} minutes or more, or the adapter does not run.`,
        first: pushed('{ $.message = "scores*" }'),
        metric: scoreMetric(settings, 'oldestPendingAge', { statistic: Stats.MAXIMUM, period }),
        threshold: alarmAfterMinutes * 60,
        periods: 3,
        alarmsOnSilence: true,
      },
    ],
    [
      'Halted',
      {
        name: 'scores-halted',
        means: 'A destination accepts no scores: its address is wrong, or it refused the credentials.',
        first: pushed('{ $.ScoreDeliveryHalted = 1 }'),
        metric: scoreMetric(settings, 'halted', { period }),
      },
    ],
    [
      'NotWithdrawn',
      {
        name: 'scores-not-withdrawn',
        means: `Scores of erased answers could not be deleted at a destination for ${WITHDRAWAL_HOURS} hours or more.`,
        first: pushed('{ $.message = "scores: withdrawals" }'),
        metric: scoreMetric(settings, 'oldestWithdrawalAge', { statistic: Stats.MAXIMUM, period }),
        threshold: WITHDRAWAL_HOURS * 3_600,
      },
    ],
    [
      'Failing',
      {
        name: 'scores-failing',
        means:
          'The score adapter fails: its configuration is invalid, or it cannot read the table or a secret.',
        first: pushed('{ $.ScoreRunFailed = 1 }'),
        level: 'all',
        metric: scoreMetric(settings, 'failed', { period }),
        periods: 3,
      },
    ],
  ];
}
