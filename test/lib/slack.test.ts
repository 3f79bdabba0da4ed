/** Which events reach which Slack channels, by EventBridge's rules, and the permissions. */

import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { digestEvent } from '../../functions/digest/project-digest.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { createSlackSender } from '../../functions/send-slack.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import type { CanvassEvent, EventType } from '../../shared/domain/happening.ts';
import { matches } from '../support/events/event-pattern.ts';
import { anSqsEvent } from '../support/events/lambda-events.ts';
import { A_DIGEST } from '../support/fixtures/a-digest.ts';
import { aResponseDetail } from '../support/fixtures/builders.ts';
import { bundleFunction } from '../support/stack/bundle-function.ts';
import { grantedActions } from '../support/stack/granted-actions.ts';
import { evaluateAlarm } from '../support/stack/metric-math.ts';
import { aTemplate, logicalId } from '../support/stack/synthesised-stack.ts';
import { startSlack } from '../support/stand-ins/slack-stand-in.ts';

const SHOP = {
  format: 'slack',
  name: 'shop',
  secretName: 'canvass/slack-shop',
  projects: ['shop', 'returns'],
  events: ['low', 'contact', 'digest'],
};
const HOUR = 3_600;
const ARN = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:slack-search-AbCdEf';
const SEARCH = { ...SHOP, name: 'search', secretName: ARN, projects: ['search'], events: ['contact'] };
const WEEKLY = { ...SHOP, name: 'weekly', projects: ['search'], events: ['digest'] };
const SETTINGS = { events: {}, digest: {}, webhooks: [SHOP, SEARCH, WEEKLY] };
const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/00000000-0000-0000-0000-000000000000';

const anAnswer = (detail: object, type: EventType = 'Response Recorded'): CanvassEvent => ({
  source: 'canvass',
  'detail-type': type,
  detail: { ...aResponseDetail(), ...detail },
});
const aDigest = (projectId: string) =>
  digestEvent({ digest: A_DIGEST, projectId, deployment: 'canvass-test' });

