import { readFileSync } from 'node:fs';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { ROUTES, routes } from '../../shared/contract/routes.ts';
import { roleOf, statementsOf } from '../support/stack/granted-actions.ts';
import { resolveTemplate, type TemplateText } from '../support/stack/resolved-template.ts';
import { type Changed, changesBetween } from '../support/stack/stack-update.ts';
import { EVERYTHING as EVERY_SETTING } from '../support/stack/stages.ts';
import {
  aTemplate,
  environmentOf,
  logicalId,
  propertiesOf,
  stacksOf,
} from '../support/stack/synthesised-stack.ts';

const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/8a7b6c5d-1234-4321-abcd-1234567890ab';
const OTHER_KEY = KEY.replace('8a7b6c5d', '00000000');
const BOUNDARY = 'arn:aws:iam::123456789012:policy/boundary';
const EVERYTHING = {
  kmsKeyArn: KEY,
  tags: { team: 'growth', 'cost-centre': '42' },
  permissionsBoundaryArn: BOUNDARY,
  scoreAdapter: {},
  deployment: 'canary',
  alarms: 'all',
};

const plain = aTemplate({ scoreAdapter: {} });
const template = aTemplate(EVERYTHING);

describe('a customer’s key', () => {
  it.each([
    [
      'AWS::DynamoDB::Table',
      2,
      { SSESpecification: { KMSMasterKeyId: KEY, SSEEnabled: true, SSEType: 'KMS' } },
    ],
    ['AWS::SecretsManager::Secret', 3, { KmsKeyId: KEY }],
    ['AWS::SQS::Queue', 2, { KmsMasterKeyId: KEY }],
    ['AWS::SNS::Topic', 1, { KmsMasterKeyId: KEY }],
    ['AWS::Logs::LogGroup', ROUTES.length + 10, { KmsKeyId: KEY }],
  ])('encrypts every %s', (type, count, properties) => {
    expect(propertiesOf(template, type)).toEqual(
      Array.from({ length: count }, () => expect.objectContaining(properties)),
    );
    expect(JSON.stringify(plain.findResources(type))).not.toContain(':kms:');
  });

  const keyStatements = (from: Template, functionName: string) => {
    const statements = statementsOf(from, roleOf(from, functionName));
    return statements.filter(({ Action }) => JSON.stringify(Action).includes('kms:'));
  };
  const through = (from: Template, name: string) =>
    keyStatements(from, name).map(({ Condition }) => {
      const [host] = Object.values(Condition?.StringEquals ?? {});
      return JSON.stringify(host).match(/(dynamodb|secretsmanager|sqs)\./)?.[1];
    });

  it('can be used by functions only through the services that they call', () => {
    expect(through(template, 'bootstrap').sort()).toEqual(['dynamodb', 'secretsmanager']);
    expect(through(template, 'on-change').sort()).toEqual(['dynamodb', 'sqs']);
    expect(through(template, 'push-scores').sort()).toEqual(['dynamodb', 'secretsmanager', 'sqs']);
    expect(through(template, 'purge-sweep-shard')).toEqual(['dynamodb']);
    expect(through(template, 'serve-openapi')).toEqual([]);
    expect(keyStatements(plain, 'bootstrap')).toEqual([]);
    for (const { Action, Resource } of keyStatements(template, 'bootstrap')) {
      expect([Action].flat()).toContain('kms:Decrypt');
      expect(Resource).toBe(KEY);
    }
    const schedulers = Object.values(template.findResources('AWS::IAM::Role')).filter(({ Metadata }) =>
      String(Metadata?.['aws:cdk:path']).includes('SchedulerRole'),
    );
    // Excludes the schedule of the nightly sweep, which starts an execution and has no dead-letter queue.
    const [scheduler] = schedulers.filter(({ Properties }) => JSON.stringify(Properties).includes('sqs:'));
    expect(JSON.stringify(scheduler?.Properties.Policies)).toContain('kms:GenerateDataKey');
  });

  it('of existing data can be used as well', () => {
    const moved = aTemplate({ existing: { kmsKeyArns: [OTHER_KEY] } });
    for (const { Resource } of keyStatements(moved, 'submit-response')) expect(Resource).toBe(OTHER_KEY);
    expect(through(moved, 'submit-response').sort()).toEqual(['dynamodb', 'secretsmanager']);
  });
});

