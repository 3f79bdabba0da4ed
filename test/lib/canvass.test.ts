import { readFileSync } from 'node:fs';
import { CfnResource, NestedStack, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic, type TopicProps } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { describe, expect, it } from 'vitest';
import { Canvass } from '../../lib/canvass.ts';
import type { CanvassProps } from '../../lib/canvass-props.ts';
import { refuseCrowds } from '../../lib/settings/stage-guard.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { resolveTemplate, type TemplateText } from '../support/stack/resolved-template.ts';
import { brokenRules } from '../support/stack/rule-exceptions.ts';
import { EDGE, EVERYTHING, EXISTING } from '../support/stack/stages.ts';
import { anApp, aTemplate, propertiesOf } from '../support/stack/synthesised-stack.ts';

const README = readFileSync('lib/README.md', 'utf8');

const aTeamStack = (app = anApp(), id = 'Team', env?: { account: string; region: string }) =>
  new Stack(app, id, { ...(env !== undefined && { env }) });

function inATeamStack(props: Omit<CanvassProps, 'stage'> = {}): { stack: Stack; surveys: Canvass } {
  const stack = aTeamStack();
  return { stack, surveys: new Canvass(stack, 'Surveys', { stage: 'test', ...props }) };
}

const typesOf = (template: Template): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { Type } of Object.values<{ Type: string }>(template.toJSON().Resources))
    counts[Type] = (counts[Type] ?? 0) + 1;
  return counts;
};

const resolved = (stack: Stack) => resolveTemplate(Template.fromStack(stack).toJSON() as TemplateText);

/** The template without construct paths. */
const withoutPaths = (template: Template) =>
  JSON.parse(
    JSON.stringify(template.toJSON(), (key, value) => (key.startsWith('aws:cdk:path') ? undefined : value)),
  );

