import { Duration } from 'aws-cdk-lib';
import { type Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { CfnEventInvokeConfig, CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { PROBE_ENVIRONMENT } from '../shared/settings/environment.ts';
import { createAlarm } from './alarms/alarm.ts';
import { functionLog } from './alarms/first-command.ts';
import type { Backends } from './functions/backends.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { type ProbeSettings, probeMinutes } from './settings/settings.ts';

/** Two requests and a cold start. */
const TIMEOUT_SECONDS = 30;

/** By which a run may come later than it should, and a period without one still means that none ran. */
const LEEWAY_MINUTES = 5;

/** That fail or are silent before it alarms. */
const PERIODS = 2;

/** For a mail that is read later than at once. */
const LOOKED_BACK_HOURS = 3;

interface ProbeProps {
  readonly backends: Backends;
  readonly probe: ProbeSettings;
  /** Where visitors reach the stage. */
  readonly url: string;
}

/**
 * A function that asks and answers as a visitor would, on a schedule, and an alarm for when it cannot. It may write its
 * log and no more: everything else it asks of the stage, by the publishable key of a project of its own.
 */
export class Probe extends Construct {
  readonly function: IFunction;
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, { backends, probe, url }: ProbeProps) {
    super(scope, id);
    const { settings } = backends;
    const probing = new ServiceFunction(this, 'probe', {
      name: 'probe',
      timeoutSeconds: TIMEOUT_SECONDS,
      backends,
    });
    probing.setEnvironment({ [PROBE_ENVIRONMENT.url]: url, [PROBE_ENVIRONMENT.key]: probe.key });
    const { functionArn, functionName } = probing.function;
    // A run that failed is one that failed: the next one asks anew.
    new CfnEventInvokeConfig(this, 'Invocation', {
      functionName,
      qualifier: '$LATEST',
      maximumRetryAttempts: 0,
    });
    const minutes = probeMinutes(probe);
    const rule = new CfnRule(this, 'Rule', {
      name: `${settings.name}-${settings.stage}-probe`,
      description: 'Canvass: asks and answers as a visitor would',
      scheduleExpression: `rate(${minutes} minutes)`,
      targets: [{ id: 'probe', arn: functionArn }],
    });
    new CfnPermission(this, 'Scheduled', {
      action: 'lambda:InvokeFunction',
      functionName,
      principal: 'events.amazonaws.com',
      sourceArn: rule.attrArn,
    });
    this.function = probing.function;
    const period = minutes + LEEWAY_MINUTES;
    // Lambda writes this metric at every run, also that there was no error: where it is missing, none ran.
    this.alarm = createAlarm(
      this,
      'Failing',
      {
        name: 'probe-failing',
        means: 'Two of the last probes failed, or none ran: visitors are not asked, or cannot answer.',
        first: functionLog(
          settings,
          'probe',
          '{ $.message = "probe failed" }',
          `${Math.max(LOOKED_BACK_HOURS, Math.ceil((PERIODS * period) / 60) + 1)}h`,
        ),
        runbook: 'probe-failing',
        level: 'essential',
        metric: probing.function.metricErrors({
          statistic: Stats.SUM,
          period: Duration.minutes(period),
        }),
        threshold: 1,
        periods: PERIODS,
        alarmsOnSilence: true,
      },
      settings,
    );
  }
}
