/** JSON Schemas of the OpenAPI document, made of the zod schemas that validate requests. */

import * as z from 'zod/mini';
import { writtenBy } from '../written-as.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Components = Record<string, JsonSchema>;

type Direction = 'input' | 'output';

/** Where the parts of the document find a component. */
export const schemaReference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** Leaves out what zod adds and the contract does not mean: the range of safe integers, and that keys are strings. */
function simplify(schema: JsonSchema, given: unknown): void {
  const written = writtenBy(given);
  if (written !== undefined) Object.assign(schema, toJsonSchema(written, 'input', {}));

  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  delete schema.propertyNames;
  // Clients must bear fields that are newer than they are.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

/**
 * The schema as OpenAPI wants it. Schemas with an id of their own (`z.meta({ id })`) go to `components` and are
 * referred to.
 */
export function toJsonSchema(schema: z.ZodMiniType, io: Direction, components: Components): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema, zodSchema }) => simplify(jsonSchema, zodSchema),
  });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _dialect, $defs = {}, ...root }: JsonSchema = JSON.parse(text);
  for (const [name, definition] of Object.entries($defs)) {
    if (typeof definition === 'object') components[name] = definition;
  }
  return root;
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const types: JsonSchema = JSON.parse(JSON.stringify({ type: [type, 'null'] }));
  return { ...schema, ...types, ...(values !== undefined && { enum: [...values, null] }) };
}

/** A request body's schema: `null` for an optional field means that it is absent (docs/contract.md §3.1). */
export function acceptNulls(schema: JsonSchema): JsonSchema {
  const required = new Set(schema.required ?? []);
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isOptional = !required.has(name) && typeof property === 'object';
    return [name, isOptional ? orNull(property) : property] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
