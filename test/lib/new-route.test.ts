/** A new entry in the route table is enough to deploy the route. */

import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Construct } from 'constructs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createService } from '../../lib/service.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import type { Route } from '../../shared/contract/route.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { grantedActions, statementsOf } from '../support/stack/granted-actions.ts';
import { anApp, aTemplate, logicalId, propertiesOf } from '../support/stack/synthesised-stack.ts';

const aRoute = (name: string): Route => ({
  name,
  method: 'GET',
  path: `/v1/${name}`,
  aliases: [{ method: 'POST', path: `/v1/${name}` }],
  summary: 'Thrown away',
  key: 'secret',
  success: { status: 200 },
  access: { table: ['Query'], byProject: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 7,
  throttle: { rate: 3, burst: 5 },
});

/** The longest ARN of a function's alias in a JSON list, and IAM's quota for the policies in a role ("IAM quotas"). */
const LONGEST_ARN = 'arn:aws-us-gov:lambda:ap-southeast-2:123456789012:function::live,""'.length + 64;
const MOST_OF_A_ROLE = 10_240;

/** More routes than fit into the existing alarms. */
const ADDED = Array.from({ length: 12 }, (_, index) => aRoute(`added-${String.fromCharCode(97 + index)}`));

describe('a route added to the table', () => {
  let template: Template;
  beforeAll(() => {
    const routes = [...ROUTES, ...ADDED];
    const routeNames = routes.map(({ name }) => name);
    const throttles = { 'added-b': { rate: 1, burst: 2 } };
    const settings = readSettings(
      { stage: 'test', stages: { test: { throttles, alarms: 'all', dashboard: true } } },
      routeNames,
    );
    const stack = new Stack(anApp(), 'canvass-test');
    createService(new Construct(stack, 'Default'), settings, routes);
    template = Template.fromStack(stack);
  });
  const functionId = (name: string) => logicalId(template, 'AWS::Lambda::Function', `/${name}/`);

  it('has a function with its time-out and a log group', () => {
    expect(template.findResources('AWS::Lambda::Function')[functionId('added-a')]?.Properties).toMatchObject({
      Timeout: 7,
      Description: 'canvass test: added-a',
      LoggingConfig: { LogGroup: { Ref: logicalId(template, 'AWS::Logs::LogGroup', '/added-a/') } },
    });
  });

  it('has an integration on each path, permission to invoke it, and its own throttle or the stage’s', () => {
    const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route'));
    const keys = routes.map(({ Properties }) => Properties.RouteKey);
    expect(keys).toEqual(expect.arrayContaining(['GET /v1/added-a', 'POST /v1/added-a']));
    template.hasResourceProperties('AWS::ApiGatewayV2::Integration', {
      IntegrationUri: { 'Fn::GetAtt': [functionId('added-a'), 'Arn'] },
    });
    const caller = logicalId(template, 'AWS::IAM::Role', '/Caller/');
    template.allResourcesProperties('AWS::ApiGatewayV2::Integration', {
      CredentialsArn: { 'Fn::GetAtt': [caller, 'Arn'] },
    });
    const [permitted] = statementsOf(template, caller);
    expect(permitted).toMatchObject({ Action: 'lambda:InvokeFunction', Effect: 'Allow' });
    const served = propertiesOf(template, 'AWS::ApiGatewayV2::Integration').map(
      (each) => each.IntegrationUri,
    );
    expect(permitted?.Resource).toEqual(served);
    expect(served.length * LONGEST_ARN).toBeLessThan(MOST_OF_A_ROLE);
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      RouteSettings: {
        'GET /v1/added-a': { ThrottlingRateLimit: 3, ThrottlingBurstLimit: 5 },
        'GET /v1/added-b': { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 },
      },
    });
  });

  it('takes four resources, another for a second path, and a role if no route has the same permissions', () => {
    const before = aTemplate({ alarms: 'all', dashboard: true }).toJSON().Resources;
    const added = Object.entries<{ Type: string }>(template.toJSON().Resources)
      .filter(([id]) => !(id in before))
      .map(([, { Type }]) => Type)
      .filter((type) => type !== 'AWS::CloudWatch::Alarm');
    const each = ['Lambda::Function', 'Logs::LogGroup', 'ApiGatewayV2::Integration'];
    const paths = ['ApiGatewayV2::Route', 'ApiGatewayV2::Route'];
    const expected = ['IAM::Role', ...ADDED.flatMap(() => [...each, ...paths])];
    expect(added.sort()).toEqual(expected.map((type) => `AWS::${type}`).sort());
  });

  it('may do what it declares, count requests and write its log', () => {
    const logs = ADDED.map(({ name }) => `log of /canvass/test/${name}`);
    expect(grantedActions(template, 'added-a')).toEqual(
      [
        'dynamodb:Query on by_project',
        'dynamodb:Query on table',
        'dynamodb:UpdateItem on table where key is P#*#RATE#*',
        ...logs.flatMap((log) => [`logs:CreateLogStream on ${log}`, `logs:PutLogEvents on ${log}`]),
        'secretsmanager:GetSecretValue on hashSecret',
      ].sort(),
    );
  });

  it('is covered by alarms of at most ten metrics and by the dashboard', () => {
    const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm'));
    for (const { name } of ADDED) {
      const watching = alarms
        .filter(({ Properties }) => JSON.stringify(Properties.Metrics ?? []).includes(functionId(name)))
        .map(({ Properties }) => Properties.AlarmName.replace(/-\d+$/, ''));
      expect(watching.sort()).toEqual(['canvass-test-function-failures', 'canvass-test-function-throttles']);
      const [board] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
      expect(JSON.stringify(board?.Properties.DashboardBody)).toContain(name);
    }
    for (const { Properties } of alarms) {
      const metrics = (Properties.Metrics ?? []).filter((each: object) => 'MetricStat' in each);
      expect(metrics.length).toBeLessThanOrEqual(10);
    }
  });
});
