/** The calls of the typed clients: one for each route that accepts a secret key. */

import { type Components, isSchema, type JsonSchema, toJsonSchema } from '../openapi/openapi-schemas.ts';
import type { Route } from '../route.ts';
import { routes } from '../routes.ts';

/** Seconds; longer routes get a longer deadline. */
const LONG_SECONDS = 20;
/** These fields only choose a page, so omitting them returns no additional data. */
const PAGING: ReadonlySet<string> = new Set(['limit', 'cursor']);

export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

export interface ClientCall {
  readonly name: string;
  readonly route: Route;
  readonly input: readonly Field[];
  readonly reply: JsonSchema;
  /** A field that every reply of the service has and other servers' replies lack. */
  readonly proof: string;
  readonly isLong: boolean;
}

export const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
export const quoted = (value: unknown): string => JSON.stringify(value);
export const componentOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties)
    .filter((entry): entry is [string, JsonSchema] => isSchema(entry[1]))
    .map(([name, schema]) => ({ name, schema, required: required.includes(name) }));
}

/** If a caller omitted such a field by mistake, the request would cover more data. */
export const isFilter = ({ scope }: Route, { name, required }: Field): boolean =>
  scope === 'privacy' && !required && !PAGING.has(name);

function requiredOf(schema: JsonSchema, components: Components): readonly string[] {
  const { $ref, anyOf, oneOf, required = [] } = schema;
  if ($ref !== undefined) return requiredOf(components[componentOf($ref)] ?? {}, components);
  const kinds = (anyOf ?? oneOf ?? []).filter(isSchema).map((one) => requiredOf(one, components));
  const [first = [], ...others] = kinds;
  return [...required, ...first.filter((name) => others.every((names) => names.includes(name)))];
}

/** Prefers a more specific field to `ok`. */
function proofOf(name: string, reply: JsonSchema, components: Components): string {
  const required = requiredOf(reply, components);
  const proof = required.find((field) => field !== 'ok') ?? required[0];
  if (proof === undefined) throw new Error(`the reply of ${name} has no field that is always there`);
  return proof;
}

export function clientCalls(components: Components = {}): ClientCall[] {
  return Object.entries<Route>(routes).flatMap(([name, route]) => {
    if (route.key !== 'secret' || route.input === undefined || route.success.schema === undefined) return [];
    const input = fieldsOf(toJsonSchema(route.input(), 'input', components));
    const reply = toJsonSchema(route.success.schema(), 'output', components);
    const proof = proofOf(name, reply, components);
    return [{ name, route, input, reply, proof, isLong: route.timeoutSeconds > LONG_SECONDS }];
  });
}
