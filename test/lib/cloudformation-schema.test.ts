/**
 * Every property of every stage's template is one that CloudFormation knows, of its type, and none that it requires is
 * missing.
 */

import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { wrongInTemplate } from '../support/stack/cloudformation-schema.ts';
import { edgeStacks } from '../support/stack/synthesised-edge.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';

const { main, edge } = edgeStacks();
const TEMPLATES: [string, Template][] = [
  ...Object.entries(cdkJson.context.stages).map(([name, settings]): [string, Template] => [
    name,
    aTemplate(settings),
  ]),
  [
    'events and a webhook',
    aTemplate({ events: {}, webhooks: [{ url: 'https://example.com', secretName: 'hook' }] }),
  ],
  ['everything', Template.fromStack(main)],
  ['edge', Template.fromStack(edge)],
];

it.each(TEMPLATES)('%s: CloudFormation knows every resource and property', (_name, template) => {
  expect(wrongInTemplate(template.toJSON().Resources)).toEqual([]);
});

it('what it does not know, lacks or takes in another type is found', () => {
  const KeySchema = [{ AttributeName: 'pk', KeyType: 'HASH' }];
  expect(
    wrongInTemplate({
      A: { Type: 'AWS::DynamoDB::Tabel' },
      B: { Type: 'AWS::DynamoDB::Table', Properties: { KeySchema, TableNam: 'answers' } },
      C: { Type: 'AWS::DynamoDB::Table', Properties: { KeySchema: [{ AttributeName: 'pk' }] } },
      D: { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: 'ten' } },
    }),
  ).toEqual([
    'A AWS::DynamoDB::Tabel: unknown',
    'B AWS::DynamoDB::Table.TableNam: unknown',
    'C AWS::DynamoDB::Table.KeySchema.0.KeyType: missing',
    'D AWS::SQS::Queue.DelaySeconds: no integer',
  ]);
});
