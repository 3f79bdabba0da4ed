import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { bundleFunction } from '../support/stack/bundle-function.ts';
import { grantedActions } from '../support/stack/granted-actions.ts';
import { aTemplate, logicalId } from '../support/stack/synthesised-stack.ts';

const WEBHOOKS = [
  {
    url: 'https://hooks.example.com/a',
    secretName: 'canvass/hook-a',
    detailTypes: ['Response Recorded'],
    onlyLow: true,
  },
  { url: 'https://hooks.example.com/b', secretName: 'canvass/hook-b', secretVersion: 'a'.repeat(36) },
];

const SETTINGS = { events: {}, webhooks: WEBHOOKS };
const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/00000000-0000-0000-0000-000000000000';

describe('events', () => {
  const plain = aTemplate();
  const template = aTemplate(SETTINGS);
  const idOf = (type: string, part: string) => logicalId(template, type, part);
  const arnOf = (type: string, part: string) => ({ 'Fn::GetAtt': [idOf(type, part), 'Arn'] });
  const defaultBus = {
    'Fn::Join': [
      '',
      [
        'arn:',
        { Ref: 'AWS::Partition' },
        ':events:',
        { Ref: 'AWS::Region' },
        ':',
        { Ref: 'AWS::AccountId' },
        ':event-bus/default',
      ],
    ],
  };
  const PUT = `events:PutEvents on ${JSON.stringify(defaultBus)}`;

  it('leave nothing in the template when off, and replace nothing when switched on', () => {
    expect(JSON.stringify(plain.toJSON())).not.toMatch(/send-events|EVENT_|AWS::Events::/);
    const before = plain.toJSON().Resources;
    const after = template.toJSON().Resources;
    const typesOf = (resources: Record<string, { Type: string }>) =>
      Object.fromEntries(Object.keys(before).map((id) => [id, resources[id]?.Type]));
    expect(typesOf(after)).toEqual(typesOf(before));
    const added = Object.keys(after).filter((id) => before[id] === undefined);
    expect(added.filter((id) => !/^Events|^Observability/.test(id))).toEqual([]);
  });

  it('wait in a queue for two weeks, and are retried a minute after the bus refuses them', () => {
    template.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 1_209_600,
      VisibilityTimeout: 60,
      RedrivePolicy: Match.absent(),
    });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: arnOf('AWS::SQS::Queue', '/Events/Queue/'),
      FunctionName: { Ref: idOf('AWS::Lambda::Function', '/send-events/') },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: Match.stringLikeRegexp('send-events'),
      Timeout: 10,
    });
  });

  it('of purges reach the consumer, whose filters stay the same without events', () => {
    const filtersOf = (which: Template) =>
      JSON.stringify(
        Object.values(which.findResources('AWS::Lambda::EventSourceMapping')).flatMap(
          ({ Properties }) => Properties.FilterCriteria ?? [],
        ),
      );
    expect(filtersOf(template)).toContain('purge');
    expect(filtersOf(plain)).not.toContain('purge');
  });

  it('are sent by one function, which may do nothing else', () => {
    expect(grantedActions(template, 'send-events')).toEqual(
      [
        PUT,
        'sqs:DeleteMessage on queue',
        'sqs:GetQueueAttributes on queue',
        'sqs:ReceiveMessage on queue',
        'logs:CreateLogStream on log of /canvass/test/send-events',
        'logs:PutLogEvents on log of /canvass/test/send-events',
      ].sort(),
    );
  });

  it.each([
    ['on-change', [PUT, 'sqs:SendMessage on queue']],
    ['erase', ['sqs:SendMessage on queue']],
  ])('give %s exactly the permissions it needs for them', (name, more) => {
    const before = grantedActions(plain, name);
    const after = grantedActions(template, name);
    const added = [...after];
    for (const grant of before) added.splice(added.indexOf(grant), 1);
    expect(added).toEqual(more);
    expect(after).toHaveLength(before.length + more.length);
  });

  it('give no other function a permission', () => {
    const touched = ['on-change', 'erase', 'purge/expire', 'send-events'];
    const functions = Object.values(template.findResources('AWS::Lambda::Function'));
    for (const { Properties } of functions) {
      const name = String(Properties.Description).replace('canvass test: ', '');
      const variables = JSON.stringify(Properties.Environment);
      expect([name, variables.includes('EVENT_')]).toEqual([name, touched.includes(name)]);
    }
  });

  it('raise an alarm when one has waited for 15 minutes', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'canvass-test-events-late',
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateAgeOfOldestMessage',
      Threshold: 900,
      AlarmActions: [{ Ref: idOf('AWS::SNS::Topic', '/Observability/') }],
    });
  });

  it.each([
    ['events-late-2', 'events_waited', 'Maximum', 900],
    ['events-lost', 'events_lost', 'Sum', 1],
  ])('raise an alarm on failures that functions report: %s', (name, MetricName, Statistic, Threshold) => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: `canvass-test-${name}`,
      Namespace: 'canvass-test',
      MetricName,
      Statistic,
      Threshold,
      AlarmActions: [{ Ref: idOf('AWS::SNS::Topic', '/Observability/') }],
    });
  });

  it('go to the bus of the settings, and include text if the settings say so', () => {
    const other = aTemplate({ events: { busName: 'people', includeText: true } });
    const variables = { EVENT_BUS_NAME: 'people', EVENT_INCLUDE_TEXT: 'true' };
    other.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike(variables) },
    });
    expect(grantedActions(other, 'send-events').join()).toContain(':event-bus/people');
  });

  it('are encrypted with the stage’s key, which sender and consumer may use', () => {
    const own = aTemplate({ kmsKeyArn: KEY, ...SETTINGS });
    own.allResourcesProperties('AWS::SQS::Queue', { KmsMasterKeyId: KEY });
    expect(grantedActions(own, 'send-events').join()).toContain('kms:Decrypt');
  });

  it('are sent by a bundle without an SDK client', async () => {
    const { kilobytes, inputs } = await bundleFunction('send-events');
    expect(inputs.filter((path) => path.includes('/@aws-sdk/'))).toEqual([]);
    expect(kilobytes).toBeLessThan(60);
  });

  describe('a webhook', () => {
    const rules = () => Object.values(template.findResources('AWS::Events::Rule'));

    it('has a rule for the events it wants, of this stage only', () => {
      expect(rules().map(({ Properties }) => Properties.EventPattern)).toEqual([
        {
          source: ['canvass'],
          'detail-type': ['Response Recorded'],
          detail: { deployment: ['canvass-test'], low: [true] },
        },
        { source: ['canvass'], detail: { deployment: ['canvass-test'] } },
      ]);
    });

    it('is called with its secret, retried for a day and then queued, where only its rule may write', () => {
      template.resourceCountIs('AWS::Events::ApiDestination', 2);
      template.hasResourceProperties('AWS::Events::Connection', {
        AuthorizationType: 'API_KEY',
        AuthParameters: {
          ApiKeyAuthParameters: {
            ApiKeyName: 'Authorization',
            ApiKeyValue: '{{resolve:secretsmanager:canvass/hook-a:SecretString:::}}',
          },
        },
      });
      for (const [id, { Properties }] of Object.entries(template.findResources('AWS::Events::Rule'))) {
        const [target, ...others] = Properties.Targets;
        expect(others).toEqual([]);
        expect(target.RetryPolicy).toEqual({
          MaximumEventAgeInSeconds: 86_400,
          MaximumRetryAttempts: 185,
        });
        const [queue] = target.DeadLetterConfig.Arn['Fn::GetAtt'];
        template.hasResourceProperties('AWS::SQS::QueuePolicy', {
          Queues: [{ Ref: queue }],
          PolicyDocument: {
            Statement: Match.arrayWith([
              Match.objectLike({
                Action: 'sqs:SendMessage',
                Principal: { Service: 'events.amazonaws.com' },
                Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [id, 'Arn'] } } },
              }),
            ]),
          },
        });
      }
    });

    it('is called with the named version of the secret, since deployments detect no other change', () => {
      const connections = Object.values(template.findResources('AWS::Events::Connection'));
      const values = connections.map(
        ({ Properties }) => Properties.AuthParameters.ApiKeyAuthParameters.ApiKeyValue,
      );
      expect(values).toContain(`{{resolve:secretsmanager:canvass/hook-b:SecretString:::${'a'.repeat(36)}}}`);
      const rotated = aTemplate({
        events: {},
        webhooks: WEBHOOKS.map((webhook) => ({ ...webhook, secretVersion: 'b'.repeat(36) })),
      });
      const before = template.toJSON().Resources;
      const changed = Object.entries(rotated.toJSON().Resources).filter(
        ([id, resource]) => JSON.stringify(resource) !== JSON.stringify(before[id]),
      );
      expect(changed.map(([, resource]) => (resource as { Type: string }).Type)).toEqual(
        WEBHOOKS.map(() => 'AWS::Events::Connection'),
      );
    });

    it('is listed in the outputs with the queue of its failed deliveries', () => {
      const { Webhooks } = template.toJSON().Outputs;
      const queues = Object.keys(template.findResources('AWS::SQS::Queue'));
      const text = Webhooks.Value['Fn::Join'][1]
        .map((part: string | { Ref: string }) => (typeof part === 'string' ? part : part.Ref))
        .join('');
      const told: { url: string; secretName: string; queueUrl: string }[] = JSON.parse(text);
      expect(told.map(({ url, secretName }) => ({ url, secretName }))).toEqual(
        WEBHOOKS.map(({ url, secretName }) => ({ url, secretName })),
      );
      for (const { queueUrl } of told) expect(queues).toContain(queueUrl);
      expect(plain.toJSON().Outputs.Webhooks).toBeUndefined();
    });

    it('is invoked by a role that may do nothing else', () => {
      const roles = Object.values(template.findResources('AWS::IAM::Role')).filter(({ Properties }) =>
        JSON.stringify(Properties.AssumeRolePolicyDocument).includes('events.amazonaws.com'),
      );
      expect(roles).toHaveLength(2);
      for (const { Properties } of roles) {
        const [policy, ...others] = Properties.Policies;
        expect(others).toEqual([]);
        expect(policy.PolicyDocument.Statement).toEqual([
          { Action: 'events:InvokeApiDestination', Effect: 'Allow', Resource: expect.anything() },
        ]);
        expect(JSON.stringify(Properties.AssumeRolePolicyDocument)).toContain('aws:SourceAccount');
      }
    });

    it('raises an alarm when an event is not delivered', () => {
      const names = Object.values(template.findResources('AWS::CloudWatch::Alarm'))
        .map(({ Properties }) => Properties.AlarmName)
        .filter((name) => name.startsWith('canvass-test-webhook-failed-'));
      expect(names).toHaveLength(2);
    });

    it('keeps its resources when another webhook is inserted before it', () => {
      const swapped = aTemplate({ events: {}, webhooks: [...WEBHOOKS].reverse() });
      const idsOf = (which: Template) => Object.keys(which.findResources('AWS::Events::Rule')).sort();
      expect(idsOf(swapped)).toEqual(idsOf(template));
    });

    it.each([
      ['without events', { webhooks: WEBHOOKS }, /webhooks: require events/],
      [
        'without encryption',
        { events: {}, webhooks: [{ ...WEBHOOKS[0], url: 'http://a.example' }] },
        /https/,
      ],
      [
        'twice at one address',
        { events: {}, webhooks: [WEBHOOKS[0], WEBHOOKS[0]] },
        /must each have a different url/,
      ],
      [
        'of a type that there is not',
        { events: {}, webhooks: [{ ...WEBHOOKS[0], detailTypes: ['Nap'] }] },
        /detailTypes/,
      ],
    ])('is refused %s', (_what, settings, message) => {
      expect(() => aTemplate(settings)).toThrow(message);
    });
  });
});
