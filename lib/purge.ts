import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { DefinitionBody, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { PURGE_STEPS, type PurgeStepName, purgeDefinition } from '../shared/purge/state-machine.ts';
import { ERASURE_ENVIRONMENT } from '../shared/settings/environment.ts';
import { createAlarm, createOverdueAlarm, functionLog, sum } from './alarms/alarm.ts';
import type { ErasureLogTable } from './data/table.ts';
import { type Backends, serviceRole } from './functions/function-role.ts';
import { callOnSchedule } from './functions/run-on-schedule.ts';
import { knownAs, ServiceFunction } from './functions/service-function.ts';

/** At this time, answers that expired on the previous day are past any clock difference. */
const EVERY_NIGHT = 'cron(30 1 * * ? *)';
/** If a sweep does not start in this time, the next one does its work. */
const MOST_AGE_SECONDS = 6 * 3_600;

export class Purge extends Construct {
  readonly stateMachineArn: string;
  readonly alarms: readonly [failed: Alarm, overdue: Alarm];
  readonly functions: ReadonlyMap<string, IFunction>;

  constructor(scope: Construct, id: string, backends: Backends, erasureLog: ErasureLogTable) {
    super(scope, id);
    const { name, stage } = backends.settings;
    const role = serviceRole(this, 'Role', 'states.amazonaws.com');
    const functions = new Map<string, IFunction>();
    const arnOf = (step: PurgeStepName): string => {
      const { name: file, timeoutSeconds, access } = PURGE_STEPS[step];
      const log = `purge/${file}`;
      const serving = new ServiceFunction(this, knownAs(log), {
        name: log,
        bundle: 'purge',
        handler: `on${step}`,
        timeoutSeconds,
        backends: { ...backends, erasure: { log: erasureLog } },
      });
      serving.connect(access);
      serving.setEnvironment({ [ERASURE_ENVIRONMENT.erasureLogTableName]: erasureLog.name });
      const { functionArn } = serving.function;
      functions.set(log, serving.function);
      role.addToPrincipalPolicy(
        new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
      );
      return functionArn;
    };

    const machine = new StateMachine(this, 'StateMachine', {
      stateMachineName: `${name}-${stage}-purge`,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(JSON.stringify(purgeDefinition(arnOf))),
      role,
    });
    const kept =
      'Step Functions keeps the history of an execution for 90 days, and the table keeps its result';
    Validations.of(machine).acknowledge(
      { id: 'AwsSolutions-SF1', reason: `${kept}; log delivery would need a grant on every resource.` },
      { id: 'AwsSolutions-SF2', reason: `${kept}; tracing would need a grant on every resource.` },
    );
    this.functions = functions;
    this.stateMachineArn = machine.stateMachineArn;
    const schedule = callOnSchedule(this, ['start', 'states:StartExecution', machine.stateMachineArn], {
      description: 'Canvass: deletes answers past their retention period',
      scheduleExpression: EVERY_NIGHT,
      input: '{"sweep":{"at":"<aws.scheduler.scheduled-time>"}}',
      ...{ retries: 60, mostAgeSeconds: MOST_AGE_SECONDS },
    });

    const failed = createAlarm(this, 'Failed', backends.settings, {
      name: 'purge-failed',
      means:
        'A purge or the nightly sweep of expired answers failed. Data that should be deleted may remain.',
      first: functionLog(
        backends.settings,
        `purge/${PURGE_STEPS.RecordFailure.name}`,
        '{ $.message = "purge failed" }',
        '24h',
      ),
      // The state machine has no time-out, and someone who aborts an execution does so deliberately.
      metric: machine.metricFailed(sum),
    });
    const sweeping = functions.get(`purge/${PURGE_STEPS.Expire.name}`);
    if (sweeping === undefined) throw new Error('No function sweeps');
    const overdue = createOverdueAlarm(this, backends.settings, sweeping.metricInvocations(), {
      name: 'sweep-overdue',
      means: 'The nightly sweep did not run: expired answers are hidden, but stay in the table.',
      first: `aws scheduler get-schedule --name ${schedule.ref}`,
    });
    this.alarms = [failed, overdue];
  }
}