describe('in a stack of a team', () => {
  it('creates the same resources as a stage of its own, under logical ids that begin with its id', () => {
    const { stack } = inATeamStack();
    const template = Template.fromStack(stack);
    expect(typesOf(template)).toEqual(typesOf(aTemplate()));
    const { Resources, Outputs, Parameters, Rules } = template.toJSON();
    const ids = [Resources, Outputs, Parameters, Rules].flatMap((section) => Object.keys(section));
    // The CDK adds these to every stack.
    const others = ['BootstrapVersion', 'CheckBootstrapVersion'];
    expect(ids.filter((id) => !id.startsWith('Surveys')).sort()).toEqual(others);
  });

  it('equals a stage of its own with the id Default, so that moving from a checkout changes nothing', () => {
    const stack = new Stack(anApp(), 'canvass-test', {
      description: 'Canvass, in-product rating surveys (test)',
    });
    new Canvass(stack, 'Default', { stage: 'test', scoreAdapter: {}, tracing: true });
    const same = aTemplate({ scoreAdapter: {}, tracing: true });
    expect(withoutPaths(Template.fromStack(stack))).toEqual(withoutPaths(same));
  });

  it('exposes the URL, the table, every function that it creates by name, and the alarm topic', () => {
    const { stack, surveys } = inATeamStack({ scoreAdapter: {}, events: {} });
    const values = (...tokens: string[]) => tokens.map((token) => stack.resolve(token));
    const template = Template.fromStack(stack);
    const output = (name: string) =>
      Object.entries(template.findOutputs('*')).find(([id]) => id.startsWith(`Surveys${name}`))?.[1].Value;
    expect(values(surveys.api.url, surveys.table.tableName)).toEqual([output('ApiUrl'), output('TableName')]);
    const names = [...ROUTES, unknownPathRoute].map(({ name }) => name);
    const others = ['on-change', 'purge-begin', 'push-scores', 'send-events'];
    expect([...surveys.functions.keys()]).toEqual(expect.arrayContaining([...names, ...others]));
    const exposed = [...surveys.functions.values()].map(({ functionArn }) => stack.resolve(functionArn));
    const made = Object.keys(template.findResources('AWS::Lambda::Function'));
    expect(exposed.map((arn) => arn['Fn::GetAtt'][0]).sort()).toEqual(made.sort());
    const [topic] = Object.keys(template.findResources('AWS::SNS::Topic'));
    expect(values(surveys.alarmTopic.topicArn)).toEqual([{ Ref: topic }]);
  });

  it('reserves concurrency for the named functions only', () => {
    const concurrency = { 'submit-response': 100, 'on-change': 10, 'purge-sweep-shard': 5 };
    const { stack, surveys } = inATeamStack({ concurrency });
    const functions = Template.fromStack(stack).findResources('AWS::Lambda::Function');
    const reserved = [...surveys.functions].flatMap(([name, { functionArn }]) => {
      const id = stack.resolve(functionArn)['Fn::GetAtt'][0];
      const kept = functions[id]?.Properties.ReservedConcurrentExecutions;
      return kept === undefined ? [] : [[name, kept]];
    });
    expect(Object.fromEntries(reserved)).toEqual(concurrency);
    expect(() => inATeamStack({ concurrency: { submit: 100, 'push-scores': 1 } })).toThrow(
      'Team/Surveys: concurrency contains unknown functions: submit, push-scores. Valid names: ',
    );
  });

  it('has the domain of the edge as its URL', () => {
    const { surveys } = inATeamStack({ edge: EDGE });
    expect(surveys.api.url).toBe('https://surveys.example.com');
  });

  it('remembers its data in its own parameters', () => {
    const { Parameters, Rules } = Template.fromStack(inATeamStack().stack).toJSON();
    const [data = ''] = Object.keys(Parameters).filter((id) => id.startsWith('SurveysGuardData'));
    expect(Parameters[data].Default).toBe('own');
    expect(JSON.stringify(Rules)).toContain(`add --parameters Team:${data}=own;`);
  });

  it('works in a nested stack, which remembers nothing', () => {
    const stack = aTeamStack();
    const nested = new NestedStack(stack, 'Nested');
    new Canvass(nested, 'Surveys', { stage: 'test' });
    const { Rules } = Template.fromStack(nested).toJSON();
    expect(Rules).toBeUndefined();
  });

  it('leaves the team’s own resources alone: tags and boundary apply only to the construct', () => {
    const stack = aTeamStack();
    const permissionsBoundary = new ManagedPolicy(stack, 'Boundary', {
      statements: [new PolicyStatement({ actions: ['*'], resources: ['*'] })],
    });
    const own = new Topic(stack, 'Own');
    new Canvass(stack, 'Surveys', { stage: 'test', tags: { team: 'growth' }, permissionsBoundary });
    const template = Template.fromStack(stack);
    const boundary = stack.resolve(permissionsBoundary.managedPolicyArn);
    template.allResourcesProperties('AWS::IAM::Role', {
      PermissionsBoundary: boundary,
      Tags: [{ Key: 'team', Value: 'growth' }],
    });
    expect(template.findResources('AWS::SNS::Topic')[String(stack.resolve(own.topicArn).Ref)]).toEqual({
      Type: 'AWS::SNS::Topic',
      Metadata: expect.anything(),
    });
  });

  it('passes the rule checks', () => {
    const { stack, surveys } = inATeamStack({ scoreAdapter: {}, events: {} });
    surveys.mintKeySecret();
    expect(brokenRules(stack)).toEqual([]);
  });

  it('stays the same under the feature flags of a new app', async () => {
    const { default: flags } = await import('aws-cdk-lib/recommended-feature-flags.json', {
      with: { type: 'json' },
    });
    const flagged = aTeamStack(anApp(flags));
    new Canvass(flagged, 'Surveys', { stage: 'test' });
    const ids = (stack: Stack) => Object.keys(Template.fromStack(stack).toJSON().Resources).sort();
    expect(ids(flagged)).toEqual(ids(inATeamStack().stack));
  });
});

