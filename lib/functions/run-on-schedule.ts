import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, type CfnScheduleProps } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { keyStatements } from '../data/encryption-key.ts';
import type { FailureQueue } from '../failure-queue.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { serviceRole } from './function-role.ts';
import type { ServiceFunction } from './service-function.ts';

interface Timing
  extends Pick<CfnScheduleProps, 'description' | 'scheduleExpression' | 'scheduleExpressionTimezone'> {
  readonly input: string;
  /** Retries by the schedule, if the called service does not accept the run. */
  readonly retries: number;
  readonly mostAgeSeconds: number;
}

/** @param call the only call that the schedule may make */
export function callOnSchedule(
  scope: Construct,
  call: readonly [name: string, action: string, arn: string],
  { input, retries, mostAgeSeconds, ...timing }: Timing,
  missed?: { readonly queueArn: string; readonly statements: readonly PolicyStatement[] },
): CfnSchedule {
  const [name, action, arn] = call;
  const allowed = new PolicyStatement({ actions: [action], resources: [arn] });
  const { roleArn } = serviceRole(scope, 'SchedulerRole', 'scheduler.amazonaws.com', {
    [name]: new PolicyDocument({ statements: [allowed, ...(missed?.statements ?? [])] }),
  });
  return new CfnSchedule(scope, 'Schedule', {
    ...timing,
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      ...{ arn, roleArn, input },
      retryPolicy: { maximumRetryAttempts: retries, maximumEventAgeInSeconds: mostAgeSeconds },
      ...(missed !== undefined && { deadLetterConfig: { arn: missed.queueArn } }),
    },
  });
}

/**
 * Invokes a function on a schedule. The queue receives runs that were missed or failed, and nothing repeats those.
 * @param mostWaitSeconds how long a run may wait in Lambda; six hours by default
 */
export function runOnSchedule(
  scope: Construct,
  { function: serving, may }: ServiceFunction,
  settings: DeploymentSettings,
  { queueArn }: FailureQueue,
  { mostWaitSeconds, ...timing }: Timing & { readonly mostWaitSeconds?: number },
): CfnSchedule {
  const { functionArn, functionName } = serving;
  may.allowQueue(queueArn);
  new CfnEventInvokeConfig(scope, 'Invocation', {
    functionName,
    qualifier: '$LATEST',
    maximumRetryAttempts: 0,
    ...(mostWaitSeconds !== undefined && { maximumEventAgeInSeconds: mostWaitSeconds }),
    destinationConfig: { onFailure: { destination: queueArn } },
  });
  const report = new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] });
  const missed = { queueArn, statements: [report, ...keyStatements(settings, 'sqs')] };
  return callOnSchedule(scope, ['invoke', 'lambda:InvokeFunction', functionArn], timing, missed);
}
