import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { digestRequest } from '../../functions/digest/send-digests.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { grantedActions } from '../support/stack/granted-actions.ts';
import { aTemplate, logicalId } from '../support/stack/synthesised-stack.ts';

const MAILS = [
  { to: 'shop@example.com', projects: ['shop', 'returns'] },
  { to: 'search@example.com', projects: ['search'] },
];
const SETTINGS = { events: {}, digest: { timeZone: 'Europe/Vienna', mails: MAILS } };

describe('the weekly digest', () => {
  const template = aTemplate(SETTINGS);
  const functionId = logicalId(template, 'AWS::Lambda::Function', '/weekly-digest/');
  const queueId = logicalId(template, 'AWS::SQS::Queue', '/Digest/Failed/');
  const topicId = logicalId(template, 'AWS::SNS::Topic', '/Digest/Topic/');
  const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

  it('exists only if the settings enable it, and then replaces nothing', () => {
    const before = aTemplate({ events: {} }).toJSON().Resources;
    expect(JSON.stringify(before)).not.toMatch(/weekly-digest|DIGEST_/);
    const added = Object.keys(template.toJSON().Resources).filter((id) => before[id] === undefined);
    expect(added.filter((id) => !id.startsWith('Digest'))).toEqual([]);
  });

  it('runs every day at eight in the stage’s time zone, with its scheduled time and the zone', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'cron(0 8 * * ? *)',
      ScheduleExpressionTimezone: 'Europe/Vienna',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: arnOf(functionId),
        Input: '{"at":"<aws.scheduler.scheduled-time>","timeZone":"Europe/Vienna"}',
        DeadLetterConfig: { Arn: arnOf(queueId) },
      },
    });
    aTemplate({ events: {}, digest: {} }).hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpressionTimezone: 'UTC',
    });
    // The format of the scheduler (EventBridge Scheduler, "Adding context attributes").
    const passed = { at: '2026-11-23T07:00:00Z', timeZone: 'Europe/Vienna' };
    expect(digestRequest().parse(passed)).toEqual(passed);
  });

  it('is not retried by Lambda, which would mail twice; a queue with an alarm reports failures', () => {
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      MaximumRetryAttempts: 0,
      DestinationConfig: { OnFailure: { Destination: arnOf(queueId) } },
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'canvass-test-digest-missed',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queueId, 'QueueName'] } }],
      AlarmActions: [{ Ref: logicalId(template, 'AWS::SNS::Topic', '/Observability/') }],
    });
  });

  it('may read the table, queue events, publish to its topic, and nothing else', () => {
    const granted = grantedActions(template, 'weekly-digest');
    expect(granted.map((each) => each.split(' on ')[0])).toEqual(
      [
        'dynamodb:BatchGetItem',
        'dynamodb:Query',
        'dynamodb:Query',
        'dynamodb:Query',
        'logs:CreateLogStream',
        'logs:PutLogEvents',
        'sns:Publish',
        'sqs:SendMessage',
        'sqs:SendMessage',
      ].sort(),
    );
    const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/00000000-0000-0000-0000-000000000000';
    const own = aTemplate({ ...SETTINGS, kmsKeyArn });
    own.allResourcesProperties('AWS::SNS::Topic', { KmsMasterKeyId: kmsKeyArn });
    expect(JSON.stringify(own.findResources('AWS::IAM::Role'))).toContain('"sns.');
  });

  it('has the topic and the address of the page', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Timeout: 900,
      Environment: {
        Variables: Match.objectLike({
          DIGEST_TOPIC_ARN: { Ref: topicId },
          DIGEST_URL: { 'Fn::GetAtt': [logicalId(template, 'AWS::ApiGatewayV2::Api'), 'ApiEndpoint'] },
        }),
      },
    });
    expect(template.toJSON().Outputs.DigestTopicArn.Value).toEqual({ Ref: topicId });
  });

  it('is mailed to each address for its own projects only', () => {
    const subscriptions = Object.values(template.findResources('AWS::SNS::Subscription'));
    expect(
      subscriptions.map(({ Properties }) => [
        Properties.TopicArn,
        Properties.Protocol,
        Properties.Endpoint,
        Properties.FilterPolicy,
      ]),
    ).toEqual(MAILS.map(({ to, projects }) => [{ Ref: topicId }, 'email', to, { projectId: projects }]));
  });

  it.each(['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+1', 'America/Port-au-Prince'])(
    'accepts the zone %s',
    (timeZone) => {
      expect(
        readSettings({ stage: 'prod', stages: { prod: { events: {}, digest: { timeZone } } } }, []).digest,
      ).toMatchObject({ timeZone });
    },
  );

  it.each([
    [{ digest: {} }, /prod\.digest: requires events/],
    [{ events: {}, digest: { timeZone: 'Vienna' } }, /digest\.timeZone: must be the name of a time zone/],
    [
      { events: {}, digest: { timeZone: 'europe/vienna' } },
      /digest\.timeZone: must be the name of a time zone/,
    ],
    [{ events: {}, digest: { timeZone: '+02:00' } }, /digest\.timeZone: must be the name of a time zone/],
    [{ events: {}, digest: { mails: [{ to: 'shop', projects: ['a'] }] } }, /mails\.0\.to/],
    [{ events: {}, digest: { mails: [{ to: 'a@example.com', projects: [] }] } }, /mails\.0\.projects/],
    [{ events: {}, digest: { mails: [{ to: 'a@example.com' }] } }, /mails\.0\.projects/],
    [{ events: {}, digest: { mails: [MAILS[0], MAILS[0]] } }, /mails: must list each address once/],
  ])('is refused: %j', (settings, message) => {
    expect(() => readSettings({ stage: 'prod', stages: { prod: settings } }, [])).toThrow(message);
  });
});
