import type { Template } from 'aws-cdk-lib/assertions';
import { Match } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { runScoreAdapter } from '../../functions/push/score-adapter.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { createRunLease } from '../../shared/data/scores/run-lease.ts';
import { createTable } from '../../shared/data/table/table.ts';
import { createRecordingClient } from '../support/recording-client.ts';
import { bundleFunction } from '../support/stack/bundle-function.ts';
import { grantedActions } from '../support/stack/granted-actions.ts';
import { aStack, aTemplate, logicalId } from '../support/stack/synthesised-stack.ts';
import { createTestTable } from '../support/test-table.ts';

describe('the score adapter', () => {
  let template: Template;
  beforeAll(() => {
    template = aTemplate({ scoreAdapter: {} });
  });
  const idOf = (type: string, part: string) => logicalId(template, type, part);

  it('is there only when a stage asks for it', () => {
    aTemplate().resourceCountIs('AWS::Scheduler::Schedule', 0);
    expect(aTemplate().findOutputs('ScoreAdapterSecretName')).toEqual({});
    template.hasOutput('ScoreAdapterSecretName', Match.anyValue());
  });

  it('runs every minute, without retries, a missed minute being no younger than the next', () => {
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

  /** A change here would write the empty list again, over the operator's configuration. */
  it('its configuration is written once', () => {
    const id = idOf('AWS::SecretsManager::Secret', '/Scores/');
    expect(id).toBe('ScoresConfiguration77C6960C');
    expect(template.findResources('AWS::SecretsManager::Secret')[id]).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { SecretString: '[]' },
    });
  });

  it('may take its lease, read its configuration, report failures and write its log', async () => {
    const { endpoint, tableName } = await createTestTable();
    const { client, take } = createRecordingClient(endpoint);
    await runScoreAdapter(
      {
        readConfiguration: async () => '[]',
        baseUrl: 'http://localhost',
        metricsNamespace: 'canvass-test',
        lease: createRunLease(createTable(client, { name: tableName }), 'push-scores'),
        runId: () => 'run',
        log: createLogger(() => undefined),
      },
      60_000,
    );
    const called = [...new Set(take().flatMap(({ actions }) => actions))];
    expect(called).toEqual(['UpdateItem']);
    const secret = JSON.stringify({ Ref: idOf('AWS::SecretsManager::Secret', '/Scores/') });
    expect(grantedActions(template, 'push-scores')).toEqual(
      [
        'dynamodb:UpdateItem on table where key is LEASE#push-scores',
        `secretsmanager:GetSecretValue on ${secret}`,
        'sqs:SendMessage on queue',
        'logs:CreateLogStream on log of /canvass/test/push-scores',
        'logs:PutLogEvents on log of /canvass/test/push-scores',
      ].sort(),
    );
    const role = idOf('AWS::IAM::Role', '/SchedulerRole/');
    const [policy] = template.findResources('AWS::IAM::Role')[role]?.Properties.Policies ?? [];
    const actions = policy.PolicyDocument.Statement.map(({ Action, Resource }: never) => [Action, Resource]);
    expect(actions).toEqual([
      ['lambda:InvokeFunction', { 'Fn::GetAtt': [idOf('AWS::Lambda::Function', '/push-scores/'), 'Arn'] }],
      ['sqs:SendMessage', { 'Fn::GetAtt': [idOf('AWS::SQS::Queue', '/Missed/'), 'Arn'] }],
    ]);
  });

  it('has an alarm on age, silence included, one on a halt and one on failing runs, each telling the topic', () => {
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
    alarm('ScoreRunFailed', { Threshold: 1, EvaluationPeriods: 3, TreatMissingData: 'notBreaching' });
    aTemplate({ scoreAdapter: { alarmAfterMinutes: 5 } }).hasResourceProperties('AWS::CloudWatch::Alarm', {
      Threshold: 300,
      Period: 300,
    });
    // Between two runs there is nothing to hear.
    aTemplate({ scoreAdapter: { everyMinutes: 30 } }).hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'OldestPendingScoreAge',
      Period: 1_800,
    });
  });

  it('passes the rule checks', () => {
    const stack = aStack({ scoreAdapter: {} });
    expect(new AwsSolutionsChecks(stack).validateScope(stack).violations).toEqual([]);
  });

  it('is a bundle below 420 KB, with zod/mini alone', async () => {
    const { kilobytes, inputs } = await bundleFunction('push-scores');
    expect(inputs.filter((path) => path.includes('/zod/v4/classic/'))).toEqual([]);
    expect(inputs.filter((path) => path.includes('middy'))).toEqual([]);
    expect(kilobytes).toBeLessThan(420);
  });
});
