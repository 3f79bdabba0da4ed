/** Whether a template is one that CloudFormation knows: its resources' types, their properties, and what it refers to. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

type PropertyType =
  | { type: 'string' | 'integer' | 'number' | 'boolean' | 'date-time' | 'json' | 'tag' }
  | { type: 'array' | 'map'; element: PropertyType }
  | { type: 'ref'; reference: { $ref: string } }
  | { type: 'union'; types: PropertyType[] };
type Properties = Record<
  string,
  { type: PropertyType; required?: true; causesReplacement?: 'yes' | 'no' | 'maybe' }
>;
type Entity = { $id: string; cloudFormationType?: string; properties: Properties };

/** The specification by which the installed `cdk diff` tells what a change replaces. */
const { schema }: { schema: Record<'resource' | 'typeDefinition', { entities: Entity[] }> } = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, '../../../node_modules/aws-cdk/db.json.gz'))).toString(),
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

/** What of a template's resources CloudFormation does not know, lacks or takes in another type. */
export function wrongInTemplate(resources: Record<string, { Type: string; Properties?: object }>): string[] {
  return Object.entries(resources).flatMap(([id, { Type, Properties = {} }]) => {
    const known = RESOURCES.get(Type);
    return known === undefined ? [`${id} ${Type}: unknown`] : wrongIn(Properties, known, `${id} ${Type}`);
  });
}

/** Whether another value of a property may make another resource (CloudFormation, "Update requires: Replacement"). */
export const causesReplacement = (type: string, property: string): boolean =>
  ['yes', 'maybe'].includes(RESOURCES.get(type)?.[property]?.causesReplacement ?? 'no');