describe('the number of resources in a stack', () => {
  /** These limits are from lib/README.md. */
  const [most = 0, mostOfAll = 0] = [...README.matchAll(/(?:up to|fewer than) (\d+) resources/g)].map(
    ([, count]) => Number(count),
  );
  const FULL = EVERYTHING as unknown as Omit<CanvassProps, 'stage'>;
  const countOf = (props: Omit<CanvassProps, 'stage'>) =>
    Object.keys(Template.fromStack(inATeamStack(props).stack).toJSON().Resources).length;

  it('is the documented one, with defaults and with every setting on', () => {
    expect(most).toBe(200);
    expect(countOf({})).toBeLessThanOrEqual(most);
    expect(countOf(FULL)).toBeLessThan(mostOfAll);
    expect(mostOfAll).toBeLessThan(480);
  });

  it('falls when a construct moves to a stack of its own, with its data and without a name that exists twice', () => {
    const crowded = inATeamStack();
    new Canvass(crowded.stack, 'More', { stage: 'beta' });
    const [before, left] = [resolved(crowded.stack), resolved(inATeamStack().stack)];
    const taken = [...before].filter(([id]) => !left.has(id));
    const kept = taken.flatMap(([, { type, isRetained }]) => (isRetained ? type.slice('AWS::'.length) : []));
    expect(kept.sort().join()).toBe(
      'DynamoDB::Table,DynamoDB::Table,SecretsManager::Secret,SecretsManager::Secret',
    );
    const alone = aTeamStack();
    new Canvass(alone, 'More', { stage: 'beta', existing: EXISTING });
    const moved = resolved(alone);
    expect([...moved.values()].filter(({ type }) => /DynamoDB|SecretsManager/.test(type))).toEqual([]);
    // The first deployment of a stack takes the guard's default, so it needs no parameter.
    const { Parameters = {} } = Template.fromStack(alone).toJSON();
    const [data] = Object.keys(Parameters).filter((id) => id.startsWith('MoreGuardData'));
    expect(Parameters[String(data)].Default).toBe(
      'erasureLogTableArn+hashSecretArn+tableStreamArn+tokenRingArn',
    );
    const named = (resources: typeof before) =>
      [...resources.values()].flatMap(
        (resource) => JSON.stringify(resource).match(/"\w+Name":"[\w/-]+"/g) ?? [],
      );
    const inBoth = named(left).filter((name) => named(moved).includes(name));
    expect(new Set(inBoth.filter((name) => name.includes('canvass')))).toEqual(new Set());
  });

  it('allows one construct with every setting on, and refuses two with the number and the remedy', () => {
    const { stack } = inATeamStack(FULL);
    const partsOf = () => stack.node.findAll().filter(CfnResource.isCfnResource).length;
    new Canvass(stack, 'More', { stage: 'beta', ...FULL });
    expect(partsOf()).toBeGreaterThan(480);
    expect(() => Template.fromStack(stack)).toThrow(
      `Team has ${partsOf()} resources. CloudFormation allows 500, and above 480 an upgrade may not fit. Put each Canvass into its own stack`,
    );
  });

  it.each([
    ['480, with what else is in it', 480, false],
    ['no more', 481, true],
  ])('may be %s', (_what, count, isRefused) => {
    const stack = aTeamStack();
    for (let index = 0; index < count; index++)
      new CfnResource(stack, `Own${index}`, { type: 'AWS::SNS::Topic' });
    refuseCrowds(stack);
    refuseCrowds(stack);
    if (isRefused) expect(() => Template.fromStack(stack)).toThrow(`Team has ${count} resources`);
    else expect(Object.keys(Template.fromStack(stack).toJSON().Resources)).toHaveLength(count);
  });
});

