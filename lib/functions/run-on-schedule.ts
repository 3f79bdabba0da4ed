import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, type CfnScheduleProps } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { keyStatements } from '../data/encryption-key.ts';
import type { FailureQueue } from '../failure-queue.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { serviceRole } from './function-role.ts';
import type { ServiceFunction } from './service-function.ts';

type Timing = Pick<CfnScheduleProps, 'description' | 'scheduleExpression' | 'scheduleExpressionTimezone'>;

interface ScheduledRun extends Timing {
  readonly input: string;
  /** Retries by the schedule, if Lambda does not accept the run. */
  readonly retries: number;
  readonly mostAgeSeconds: number;
  /** How long a run may wait in Lambda. @default six hours */
  readonly mostWaitSeconds?: number;
}

/** Invokes a function on a schedule. The queue receives runs that were missed or failed, and nothing repeats those. */
export function runOnSchedule(
  scope: Construct,
  { function: serving, may }: ServiceFunction,
  settings: DeploymentSettings,
  missed: FailureQueue,
  { input, retries, mostAgeSeconds, mostWaitSeconds, ...timing }: ScheduledRun,
): CfnSchedule {
  const { functionArn, functionName } = serving;
  const { queueArn } = missed;
  may.allowQueue(queueArn);
  new CfnEventInvokeConfig(scope, 'Invocation', {
    functionName,
    qualifier: '$LATEST',
    maximumRetryAttempts: 0,
    ...(mostWaitSeconds !== undefined && { maximumEventAgeInSeconds: mostWaitSeconds }),
    destinationConfig: { onFailure: { destination: queueArn } },
  });
  const invoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] });
  const report = new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] });
  const { roleArn } = serviceRole(scope, 'SchedulerRole', 'scheduler.amazonaws.com', {
    invoke: new PolicyDocument({ statements: [invoke, report, ...keyStatements(settings, 'sqs')] }),
  });
  return new CfnSchedule(scope, 'Schedule', {
    ...timing,
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      ...{ arn: functionArn, roleArn, input },
      retryPolicy: { maximumRetryAttempts: retries, maximumEventAgeInSeconds: mostAgeSeconds },
      deadLetterConfig: { arn: queueArn },
    },
  });
}
