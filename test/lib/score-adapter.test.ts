import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runScoreAdapter } from '../../functions/push/run-score-adapter.ts';
import { compose } from '../../functions/runtime/compose.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { withdrawalKey } from '../../shared/data/table/schema.ts';
import { createPushSetting } from '../support/service/push-setting.ts';
import { createTestSecrets } from '../support/service/test-secrets.ts';
import { testConfig } from '../support/service/test-service.ts';
import { bundleFunction } from '../support/stack/bundle-function.ts';
import { grantedActions } from '../support/stack/granted-actions.ts';
import { aTemplate, environmentOf, logicalId } from '../support/stack/synthesised-stack.ts';
import { startLangfuseStandIn } from '../support/stand-ins/langfuse-stand-in.ts';
import { createRecordingClient } from '../support/stand-ins/recording-client.ts';

describe('the score adapter', () => {
  const template = aTemplate({ scoreAdapter: {}, alarms: 'all' });
  const idOf = (type: string, part: string) => logicalId(template, type, part);

  it('exists only if the settings enable it', () => {
    // The only schedule is that of the nightly sweep.
    aTemplate().resourceCountIs('AWS::Scheduler::Schedule', 1);
    template.resourceCountIs('AWS::Scheduler::Schedule', 2);
    expect(aTemplate().findOutputs('ScoreAdapterSecretName')).toEqual({});
    template.hasOutput('ScoreAdapterSecretName', Match.anyValue());
  });

  it('runs every minute without retries, and drops a run that is older than a minute', () => {
    const functionArn = { 'Fn::GetAtt': [idOf('AWS::Lambda::Function', '/push-scores/'), 'Arn'] };
    const queueArn = { 'Fn::GetAtt': [idOf('AWS::SQS::Queue', '/Missed/'), 'Arn'] };
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(1 minute)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: functionArn,
        RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
        DeadLetterConfig: { Arn: queueArn },
      },
    });
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
      DestinationConfig: { OnFailure: { Destination: queueArn } },
    });
    aTemplate({ scoreAdapter: { everyMinutes: 5 } }).hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(5 minutes)',
    });
  });

  /** A change here would overwrite the operator's configuration with the empty list. */
  it('has a configuration that is written only once', () => {
    const id = idOf('AWS::SecretsManager::Secret', '/Scores/');
    expect(id).toBe('ScoresConfiguration77C6960C');
    expect(template.findResources('AWS::SecretsManager::Secret')[id]).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { SecretString: '[]' },
    });
  });

  it('may read and acknowledge scores, take leases, read its configuration, report failures and write its log', async () => {
    const { service, tenant, answers, timers, stop } = await createPushSetting();
    const { table } = service;
    onTestFinished(stop);
    const { client, take } = createRecordingClient(table.endpoint);
    await answers(1);
    const waiting = { type: 'withdrawal', projectId: tenant.project.id, id: 'erased' };
    await table.table.put({
      ...withdrawalKey(tenant.project.id, 0, 'erased'),
      ...waiting,
      queuedAt: '2026-11-01T00:00:00.000Z',
    });
    const langfuse = await startLangfuseStandIn();
    onTestFinished(() => langfuse.stop());
    const destination = { type: 'langfuse', baseUrl: langfuse.url, ...langfuse.credentials };
    await runScoreAdapter(
      {
        service: compose(testConfig(table), {
          client,
          clock: timers.now,
          log: createLogger(() => undefined),
          secrets: createTestSecrets(),
        }),
        readConfiguration: async () => JSON.stringify([{ projectId: tenant.project.id, destination }]),
        runId: () => 'run',
        timers,
      },
      60_000,
    );
    expect(langfuse.scores.size).toBe(1);
    const called = take().flatMap(({ actions, index }) =>
      actions.map((action) => `${action} ${index ?? ''}`),
    );
    expect([...new Set(called)].sort()).toEqual([
      'BatchGetItem ',
      'DeleteItem ',
      'Query ',
      'Query by_score_state',
      'UpdateItem ',
    ]);
    const secret = JSON.stringify({ Ref: idOf('AWS::SecretsManager::Secret', '/Scores/') });
    expect(grantedActions(template, 'push-scores')).toEqual(
      [
        'dynamodb:BatchGetItem on table',
        'dynamodb:Query on table',
        'dynamodb:Query on by_score_state',
        'dynamodb:UpdateItem on table where key is P#*#R#*',
        'dynamodb:UpdateItem on table where key is LEASE#push-scores#*',
        'dynamodb:DeleteItem on table where key is WITHDRAWALS#*',
        'secretsmanager:GetSecretValue on hashSecret',
        `secretsmanager:GetSecretValue on ${secret}`,
        'sqs:SendMessage on queue',
        'logs:CreateLogStream on log of /canvass/test/push-scores',
        'logs:PutLogEvents on log of /canvass/test/push-scores',
      ].sort(),
    );
    const role = idOf('AWS::IAM::Role', '/Scores/SchedulerRole/');
    const [policy] = template.findResources('AWS::IAM::Role')[role]?.Properties.Policies ?? [];
    const actions = policy.PolicyDocument.Statement.map(({ Action, Resource }: never) => [Action, Resource]);
    expect(actions).toEqual([
      ['lambda:InvokeFunction', { 'Fn::GetAtt': [idOf('AWS::Lambda::Function', '/push-scores/'), 'Arn'] }],
      ['sqs:SendMessage', { 'Fn::GetAtt': [idOf('AWS::SQS::Queue', '/Missed/'), 'Arn'] }],
    ]);
  });

  it('is invoked by the stream’s consumer, which may invoke nothing else', () => {
    const arn = { 'Fn::GetAtt': [idOf('AWS::Lambda::Function', '/push-scores/'), 'Arn'] };
    const invoke = `lambda:InvokeFunction on ${JSON.stringify(arn)}`;
    expect(grantedActions(template, 'on-change')).toContain(invoke);
    expect(environmentOf(template, 'on-change')).toMatchObject({ SCORE_ADAPTER_ARN: arn });
    expect(environmentOf(aTemplate(), 'on-change')).not.toHaveProperty('SCORE_ADAPTER_ARN');
    expect(grantedActions(aTemplate(), 'on-change').filter((grant) => grant.startsWith('lambda:'))).toEqual(
      [],
    );
  });

  it('may write only to the log streams in the settings', () => {
    const stream = { logGroup: '/ratings', logStream: 'canvass' };
    const granted = grantedActions(aTemplate({ scoreAdapter: { logStreams: [stream] } }), 'push-scores');
    const own = grantedActions(template, 'push-scores');
    expect(granted.filter((grant) => !own.includes(grant))).toEqual([
      expect.stringMatching(/^logs:PutLogEvents on .*:log-group:\/ratings:log-stream:canvass"\]\]\}$/),
    ]);
  });

  it('has alarms on age and silence, halts, failed withdrawals and failing runs, each with the topic', () => {
    const alarm = (MetricName: string, more: object) =>
      template.hasResourceProperties('AWS::CloudWatch::Alarm', {
        Namespace: 'canvass-test',
        MetricName,
        Dimensions: Match.absent(),
        AlarmActions: [{ Ref: idOf('AWS::SNS::Topic', '/Observability/') }],
        ...more,
      });
    alarm('OldestPendingScoreAge', { Threshold: 3_600, Statistic: 'Maximum', TreatMissingData: 'breaching' });
    alarm('ScoreDeliveryHalted', { Threshold: 1, Statistic: 'Sum', TreatMissingData: 'notBreaching' });
    alarm('OldestWithdrawalAge', { Threshold: 86_400, Statistic: 'Maximum', EvaluationPeriods: 1 });
    alarm('ScoreRunFailed', { Threshold: 1, EvaluationPeriods: 3, TreatMissingData: 'notBreaching' });
    aTemplate({ scoreAdapter: { alarmAfterMinutes: 5 } }).hasResourceProperties('AWS::CloudWatch::Alarm', {
      Threshold: 300,
      Period: 300,
    });
    // There is no data between two runs.
    aTemplate({ scoreAdapter: { everyMinutes: 30 } }).hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'OldestPendingScoreAge',
      Period: 1_800,
    });
  });

  it('has a bundle below 420 KB, with only zod/mini', async () => {
    const { kilobytes, inputs } = await bundleFunction('push-scores');
    expect(inputs.filter((path) => path.includes('/zod/v4/classic/'))).toEqual([]);
    expect(inputs.filter((path) => path.includes('middy'))).toEqual([]);
    expect(kilobytes).toBeLessThan(420);
  });
});
