import { App } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { aStack, aTemplate, logicalId } from '../support/stack/synthesised-stack.ts';

const ACCOUNT = 'eu-west-1:123456789012';
const TABLE_ARN = `arn:aws:dynamodb:${ACCOUNT}:table/canvass-restored`;
const EXISTING = {
  tableStreamArn: `${TABLE_ARN}/stream/2026-11-21T10:00:00.000`,
  erasureLogTableArn: `arn:aws:dynamodb:${ACCOUNT}:table/canvass-erasures`,
  hashSecretArn: `arn:aws:secretsmanager:${ACCOUNT}:secret:SecretsHashSecret-abc-AbCdEf`,
  tokenRingArn: `arn:aws:secretsmanager:${ACCOUNT}:secret:SecretsTokenRing-abc-GhIjKl`,
};

describe('a stack on existing data', () => {
  const template = aTemplate({ existing: EXISTING });

  const environmentOf = (name: string) => {
    const id = logicalId(template, 'AWS::Lambda::Function', `/${name}/`);
    return template.findResources('AWS::Lambda::Function')[id]?.Properties.Environment.Variables;
  };

  it('creates no table and no secret', () => {
    template.resourceCountIs('AWS::DynamoDB::Table', 0);
    template.resourceCountIs('AWS::SecretsManager::Secret', 0);
  });

  it('points functions to the existing data', () => {
    expect(environmentOf('submit-response')).toMatchObject({
      TABLE_NAME: 'canvass-restored',
      HASH_SECRET_ID: EXISTING.hashSecretArn,
      TOKEN_RING_ID: EXISTING.tokenRingArn,
    });
    expect(environmentOf('erase').ERASURE_LOG_TABLE_NAME).toBe('canvass-erasures');
  });

  it('grants access only to the existing table, its indexes and the existing secrets', () => {
    const named = Object.values(template.findResources('AWS::IAM::Policy'))
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .filter(({ Action }) => /dynamodb|secretsmanager/.test(JSON.stringify(Action)))
      .flatMap(({ Resource }) => Resource);
    expect([...new Set(named)].sort()).toEqual(
      [
        TABLE_ARN,
        `${TABLE_ARN}/index/by_project`,
        `${TABLE_ARN}/index/by_score_state`,
        `${TABLE_ARN}/index/by_contact`,
        ...Object.values(EXISTING),
      ].sort(),
    );
  });

  it('reads an existing stream from now on, since older records are already counted', () => {
    const mappings = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'));
    expect(mappings.map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({ EventSourceArn: EXISTING.tableStreamArn, StartingPosition: 'LATEST' }),
    ]);
  });

  it('reads its own table’s stream from the beginning', () => {
    aTemplate().hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      StartingPosition: 'TRIM_HORIZON',
    });
  });

  it('lists the existing data for the operator CLI', () => {
    const value = (name: string) => Object.values(template.findOutputs(name))[0]?.Value;
    expect(value('TableName')).toBe('canvass-restored');
    expect(value('ErasureLogTableName')).toBe('canvass-erasures');
    expect(value('HashSecretName')).toBe('SecretsHashSecret-abc');
    expect(value('TokenRingName')).toBe('SecretsTokenRing-abc');
  });

  it('creates what is not named, under the usual logical ids', () => {
    const ids = (from: Template, type: string) => Object.keys(from.findResources(type));
    const restored = aTemplate({ existing: { tableStreamArn: EXISTING.tableStreamArn } });
    expect(ids(restored, 'AWS::SecretsManager::Secret')).toEqual(
      ids(aTemplate(), 'AWS::SecretsManager::Secret'),
    );
    expect(ids(restored, 'AWS::DynamoDB::Table')).toEqual([
      logicalId(aTemplate(), 'AWS::DynamoDB::Table', '/Erasures/'),
    ]);
  });

  it('uses the existing origin secret for an edge', () => {
    const originSecretArn = `arn:aws:secretsmanager:${ACCOUNT}:secret:canvass-test-origin-MnOpQr`;
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/abc';
    const edge = {
      domainName: 'surveys.example.com',
      certificateArn,
      originDomainName: 'origin.example.com',
      originCertificateArn: certificateArn,
    };
    const moved = aTemplate({ edge, existing: { ...EXISTING, originSecretArn } });
    moved.resourceCountIs('AWS::SecretsManager::Secret', 0);
    moved.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: { ORIGIN_SECRET: `{{resolve:secretsmanager:${originSecretArn}:SecretString:::}}` },
      },
    });
  });

  it('breaks no rule', () => {
    const stack = aStack({ existing: EXISTING });
    expect(new AwsSolutionsChecks(new App()).validateScope(stack).violations).toEqual([]);
  });

  it.each([
    ['a table where its stream is meant', { tableStreamArn: TABLE_ARN }, /existing\.tableStreamArn: /],
    [
      'a stream where a table is meant',
      { erasureLogTableArn: EXISTING.tableStreamArn },
      /erasureLogTableArn: /,
    ],
    ['a secret’s name', { hashSecretArn: 'SecretsHashSecret-abc' }, /existing\.hashSecretArn: /],
    ['a misspelt setting', { tableArn: TABLE_ARN }, /existing: .*tableArn/],
  ])('is refused: %s', (_what, existing, message) => {
    expect(() => aStack({ existing })).toThrow(message);
  });

  it('is refused if the stack would delete its own data', () => {
    expect(() => aStack({ existing: EXISTING, removalPolicy: 'destroy' })).toThrow(
      /existing: .*removalPolicy/,
    );
  });
});
