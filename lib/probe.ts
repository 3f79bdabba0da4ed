import { Duration } from 'aws-cdk-lib';
import { type Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { CfnEventInvokeConfig, CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { PROBE_ENVIRONMENT } from '../shared/settings/environment.ts';
import { createAlarm, functionLog } from './alarms/alarm.ts';
import { secretArn } from './data/secrets.ts';
import type { Backends } from './functions/function-role.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { type ProbeSettings, probeMinutes } from './settings/settings.ts';

/** Requests to six routes, of which each may take twelve seconds. */
const TIMEOUT_SECONDS = 75;

/** Runs may start late by this time. */
const LEEWAY_MINUTES = 5;

const PERIODS = 2;

const LOOKED_BACK_HOURS = 3;

interface ProbeProps {
  readonly backends: Backends;
  readonly probe: ProbeSettings;
  readonly url: string;
}

/** The function may write its log and read its mint key. Its keys belong to a separate project. */
export class Probe extends Construct {
  readonly function: IFunction;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { backends, probe, url }: ProbeProps) {
    super(scope, id);
    const { settings } = backends;
    const probing = new ServiceFunction(this, 'probe', {
      name: 'probe',
      timeoutSeconds: TIMEOUT_SECONDS,
      backends,
    });
    probing.setEnvironment({ [PROBE_ENVIRONMENT.url]: url, [PROBE_ENVIRONMENT.key]: probe.key });
    const { mintKeySecret } = probe;
    if (mintKeySecret !== undefined) {
      probing.readSecrets([secretArn(this, mintKeySecret)]);
      probing.setEnvironment({ [PROBE_ENVIRONMENT.mintKeySecretId]: mintKeySecret });
    }
    const { functionArn, functionName } = probing.function;
    // Retries are unnecessary, because the next scheduled run follows.
    new CfnEventInvokeConfig(this, 'Invocation', {
      functionName,
      qualifier: '$LATEST',
      maximumRetryAttempts: 0,
    });
    const minutes = probeMinutes(probe);
    const rule = new CfnRule(this, 'Rule', {
      name: `${settings.name}-${settings.stage}-probe`,
      description: 'Canvass: synthetic monitor',
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
    // Lambda writes this metric at every run, so missing data means that no run started.
    const alarm = createAlarm(this, 'Failing', settings, {
      name: 'probe-failing',
      means: 'The last two probes failed or did not run: surveys may not be shown, or answers not accepted.',
      first: functionLog(
        settings,
        'probe',
        '{ $.message = "probe failed" }',
        `${Math.max(LOOKED_BACK_HOURS, Math.ceil((PERIODS * period) / 60) + 1)}h`,
      ),
      metric: probing.function.metricErrors({
        statistic: Stats.SUM,
        period: Duration.minutes(period),
      }),
      periods: PERIODS,
      alarmsOnSilence: true,
    });
    this.alarms = [alarm];
  }
}