/** Types that CloudFormation does not tag. */
const WITHOUT_TAGS = [
  'ApiGatewayV2::Integration',
  'ApiGatewayV2::Route',
  'IAM::Policy',
  'Lambda::Alias',
  'Lambda::EventInvokeConfig',
  'Lambda::Permission',
  'Lambda::Version',
  'Logs::MetricFilter',
  'SNS::TopicPolicy',
  'SQS::QueuePolicy',
  'Scheduler::Schedule',
].map((type) => `AWS::${type}`);

describe('tags, boundary and trust', () => {
  it('tag every resource that takes tags', () => {
    const { Resources } = template.toJSON() as TemplateText;
    const isTagged = (text: string) => text.includes('growth') && text.includes('"42"');
    const untagged = Object.values(Resources).filter((each) => !isTagged(JSON.stringify(each)));
    expect(untagged.map(({ Type }) => Type).filter((type) => !WITHOUT_TAGS.includes(type))).toEqual([]);
  });

  it('bound every role', () => {
    const roles = propertiesOf(template, 'AWS::IAM::Role');
    expect(roles.length).toBeGreaterThan(18);
    for (const { PermissionsBoundary } of roles) expect(PermissionsBoundary).toBe(BOUNDARY);
    plain.allResourcesProperties('AWS::IAM::Role', { PermissionsBoundary: Match.absent() });
  });

  it('let a service that sends its account assume a role for this account only', () => {
    const statements = propertiesOf(template, 'AWS::IAM::Role').flatMap(
      ({ AssumeRolePolicyDocument }) => AssumeRolePolicyDocument.Statement,
    );
    const services = new Set(statements.map(({ Principal }) => Principal.Service));
    expect([...services].sort()).toEqual([
      'apigateway.amazonaws.com',
      'codedeploy.amazonaws.com',
      'lambda.amazonaws.com',
      'scheduler.amazonaws.com',
      'states.amazonaws.com',
    ]);
    for (const { Condition, Principal } of statements) {
      // API Gateway does not send the account.
      if (Principal.Service === 'apigateway.amazonaws.com') continue;
      expect(Condition).toEqual({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } });
    }
  });

  it('let functions read secrets in the partition that they run in', () => {
    const host = (name: string) => environmentOf(plain, name).AWS_ENDPOINT_URL_SECRETS_MANAGER;
    for (const name of ['bootstrap', 'erase', 'push-scores']) {
      expect(host(name)).toEqual({
        'Fn::Join': ['', ['https://secretsmanager.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]],
      });
    }
    expect(host('serve-openapi')).toBeUndefined();
  });
});

it('is deployed with services that docs/iam.md lists, all of them', () => {
  const [, section = ''] = readFileSync('docs/iam.md', 'utf8').split(/^## CloudFormation$/m);
  const listed = section.split(/^## /m)[0] ?? '';
  const services = [...stacksOf(EVERY_SETTING).values()].flatMap(({ template: { Resources } }) =>
    Object.values(Resources).map(({ Type }) => Type.split('::')[1] ?? ''),
  );
  const renamed: Readonly<Record<string, string>> = { ApiGatewayV2: 'apigateway', StepFunctions: 'states' };
  const prefixes = new Set(services.map((service) => renamed[service] ?? service.toLowerCase()));
  expect(prefixes.size).toBeGreaterThan(15);
  expect([...prefixes].filter((prefix) => !listed.includes(`\`${prefix}\``))).toEqual([]);
});

describe('gradual deployment', () => {
  const AWAITED = [routes.bootstrap, routes.submitResponse, routes.submitDismissal, routes.mintTokens];
  const aliasOf = (name: string) => logicalId(template, 'AWS::Lambda::Alias', `/${name}/`);

  it('gives the gateway aliases of the routes that somebody waits for, with permission to invoke them', () => {
    template.resourceCountIs('AWS::Lambda::Alias', AWAITED.length);
    const called = propertiesOf(template, 'AWS::ApiGatewayV2::Integration').map(({ IntegrationUri }) =>
      JSON.stringify(IntegrationUri),
    );
    const caller = logicalId(template, 'AWS::IAM::Role', '/Caller/');
    const permitted = JSON.stringify(statementsOf(template, caller));
    for (const { name } of AWAITED) {
      expect(called).toContain(JSON.stringify({ Ref: aliasOf(name) }));
      expect(permitted).toContain(`{"Ref":"${aliasOf(name)}"}`);
    }
    plain.resourceCountIs('AWS::Lambda::Alias', 0);
    plain.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
  });

  it('shifts a tenth first, and rolls back on a failure, a stop or an alarm', () => {
    const groups = propertiesOf(template, 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(AWAITED.length);
    const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm'))
      .filter(([, { Properties }]) =>
        /-(deployment|gateway|mint|submit)-failures$|-internal-errors$/.test(Properties.AlarmName),
      )
      .map(([id]) => ({ Name: { Ref: id } }));
    expect(alarms).toHaveLength(5);
    for (const group of groups) {
      expect(group).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      });
      expect(group.AlarmConfiguration.Alarms).toHaveLength(alarms.length);
      expect(group.AlarmConfiguration.Alarms).toEqual(expect.arrayContaining(alarms));
    }
    for (const { name } of AWAITED) {
      const { UpdatePolicy } = template.findResources('AWS::Lambda::Alias')[aliasOf(name)] ?? {};
      expect(UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName).toBeDefined();
    }
  });

  it('can be switched off without CodeDeploy, which an active alarm would stop', () => {
    const before = resolveTemplate(template.toJSON() as TemplateText);
    const after = aTemplate({ ...EVERYTHING, deployment: 'all-at-once' }).toJSON() as TemplateText;
    const changes = changesBetween(before, resolveTemplate(after));
    const isOfAliases = ({ type }: Changed) => /^AWS::(Lambda::(Alias|Version)|CodeDeploy::.*)$/.test(type);
    expect(new Set(changes.filter(isOfAliases).map(({ change }) => change))).toEqual(new Set(['delete']));
    const moved = changes.filter(({ type }) => type === 'AWS::ApiGatewayV2::Integration');
    expect(moved.map(({ change, properties }) => [change, properties])).toEqual(
      AWAITED.map(() => ['update', ['IntegrationUri']]),
    );
  });
});

describe('a budget', () => {
  const capped = (email: string, region?: string) => {
    const template = aTemplate({ budget: { monthlyUsd: 50, email } }).toJSON() as TemplateText;
    const resolved = resolveTemplate(template, {}, region);
    const ofType = (type: string) => [...resolved].filter(([, each]) => each.type === `AWS::${type}`);
    const [[, { properties }] = ['', { properties: {} }]] = ofType('Budgets::Budget');
    return { resolved, ofType, properties };
  };
  const { resolved, ofType, properties } = capped('ops@example.com');

  it('emails at 80 % of the costs, and takes all permissions from the functions of the gateway alone at 100 %', () => {
    expect(properties).toMatchObject({
      Budget: { BudgetLimit: { Amount: 50, Unit: 'USD' }, TimeUnit: 'MONTHLY', BudgetType: 'COST' },
      NotificationsWithSubscribers: [{ Notification: { NotificationType: 'ACTUAL', Threshold: 80 } }],
    });
    const [[, { properties: action }] = ['', { properties: {} }]] = ofType('Budgets::BudgetsAction');
    expect(action).toMatchObject({
      ...{ ActionType: 'APPLY_IAM_POLICY', ApprovalModel: 'AUTOMATIC', NotificationType: 'ACTUAL' },
      ...{ ActionThreshold: { Type: 'PERCENTAGE', Value: 100 } },
      Subscribers: [{ Type: 'EMAIL', Address: 'ops@example.com' }],
    });
    const { PolicyArn, Roles } = action.Definition.IamActionDefinition;
    expect(resolved.get(PolicyArn.slice(1, -1))?.properties.PolicyDocument.Statement).toEqual([
      { Effect: 'Deny', Action: '*', Resource: '*' },
    ]);
    const uris = ofType('ApiGatewayV2::Integration').map(([, each]) => each.properties.IntegrationUri);
    const served = new Set(uris.map((uri) => uri.match(/<(\w+)/)[1]));
    const roles = ofType('Lambda::Function').flatMap(([id, each]) =>
      served.has(id) ? each.properties.Role.replace('.Arn', '') : [],
    );
    expect([...Roles].sort()).toEqual([...new Set(roles)].sort());
    expect(Roles.length).toBeLessThanOrEqual(100);
  });

  it('has another name for another address, which replaces it, and in another region of the account', () => {
    const others = [capped('b@example.com'), capped('ops@example.com', 'eu-central-1')];
    const names = [{ properties }, ...others].map((each) => each.properties.Budget.BudgetName);
    for (const name of names) expect(name).toMatch(/^canvass-test-eu-[a-z]+-1-[0-9a-f]{8}$/);
    expect(new Set(names).size).toBe(3);
  });

  it('adds nothing else', () => {
    const without = Object.keys(aTemplate().toJSON().Resources);
    const added = [...resolved].filter(([id]) => !without.includes(id)).map(([, { type }]) => type.slice(5));
    expect(added.sort().join()).toBe('Budgets::Budget,Budgets::BudgetsAction,IAM::ManagedPolicy,IAM::Role');
  });
});
