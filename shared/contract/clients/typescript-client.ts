/** Generates the published types, with descriptions. They replace `wire-types.ts` in the package. */

import { STATUS_OF } from '../errors.ts';
import { inputName, pascal } from '../openapi/openapi-operation.ts';
import {
  type Components,
  describeFields,
  isSchema,
  type JsonSchema,
  toJsonSchema,
} from '../openapi/openapi-schemas.ts';
import { ROUTES } from '../routes.ts';
import { componentOf, fieldsOf, quoted } from './calls.ts';

/** Optional fields of requests do not accept `null` here. */
export function clientSchemas(): Components {
  const schemas: Components = {
    ErrorCode: { description: 'Why the service refuses a request.', enum: Object.keys(STATUS_OF) },
  };
  for (const route of ROUTES) {
    const { name, key, input, success } = route;
    if (key === undefined || input === undefined || success.schema === undefined) continue;
    const put = (component: string, schema: JsonSchema) => {
      if (schema.$ref !== undefined) return;
      schemas[component] = { description: `${route.summary}.`, ...describeFields(component, schema) };
    };
    put(inputName(route), toJsonSchema(input(), 'input', schemas));
    put(`${pascal(name)}Reply`, toJsonSchema(success.schema(), 'output', schemas));
  }
  return schemas;
}

const described = ({ description }: JsonSchema, text: string): string =>
  description === undefined ? text : `/** ${description} */\n${text}`;

function objectType(schema: JsonSchema): string {
  const fields = fieldsOf(schema).map((field) =>
    described(field.schema, `${field.name}${field.required ? '' : '?'}: ${typeOf(field.schema)};`),
  );
  if (isSchema(schema.additionalProperties))
    fields.push(`[key: string]: ${typeOf(schema.additionalProperties)};`);
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n}`;
}

function typeOf(schema: JsonSchema): string {
  const { $ref, type, enum: values, anyOf, oneOf, items } = schema;
  if ($ref !== undefined) return componentOf($ref);
  if (schema.const !== undefined) return quoted(schema.const);
  if (values !== undefined) return values.map(quoted).join(' | ');
  const several = anyOf ?? oneOf;
  if (several !== undefined) return several.filter(isSchema).map(typeOf).join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (type === 'array') return `(${isSchema(items) ? typeOf(items) : 'unknown'})[]`;
  if (type === 'object') return objectType(schema);
  return type === 'integer' ? 'number' : (type ?? 'unknown');
}

export function typescriptTypes(): string {
  const types = Object.entries(clientSchemas()).map(([name, schema]) =>
    described(schema, `export type ${name} = ${typeOf(schema)};`),
  );
  return `/** Requests and replies of the service. */\n\n${types.join('\n\n')}\n`;
}
