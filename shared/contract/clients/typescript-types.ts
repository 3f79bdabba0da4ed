/** The contract as plain TypeScript types, for packages whose users must not need zod. Made of the route table. */

import { STATUS_OF } from '../errors.ts';
import { type Components, type JsonSchema, toJsonSchema } from '../openapi/openapi-schemas.ts';
import type { Route } from '../route.ts';
import { routes } from '../routes.ts';

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
const either = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const quoted = (value: unknown): string => JSON.stringify(value);

function typeOf(schema: JsonSchema): string {
  const { $ref, type, enum: values, anyOf, oneOf, items } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return quoted(schema.const);
  if (values !== undefined) return either(values.map(quoted));
  const several = anyOf ?? oneOf;
  if (several !== undefined) return either(several.filter(isSchema).map(typeOf));
  if (Array.isArray(type)) return either(type.map((one) => typeOf({ ...schema, type: one })));
  if (type === 'array') return isSchema(items) ? `(${typeOf(items)})[]` : 'unknown[]';
  if (type === 'object') return objectOf(schema);
  return SCALARS[type ?? ''] ?? 'unknown';
}

function objectOf({ properties, required = [], additionalProperties }: JsonSchema): string {
  if (properties === undefined) {
    return `Record<string, ${isSchema(additionalProperties) ? typeOf(additionalProperties) : 'unknown'}>`;
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const type = isSchema(field) ? typeOf(field) : 'unknown';
    const said = isSchema(field) && field.description !== undefined ? `/** ${field.description} */ ` : '';
    return `${said}${quoted(name)}${required.includes(name) ? `: ${type}` : `?: ${type}`};`;
  });
  return `{ ${fields.join(' ')} }`;
}

/**
 * The text of a module that takes the place of `sdk/server/route-types.ts`: `Inputs`, `Replies` and `Endpoints` by the
 * name of a route that a secret key opens, `ErrorCode` and `Issue`.
 */
export function typescriptTypes(): string {
  const components: Components = {};
  const rows = Object.entries<Route>(routes).flatMap(([name, { key, method, path, input, success }]) => {
    if (key !== 'secret' || input === undefined || success.schema === undefined) return [];
    return {
      input: `  ${name}: ${typeOf(toJsonSchema(input, 'input', components))};`,
      reply: `  ${name}: ${typeOf(toJsonSchema(success.schema, 'output', components))};`,
      endpoint: `  ${name}: { readonly method: ${quoted(method)}; readonly path: ${quoted(path)} };`,
    };
  });
  const named = Object.entries(components).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};`,
  );
  return [
    ...named,
    'export interface Inputs {',
    ...rows.map(({ input }) => input),
    '}',
    'export interface Replies {',
    ...rows.map(({ reply }) => reply),
    '}',
    'export interface Endpoints {',
    ...rows.map(({ endpoint }) => endpoint),
    '}',
    `export type ErrorCode = ${either(Object.keys(STATUS_OF).map(quoted))};`,
    'export interface Issue { readonly path: string; readonly message: string }',
    '',
  ].join('\n');
}
