/**
 * Every property of every stage's template is one that CloudFormation knows, of its type, and none that it requires is
 * missing.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { edgeStacks } from '../support/stack/synthesised-edge.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';

type PropertyType =
  | { type: 'string' | 'integer' | 'number' | 'boolean' | 'date-time' | 'json' | 'tag' }
  | { type: 'array' | 'map'; element: PropertyType }
  | { type: 'ref'; reference: { $ref: string } }
  | { type: 'union'; types: PropertyType[] };
type Properties = Record<string, { type: PropertyType; required?: true }>;
type Entity = { $id: string; cloudFormationType?: string; properties: Properties };

/** The specification by which the installed `cdk diff` tells what a change replaces. */
const { schema }: { schema: Record<'resource' | 'typeDefinition', { entities: Entity[] }> } = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, '../../node_modules/aws-cdk/db.json.gz'))).toString(),
);
const RESOURCES = new Map(schema.resource.entities.map((each) => [each.cloudFormationType, each.properties]));
const TYPES = new Map(schema.typeDefinition.entities.map((each) => [each.$id, each.properties]));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isIntrinsic = (value: unknown) => isObject(value) && /^(Ref|Fn::\w+)$/.test(Object.keys(value).join());

function wrongIn(value: unknown, properties: Properties, at: string): string[] {
  if (!isObject(value)) return [`${at}: no object`];
  const missing = Object.keys(properties).filter((name) => properties[name]?.required && !(name in value));
  return [
    ...missing.map((name) => `${at}.${name}: missing`),
    ...Object.entries(value).flatMap(([name, each]) => {
      const known = properties[name];
      if (known === undefined) return [`${at}.${name}: unknown`];
      return wrongAs(known.type, each, `${at}.${name}`);
    }),
  ];
}

function wrongAs(type: PropertyType, value: unknown, at: string): string[] {
  if (isIntrinsic(value) || type.type === 'json' || type.type === 'tag') return [];
  if (type.type === 'union') {
    // Beside a list with named fields, JSON is what an older schema said.
    const types = type.types.filter((one) => one.type !== 'json' || isObject(value));
    const each = types.map((one) => wrongAs(one, value, at));
    return each.find((wrong) => wrong.length === 0) ?? each.flat();
  }
  if (type.type === 'ref') return wrongIn(value, TYPES.get(type.reference.$ref) ?? {}, at);
  if (type.type === 'array' || type.type === 'map') {
    if (Array.isArray(value) !== (type.type === 'array') || typeof value !== 'object')
      return [`${at}: no ${type.type}`];
    return Object.entries(value ?? {}).flatMap(([key, each]) => wrongAs(type.element, each, `${at}.${key}`));
  }
  const isFit =
    type.type === 'integer'
      ? Number.isInteger(value)
      : typeof value === (type.type === 'date-time' ? 'string' : type.type);
  return isFit ? [] : [`${at}: no ${type.type}`];
}

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

function wrongInTemplate(resources: Record<string, { Type: string; Properties?: object }>): string[] {
  return Object.entries(resources).flatMap(([id, { Type, Properties = {} }]) => {
    const known = RESOURCES.get(Type);
    return known === undefined ? [`${id} ${Type}: unknown`] : wrongIn(Properties, known, `${id} ${Type}`);
  });
}

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