describe('a key of the app', () => {
  it('encrypts everything, and can be used by services that encrypt for themselves', () => {
    const stack = aTeamStack();
    const kmsKey = new Key(stack, 'Key');
    new Canvass(stack, 'Surveys', { stage: 'test', kmsKey });
    const template = Template.fromStack(stack);
    const arn = stack.resolve(kmsKey.keyArn);
    for (const type of ['AWS::SecretsManager::Secret', 'AWS::Logs::LogGroup'])
      template.allResourcesProperties(type, { KmsKeyId: arn });
    const [, forLogs, forOthers] = propertiesOf(template, 'AWS::KMS::Key')[0].KeyPolicy.Statement;
    const action = { Action: expect.arrayContaining(['kms:Decrypt', 'kms:GenerateDataKey*']) };
    const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((name) => ({
      Ref: `AWS::${name}`,
    }));
    const logGroups = ['', ['arn:', partition, ':logs:', region, ':', account, ':log-group:*']];
    expect(forLogs).toMatchObject({
      ...action,
      Condition: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': { 'Fn::Join': logGroups } } },
      Principal: { Service: { 'Fn::Join': ['', ['logs.', region, '.amazonaws.com']] } },
    });
    expect(forOthers).toMatchObject({
      ...action,
      Condition: { StringEquals: { 'aws:SourceAccount': account } },
      Principal: { Service: ['cloudwatch.amazonaws.com', 'events.amazonaws.com'] },
    });
  });

  it('is used without changes if it is imported', () => {
    const stack = aTeamStack();
    const arn = 'arn:aws:kms:eu-west-1:123456789012:key/8a7b6c5d-1234-4321-abcd-1234567890ab';
    new Canvass(stack, 'Surveys', { stage: 'test', kmsKey: Key.fromKeyArn(stack, 'Key', arn) });
    const same = aTemplate({ kmsKeyArn: arn });
    expect(typesOf(Template.fromStack(stack))).toEqual(typesOf(same));
  });
});

/** A construct whose alarms have a topic of the app. */
function withATopic(props: TopicProps = {}) {
  const stack = aTeamStack();
  const alarmTopic = new Topic(stack, 'Oncall', props);
  const { alarmTopic: used } = new Canvass(stack, 'Surveys', { stage: 'test', alarmTopic });
  return { stack, alarmTopic, used, template: Template.fromStack(stack) };
}

describe('a topic of the app', () => {
  it('receives every alarm instead of a new topic', () => {
    const { stack, alarmTopic, used, template } = withATopic();
    const AlarmActions = [stack.resolve(alarmTopic.topicArn)];
    template.allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions });
    expect(used).toBe(alarmTopic);
    template.resourceCountIs('AWS::SNS::Topic', 1);
    // Another topic policy would replace the default one, which lets the team's other alarms publish.
    template.resourceCountIs('AWS::SNS::TopicPolicy', 0);
  });

  it('lets these alarms publish if it has its own policy', () => {
    const [policy] = propertiesOf(withATopic({ enforceSSL: true }).template, 'AWS::SNS::TopicPolicy');
    expect(JSON.stringify(policy)).toContain(':alarm:canvass-test-*');
  });
});

describe('the alarms’ subscribers', () => {
  const warned = (stack: Stack) =>
    Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('subscribed'));

  it('are missed at synthesis, in a sentence, until the app subscribes somebody', () => {
    const { stack, surveys } = inATeamStack();
    surveys.alarmTopic.addSubscription(new EmailSubscription('ops@example.com'));
    expect(warned(stack)).toEqual([]);
    expect(warned(inATeamStack().stack).map(({ entry }) => entry.data)).toEqual([
      expect.stringContaining(
        'Nobody in this app is subscribed to the alarms of canvass-test. Set alarmEmail, or subscribe to the topic.',
      ),
    ]);
    const email = { alarmEmail: 'ops@example.com', runbookUrl: 'https://wiki.example.com/canvass' };
    expect(warned(inATeamStack(email).stack)).toEqual([]);
    expect(warned(withATopic().stack)).toEqual([]);
  });
});

