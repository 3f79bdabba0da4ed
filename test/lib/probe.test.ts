import { describe, expect, it } from 'vitest';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { bundleFunction } from '../support/stack/bundle-function.ts';
import { grantedActions } from '../support/stack/granted-actions.ts';
import { aTemplate, environmentOf, logicalId } from '../support/stack/synthesised-stack.ts';

const KEY = 'svc_pk_abcdefghijkl_x';
const PROBE = { probe: { key: KEY } };

describe('the probe', () => {
  const template = aTemplate(PROBE);
  const functionId = logicalId(template, 'AWS::Lambda::Function', '/probe/');
  const [alarm] = Object.values(
    template.findResources('AWS::CloudWatch::Alarm', {
      Properties: { AlarmName: 'canvass-test-probe-failing' },
    }),
  );

  it('exists only if the settings enable it', () => {
    expect(Object.keys(aTemplate().findResources('AWS::Events::Rule'))).toEqual([]);
  });

  it('runs on a schedule that may invoke it, without retries, and has the address and the key', () => {
    const ruleId = logicalId(template, 'AWS::Events::Rule');
    const arn = { 'Fn::GetAtt': [functionId, 'Arn'] };
    template.hasResourceProperties('AWS::Events::Rule', {
      Name: 'canvass-test-probe',
      ScheduleExpression: 'rate(15 minutes)',
      Targets: [{ Id: 'probe', Arn: arn }],
    });
    template.hasResourceProperties('AWS::Lambda::Permission', {
      FunctionName: { Ref: functionId },
      Principal: 'events.amazonaws.com',
      SourceArn: { 'Fn::GetAtt': [ruleId, 'Arn'] },
    });
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', { MaximumRetryAttempts: 0 });
    const api = logicalId(template, 'AWS::ApiGatewayV2::Api');
    expect(environmentOf(template, 'probe')).toMatchObject({
      PROBE_KEY: KEY,
      PROBE_URL: { 'Fn::GetAtt': [api, 'ApiEndpoint'] },
    });
    aTemplate({ probe: { key: KEY, every: '2h' } }).hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(120 minutes)',
    });
  });

  it('may write its log and nothing else', () => {
    expect(grantedActions(template, 'probe')).toEqual([
      'logs:CreateLogStream on log of /canvass/test/probe',
      'logs:PutLogEvents on log of /canvass/test/probe',
    ]);
  });

  it('may also read the secret of its mint key if the settings name one', () => {
    const linking = aTemplate({ probe: { key: KEY, mintKeySecret: 'canvass-test-probe' } });
    expect(environmentOf(linking, 'probe')).toMatchObject({ PROBE_MINT_KEY_SECRET_ID: 'canvass-test-probe' });
    const [secret, ...others] = grantedActions(linking, 'probe').filter((each) => !each.startsWith('logs:'));
    expect(others).toEqual([]);
    expect(secret).toMatch(/^secretsmanager:GetSecretValue on .*:secret:canvass-test-probe-\?{6}/);
  });

  it('has an essential alarm: two failed runs, or none at all', () => {
    expect(alarm?.Properties).toMatchObject({
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: functionId } }],
      AlarmActions: [{ Ref: logicalId(template, 'AWS::SNS::Topic') }],
    });
    // Missing data counts as breaching, so the alarm also fires when the probe does not run, and before its first run.
    expect(alarm?.Properties).toMatchObject({
      Statistic: 'Sum',
      Threshold: 1,
      Period: 20 * 60,
      EvaluationPeriods: 2,
      TreatMissingData: 'breaching',
    });
  });

  it('has a first command that covers the periods of the alarm and at least three hours', () => {
    const since = (every: string) => {
      const alarms = aTemplate({ probe: { key: KEY, every } }).findResources('AWS::CloudWatch::Alarm');
      return JSON.stringify(alarms).match(/canvass\/test\/probe --since (\d+)h/)?.[1];
    };
    expect(['15m', '2h', '12h'].map(since)).toEqual(['3', '6', '26']);
  });

  it.each([
    { key: 'secret' },
    { key: 'svc_sk_abcdefghijkl_x' },
    { key: KEY, every: '1m' },
    { key: KEY, every: '1d' },
  ])('is refused: %j', (probe) => {
    const read = () => readSettings({ stage: 'prod', stages: { prod: { probe } } }, []);
    expect(read).toThrow(/stages\.prod\.probe\.(key|every): must be/);
  });

  it('has a bundle without the SDK', async () => {
    const { kilobytes, inputs } = await bundleFunction('probe');
    expect(inputs.filter((path) => path.includes('@aws-sdk') || path.includes('/zod/v4/classic/'))).toEqual(
      [],
    );
    expect(kilobytes).toBeLessThan(200);
  });
});
