/** Templates of stages are valid by AWS's published CloudFormation schemas and break no rule of cdk-nag. */

import { Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { learn, wrongInTemplate } from '../support/stack/cloudformation-schema.ts';
import { resolveTemplate } from '../support/stack/resolved-template.ts';
import { brokenRules, ruleExceptions } from '../support/stack/rule-exceptions.ts';
import { STAGES } from '../support/stack/stages.ts';
import { constructsOf, stacksOf } from '../support/stack/synthesised-stack.ts';

const EVERY_STAGE = Object.entries({ ...STAGES, ...cdkJson.context.stages });

beforeAll(() => {
  const templates = EVERY_STAGE.flatMap(([, stage]) => [...stacksOf(stage).values()]);
  learn(templates.flatMap(({ template }) => Object.values(template.Resources).map(({ Type }) => Type)));
});

it.each(EVERY_STAGE)('%s: has templates that CloudFormation accepts', (_what, stage) => {
  for (const { template, region } of stacksOf(stage).values())
    expect(wrongInTemplate(template, region)).toEqual([]);
});

describe('rules of AwsSolutions', () => {
  it.each(Object.entries(STAGES))('are not broken by %s', (_what, stage) => {
    expect(constructsOf(stage).flatMap(brokenRules)).toEqual([]);
  });

  it('are broken by a careless bucket', () => {
    const careless = new Stack();
    new Bucket(careless, 'Bucket');
    expect(brokenRules(careless)).toContain('AwsSolutions-S1');
  });

  it.each([
    ['a plain stage', ['APIG4', 'SF1', 'SF2', 'SMG4', 'SQS3']],
    [
      'everything, with an edge and within a boundary',
      [
        'APIG4',
        'CFR1',
        'CFR3',
        'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
        'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForRestores]',
        'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
        'IAM5[Resource::*]',
        'S1',
        'SF1',
        'SF2',
        'SMG4',
        'SQS3',
      ],
    ],
  ])('have only these exceptions, each with a reason: %s', (stage, rules) => {
    const exceptions = constructsOf(STAGES[stage] ?? {}).flatMap(ruleExceptions);
    expect([...new Set(exceptions.map(({ rule }) => rule))].sort()).toEqual(rules);
    for (const { rule, reason } of exceptions)
      expect(reason.length, `the reason of ${rule}`).toBeGreaterThan(20);
  });
});

/** Resources that hold data. */
const DATA = /^AWS::(DynamoDB::Table|SecretsManager::Secret|S3::Bucket|Backup::BackupVault)$/;

it.each(Object.entries(STAGES))(
  '%s: keeps tables and buckets when it is deleted, and nothing without data',
  (_what, stage) => {
    for (const { template, region } of stacksOf(stage).values()) {
      for (const { type, isRetained } of resolveTemplate(template, {}, region).values()) {
        if (isRetained) expect(type).toMatch(DATA);
        if (/Table$|Bucket$/.test(type)) expect([type, isRetained]).toEqual([type, true]);
      }
    }
  },
);

const FUNCTION = { Code: { ZipFile: 'x' }, Handler: 'i.h', Role: 'arn:aws:iam::123456789012:role/r' };
const QUEUE = { VisibilityTimeout: 30 };

describe('the schema check refuses', () => {
  it.each([
    ['a type that is not there', 'AWS::DynamoDB::Tabel', {}, 'Unknown resource type'],
    ['a property that is not there', 'AWS::SQS::Queue', { ...QUEUE, QueueNam: 'a' }, 'QueueNam'],
    [
      'one that is missing',
      'AWS::Lambda::Function',
      { Code: FUNCTION.Code },
      "'Role' is a required property",
    ],
    ['one of another type', 'AWS::SQS::Queue', { DelaySeconds: 'ten' }, "not of type 'integer'"],
    ['a value out of an enumeration', 'AWS::Logs::LogGroup', { RetentionInDays: 8 }, '8 is not one of'],
    [
      'one within another',
      'AWS::Lambda::Function',
      { ...FUNCTION, TracingConfig: { Mode: 'Sometimes' } },
      'Mode',
    ],
    ['one out of range', 'AWS::Lambda::Function', { ...FUNCTION, MemorySize: -1 }, 'less than the minimum'],
    ['a text that is too long', 'AWS::Logs::LogGroup', { LogGroupName: 'x'.repeat(600) }, 'LogGroupName'],
    ['a text of another form', 'AWS::Logs::LogGroup', { LogGroupName: 'a b' }, 'LogGroupName'],
  ])('%s', (_what, Type, Properties, said) => {
    expect(wrongInTemplate({ Resources: { R: { Type, Properties } } }).join('\n')).toContain(said);
  });

  it('a reference to a missing resource', () => {
    const Properties = { TopicName: { Ref: 'Nobody' } };
    expect(wrongInTemplate({ Resources: { R: { Type: 'AWS::SNS::Topic', Properties } } })).not.toEqual([]);
  });
});
