import { Duration, RemovalPolicy, SecretValue, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  Metric,
  type MetricProps,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { runLeaseKey } from '../shared/data/table/schema.ts';
import { SCORE_ADAPTER_ENVIRONMENT } from '../shared/settings/environment.ts';
import { SCORE_METRICS } from '../shared/settings/score-metrics.ts';
import type { Backends } from './backends.ts';
import { ServiceFunction } from './service-function.ts';
import { serviceRole } from './service-role.ts';
import { type DeploymentSettings, metricsNamespace, type ScoreAdapterSettings } from './settings.ts';

/** A run uses all of it but ten seconds while there is a backlog; the schedule's next ones then find it under way. */
const TIMEOUT_SECONDS = 120;
/** A minute that was missed is made up for by the next; also the least that Lambda allows. */
const MOST_AGE_SECONDS = 60;
/** Minutes; no shorter than the schedule, for which silence in between is no failure. */
const ALARM_PERIOD = 5;

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

interface Watch extends Omit<AlarmProps, 'alarmName' | 'alarmDescription'> {
  /** Symptom, in words. */
  readonly means: string;
}

interface ScoreAdapterProps {
  readonly backends: Backends;
  readonly apiUrl: string;
  readonly schedule: ScoreAdapterSettings;
}

/** Pushes pending scores on a schedule, one run at a time, and says when they do not get through. */
export class ScoreAdapter extends Construct {
  readonly secretName: string;
  readonly function: IFunction;
  /** Each named as its section of the runbook. */
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { backends, apiUrl, schedule }: ScoreAdapterProps) {
    super(scope, id);
    const { settings, table } = backends;
    const configuration = this.#configuration(settings.removalPolicy);
    this.secretName = configuration.secretName;

    const pushing = new ServiceFunction(this, 'push-scores', {
      name: 'push-scores',
      timeoutSeconds: TIMEOUT_SECONDS,
      backends,
    });
    pushing.may.allowIn(runLeaseKey('push-scores').pk, 'UpdateItem');
    pushing.may.allow(['secretsmanager:GetSecretValue'], [configuration.secretArn]);
    pushing.setEnvironment({
      [SCORE_ADAPTER_ENVIRONMENT.tableName]: table.name,
      [SCORE_ADAPTER_ENVIRONMENT.apiUrl]: apiUrl,
      [SCORE_ADAPTER_ENVIRONMENT.configurationId]: configuration.secretArn,
    });

    this.#run(pushing, schedule);
    this.function = pushing.function;
    this.alarms = this.#watch(settings, schedule);
  }

  /** Filled by the operator: CloudFormation writes the empty list once and, as that never changes, never again. */
  #configuration(removal: Backends['settings']['removalPolicy']): Secret {
    const secret = new Secret(this, 'Configuration', {
      description: 'Canvass: where scores go, and with which credentials. See docs/scores.md.',
      secretStringValue: SecretValue.unsafePlainText('[]'),
      removalPolicy: removal === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It holds keys that other systems issue and rotate; the operator puts new ones in.',
    });
    return secret;
  }

  #run(pushing: ServiceFunction, { everyMinutes }: ScoreAdapterSettings): void {
    const missed = new Queue(this, 'Missed', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(missed).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This queue is itself where failures end.',
    });
    const { functionArn, functionName } = pushing.function;
    pushing.may.allow(['sqs:SendMessage'], [missed.queueArn]);
    new CfnEventInvokeConfig(this, 'Invocation', {
      functionName,
      qualifier: '$LATEST',
      maximumRetryAttempts: 0,
      maximumEventAgeInSeconds: MOST_AGE_SECONDS,
      destinationConfig: { onFailure: { destination: missed.queueArn } },
    });

    const invoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] });
    const report = new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [missed.queueArn] });
    const role = serviceRole(this, 'SchedulerRole', 'scheduler.amazonaws.com', {
      invoke: new PolicyDocument({ statements: [invoke, report] }),
    });
    new CfnSchedule(this, 'Schedule', {
      description: 'Canvass: pushes pending scores',
      scheduleExpression: everyMinutes === 1 ? 'rate(1 minute)' : `rate(${everyMinutes} minutes)`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: functionArn,
        roleArn: role.roleArn,
        input: '{}',
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: MOST_AGE_SECONDS },
        deadLetterConfig: { arn: missed.queueArn },
      },
    });
  }

  #watch(settings: DeploymentSettings, { alarmAfterMinutes, everyMinutes }: ScoreAdapterSettings): Alarm[] {
    const period = Duration.minutes(Math.max(ALARM_PERIOD, everyMinutes));
    const alarm = (id: string, { means, ...more }: Watch) => {
      const name = `scores-${id.toLowerCase()}`;
      return new Alarm(this, id, {
        alarmName: `${metricsNamespace(settings)}-${name}`,
        alarmDescription: `${means}\nRunbook: ${settings.runbookUrl}#${name}`,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        ...more,
      });
    };
    return [
      alarm('Late', {
        means: `A score has been pending for ${alarmAfterMinutes} minutes or more, or the adapter is silent.`,
        metric: scoreMetric(settings, 'oldestPendingAge', { statistic: Stats.MAXIMUM, period }),
        threshold: alarmAfterMinutes * 60,
        evaluationPeriods: 3,
        treatMissingData: TreatMissingData.BREACHING,
      }),
      alarm('Halted', {
        means: 'A destination takes no scores: wrong address or refused credentials.',
        metric: scoreMetric(settings, 'halted', { period }),
        threshold: 1,
        evaluationPeriods: 1,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }),
      alarm('Failing', {
        means:
          'Runs of the score adapter fail: its configuration is wrong, or the service cannot be reached.',
        metric: scoreMetric(settings, 'failed', { period }),
        threshold: 1,
        evaluationPeriods: 3,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }),
    ];
  }
}