describe('names of secrets', () => {
  const NAMED = /^canvass-prod\/canvass-test\/(hash-secret|token-ring|scores|mint-key)-8a7b6c5d$/;

  it('are generated, unless a new stack asks for its own name in front', () => {
    const made = (props: Partial<CanvassProps>) => {
      const { stack, surveys } = inATeamStack({ scoreAdapter: {}, ...props });
      surveys.mintKeySecret();
      const secrets = [...resolved(stack).values()].filter(({ type }) => /Secret$/.test(type));
      return { stack, names: secrets.map(({ properties }) => properties.Name) };
    };
    expect(made({}).names).toEqual(Array(4).fill(undefined));
    const { stack, names } = made({ secretNames: 'stack' });
    const kinds = names.map((name) => NAMED.exec(name)?.[1]);
    expect(kinds.sort()).toEqual(['hash-secret', 'mint-key', 'scores', 'token-ring']);
    const { Outputs, Parameters } = Template.fromStack(stack).toJSON();
    for (const kind of kinds) expect(JSON.stringify(Outputs)).toContain(`/canvass-test/${kind}-`);
    // The guard refuses the setting for a stack that was deployed without it.
    const [data = ''] = Object.keys(Parameters).filter((id) => id.startsWith('SurveysGuardData'));
    expect(Parameters[data].Default).toBe('own+secretNames');
  });

  it('are the stack’s in every example of a new stack, and not in the stages that may be deployed', () => {
    for (const file of ['README.md', 'docs/pilot.md', 'lib/README.md', 'examples/cdk-app/app.ts'])
      expect(readFileSync(file, 'utf8')).toMatch(/\bsecretNames"?: ['"]stack['"]/);
    expect(readFileSync('cdk.json', 'utf8')).not.toContain('secretNames');
  });
});

describe('two constructs', () => {
  const EU = { account: '123456789012', region: 'eu-west-1' };
  const twice = (first: Stack, second: Stack, props: Partial<CanvassProps> = {}) => {
    new Canvass(first, 'One', { stage: 'test' });
    return new Canvass(second, 'Two', { stage: 'test', ...props });
  };

  it('are refused with the same name in a stack, or in an account and region', () => {
    const stack = aTeamStack();
    expect(() => twice(stack, stack)).toThrow(
      'Team/Two and Team/One are both named "canvass-test": change the name or stage of one.',
    );
    const app = anApp();
    expect(() => twice(aTeamStack(app, 'A', EU), aTeamStack(app, 'B', EU))).toThrow('A/One');
  });

  it('cause a warning if the app does not specify the account', () => {
    const app = anApp();
    const second = aTeamStack(app, 'B');
    twice(aTeamStack(app, 'A'), second);
    Annotations.fromStack(second).hasWarning('*', Match.stringLikeRegexp('B/Two and A/One are both'));
  });

  it('work with another name, stage or region, and share no name', () => {
    const app = anApp();
    const [here, beside] = [aTeamStack(app, 'A', EU), aTeamStack(app, 'C', EU)];
    const there = aTeamStack(app, 'B', { ...EU, region: 'us-east-1' });
    twice(here, there);
    new Canvass(beside, 'Three', { stage: 'beta' });
    new Canvass(aTeamStack(app, 'D', EU), 'Four', { stage: 'test', name: 'acme' });
    const names = [here, beside].flatMap((stack) =>
      Object.values<object>(Template.fromStack(stack).toJSON().Resources).flatMap(
        (resource) => JSON.stringify(resource).match(/"(LogGroupName|AlarmName)":"[^"]+"/g) ?? [],
      ),
    );
    expect(names.length).toBeGreaterThan(50);
    expect(new Set(names).size).toBe(names.length);
  });
});