describe('channels of Slack', () => {
  const template = aTemplate(SETTINGS);
  const idOf = (part: string) => logicalId(template, 'AWS::SQS::Queue', part);
  const arnOf = (part: string) => ({ 'Fn::GetAtt': [idOf(part), 'Arn'] });
  const rules = Object.values(template.findResources('AWS::Events::Rule'))
    .map(({ Properties }) => Properties)
    .filter(({ EventPattern }) => EventPattern !== undefined);

  /** The messages that the rules queue for an event. Evaluates EventBridge's patterns and templates. */
  const queuedOf = (event: CanvassEvent): { channel: string; group: string; body: string }[] =>
    rules.flatMap(({ EventPattern, Targets: [target] }) =>
      matches(EventPattern, { ...event })
        ? [
            {
              channel: JSON.parse(target.InputTransformer.InputTemplate.replace('<detail>', '0')).webhook
                .name,
              group: target.SqsParameters.MessageGroupId,
              body: String(target.InputTransformer.InputTemplate).replace('<detail>', () =>
                JSON.stringify(event.detail),
              ),
            },
          ]
        : [],
    );
  const toldOf = (event: CanvassEvent) => queuedOf(event).map(({ channel }) => channel);

  it('exist only if the settings have one, and then replace nothing', () => {
    const before = aTemplate({ events: {}, digest: {} }).toJSON().Resources;
    expect(JSON.stringify(before)).not.toMatch(/send-slack|SLACK_/);
    const added = Object.keys(template.toJSON().Resources).filter((id) => before[id] === undefined);
    expect(added.filter((id) => !id.startsWith('Slack'))).toEqual([]);
  });

  it.each([
    ['a low answer', anAnswer({ became: ['low'] }), ['shop']],
    ['a wish', anAnswer({ became: ['contact'] }), ['shop']],
    ['both at once, one message', anAnswer({ became: ['low', 'contact'] }), ['shop']],
    ['a revision that brings one', anAnswer({ became: ['low'] }, 'Response Revised'), ['shop']],
    ['a revision that brings nothing', anAnswer({ became: [] }, 'Response Revised'), []],
    ['a low answer of another project', anAnswer({ projectId: 'search', became: ['low'] }), []],
    ['a wish of another project', anAnswer({ projectId: 'search', became: ['contact'] }), ['search']],
    ['a project of nobody', anAnswer({ projectId: 'other' }), []],
    ['an imported answer', anAnswer({ source: 'import' }), []],
    ['another stage', anAnswer({ deployment: 'canvass-prod' }), []],
    ['a withdrawal', anAnswer({ became: [] }, 'Response Withdrawn'), []],
    ['a failed score', anAnswer({ became: ['low'] }, 'Score Failed'), []],
    ['a digest', aDigest('shop'), ['shop']],
    ['a digest of another project', aDigest('search'), ['weekly']],
    ['a digest of nobody', aDigest('other'), []],
  ])('receive the events they want of their own projects: %s', (_what, event, told) => {
    expect(toldOf(event)).toEqual(told);
  });

  it('receive nothing from other channels’ projects at any step from the event to the message', async () => {
    const slack = await startSlack();
    const send = createSlackSender({
      readSecret: async (id) => `${slack.url}/${id === ARN ? 'search' : 'shop'}`,
      parseAddress: (text) => text,
      url: 'https://surveys.example.com',
      sleep: async () => undefined,
      log: createLogger(() => undefined),
    });
    for (const projectId of ['shop', 'search', 'other'])
      for (const event of [anAnswer({ projectId, surveySlug: projectId }), aDigest(projectId)])
        for (const { body } of queuedOf(event)) await send(anSqsEvent([JSON.parse(body)]));
    expect(slack.posts.map(({ path, message }) => [path, message.text.slice(0, 12)])).toEqual([
      ['/shop', 'shop: Rated '],
      ['/shop', 'Corner shop:'],
      ['/search', 'search: Rate'],
      // The channel "weekly", which has the shop's address and receives the other project.
      ['/shop', 'Corner shop:'],
    ]);
  });

  it('with the same address share one group, which sends one message at a time', () => {
    const groupOf = (projectId: string) => queuedOf(aDigest(projectId)).map(({ group }) => group);
    expect(groupOf('search')).toEqual(groupOf('shop'));
    const [ofAnother] = queuedOf(anAnswer({ projectId: 'search', became: ['contact'] }));
    expect(groupOf('shop')).not.toContain(ofAnother?.group);
  });

  it('use a FIFO queue, and a dead-letter queue with an alarm after an hour of refusals', () => {
    template.hasResourceProperties('AWS::SQS::Queue', {
      FifoQueue: true,
      ContentBasedDeduplication: true,
      MessageRetentionPeriod: 1_209_600,
      VisibilityTimeout: 360,
      RedrivePolicy: { deadLetterTargetArn: arnOf('/Slack/Failed/'), maxReceiveCount: 10 },
    });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: arnOf('/Slack/Queue/'),
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: Match.stringLikeRegexp('send-slack'),
      Timeout: 60,
    });
  });

  it.each([
    ['one that Slack refused for an hour', { '/Slack/Failed/': 1 }, true],
    ['one that EventBridge could not queue', { '/Slack/Untaken/': 1 }, true],
    ['one that nobody sends', { '/Slack/Queue/': 2 * HOUR }, true],
    ['one that waits behind another, which is refused still', { '/Slack/Queue/': HOUR + 600 }, false],
    ['none, in queues that write no metric', {}, false],
  ])('have an alarm on a message that is not sent: %s', (_what, values, isHeard) => {
    const [alarm] = Object.values(
      template.findResources('AWS::CloudWatch::Alarm', {
        Properties: { AlarmName: 'canvass-test-slack-failed' },
      }),
    );
    const byQueue = new Map(Object.entries(values).map(([part, value]) => [idOf(part), value]));
    const value = evaluateAlarm(alarm?.Properties.Metrics, ({ MetricStat }) => {
      const [, queue = ''] = JSON.stringify(MetricStat).match(/"Fn::GetAtt":\["(\w+)","QueueName"\]/) ?? [];
      return byQueue.get(queue);
    });
    expect(value !== undefined && value >= alarm?.Properties.Threshold).toBe(isHeard);
  });

  it('have rules that alone may write to the queue', () => {
    for (const { Targets } of rules) {
      expect(Targets).toHaveLength(1);
      expect(Targets[0]).toMatchObject({
        Arn: arnOf('/Slack/Queue/'),
        DeadLetterConfig: { Arn: arnOf('/Slack/Untaken/') },
      });
    }
    for (const part of ['/Slack/Queue/', '/Slack/Untaken/'])
      template.hasResourceProperties('AWS::SQS::QueuePolicy', {
        Queues: [{ Ref: idOf(part) }],
        PolicyDocument: {
          Statement: Match.arrayWith([
            Match.objectLike({
              Action: 'sqs:SendMessage',
              Principal: { Service: 'events.amazonaws.com' },
              Condition: {
                ArnEquals: {
                  'aws:SourceArn': Object.keys(template.findResources('AWS::Events::Rule')).map((id) => ({
                    'Fn::GetAtt': [id, 'Arn'],
                  })),
                },
              },
            }),
          ]),
        },
      });
  });

  it('have a sender that may read their addresses and do nothing else', () => {
    const granted = grantedActions(template, 'send-slack');
    expect(granted.map((each) => each.split(' on ')[0])).toEqual(
      [
        'logs:CreateLogStream',
        'logs:PutLogEvents',
        'secretsmanager:GetSecretValue',
        'secretsmanager:GetSecretValue',
        'sqs:DeleteMessage',
        'sqs:GetQueueAttributes',
        'sqs:ReceiveMessage',
      ].sort(),
    );
    expect(granted.join()).toContain(':secret:canvass/slack-shop-??????');
    expect(granted.join()).toContain(ARN);
    // Rules are not secret, so only the secret contains the address. The function reads it for each message.
    expect(JSON.stringify(template.toJSON())).not.toContain('{{resolve:secretsmanager:canvass/slack');
  });

  it('keep their rules when another channel is inserted before them', () => {
    const swapped = aTemplate({ ...SETTINGS, webhooks: [WEEKLY, SEARCH, SHOP] });
    const idsOf = (which: typeof template) => Object.keys(which.findResources('AWS::Events::Rule')).sort();
    expect(idsOf(swapped)).toEqual(idsOf(template));
  });

  it('work beside JSON webhooks, which do not change', () => {
    const json = { url: 'https://hooks.example.com/a', secretName: 'canvass/hook-a' };
    const both = aTemplate({ ...SETTINGS, webhooks: [json, SHOP] });
    both.resourceCountIs('AWS::Events::ApiDestination', 1);
    const alone = aTemplate({ events: {}, webhooks: [json] }).findResources('AWS::Events::Rule');
    expect(both.findResources('AWS::Events::Rule')).toMatchObject(alone);
    expect(aTemplate({ events: {}, webhooks: [{ ...json, format: 'json' }] }).toJSON().Resources).toEqual(
      aTemplate({ events: {}, webhooks: [json] }).toJSON().Resources,
    );
  });

  it('are encrypted with the stage’s key', () => {
    aTemplate({ ...SETTINGS, kmsKeyArn: KEY }).allResourcesProperties('AWS::SQS::Queue', {
      KmsMasterKeyId: KEY,
    });
  });

  it('have rule names that EventBridge accepts, whatever the stage’s name', () => {
    const long = aTemplate({
      ...SETTINGS,
      name: 'a'.repeat(32),
      webhooks: [{ ...SHOP, name: 'b'.repeat(32) }],
    });
    for (const { Properties } of Object.values(long.findResources('AWS::Events::Rule')))
      expect(Properties.Name.length).toBeLessThanOrEqual(64);
    const most = { ...SHOP, projects: Array.from({ length: 40 }, (_, place) => `${place}`.padEnd(20, 'f')) };
    const [rule] = Object.values(
      aTemplate({ ...SETTINGS, webhooks: [most] }).findResources('AWS::Events::Rule'),
    );
    expect(JSON.stringify(rule?.Properties.EventPattern).length).toBeLessThan(2_048);
  });

  it.each([
    [[{ ...SHOP, projects: undefined }], /webhooks\.0\.projects/],
    [[{ ...SHOP, projects: [] }], /webhooks\.0\.projects/],
    [[{ ...SHOP, projects: ['a b'] }], /projects\.0: must be the id/],
    [[{ ...SHOP, events: [] }], /webhooks\.0\.events/],
    [[{ ...SHOP, events: ['shown'] }], /webhooks\.0\.events\.0/],
    [[{ ...SHOP, name: 'Shop' }], /webhooks\.0\.name/],
    [[{ ...SHOP, url: 'https://hooks.slack.com/services/T/B/x' }], /webhooks\.0: .*url/],
    [[{ ...SHOP, secretName: undefined }], /webhooks\.0\.secretName/],
    [[{ ...SHOP, format: 'teams' }], /webhooks\.0/],
    [[SHOP, { ...SEARCH, name: 'shop' }], /webhooks: .*must each have a different name/],
    [[{ ...SHOP, includeText: true }], /webhooks: can include text only if events do/],
  ])('are refused: %j', (webhooks, message) => {
    const read = () => readSettings({ stage: 'prod', stages: { prod: { ...SETTINGS, webhooks } } }, []);
    expect(read).toThrow(message);
  });

  it('can receive digests only if the digest is enabled', () => {
    const read = (settings: object) => readSettings({ stage: 'prod', stages: { prod: settings } }, []);
    expect(() => read({ events: {}, webhooks: [WEEKLY] })).toThrow(/webhooks: can send digests only if/);
    expect(() => read({ webhooks: [SEARCH] })).toThrow(/webhooks: require events/);
    expect(() =>
      read({ events: { includeText: true }, webhooks: [{ ...SEARCH, includeText: true }] }),
    ).not.toThrow();
  });

  it('have a bundle without an SDK client', async () => {
    const { inputs } = await bundleFunction('send-slack');
    expect(inputs.filter((path) => path.includes('/@aws-sdk/'))).toEqual([]);
  });
});
