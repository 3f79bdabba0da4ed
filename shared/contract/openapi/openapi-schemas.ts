import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import { fileRatingThanks, fileTexts, fileThanks, link, surveyOfFile } from '../survey-file.ts';
import {
  endLabels,
  followUp,
  localisedTexts,
  ratingThanks,
  reason,
  scalar,
  scale,
  surveyEvent,
  targetingRule,
  thanks,
  thanksLink,
  words,
} from '../survey-schemas.ts';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Components = Record<string, JsonSchema>;

type Direction = 'input' | 'output';

export const schemaReference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

export const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** Each schema comes after the schemas that it contains. */
const SHARED = {
  TraitValue: scalar,
  TargetingRule: targetingRule,
  EndLabels: endLabels,
  ThanksLink: thanksLink,
  Thanks: thanks,
  FollowUp: followUp,
  RatingThanks: ratingThanks,
  SurveyWords: words,
  SurveyReason: reason,
  SurveyEvent: surveyEvent,
  SurveyTexts: localisedTexts,
  Scale: scale,
  WrittenLink: () => link,
  WrittenThanks: () => fileThanks,
  WrittenRatingThanks: () => fileRatingThanks,
  WrittenTexts: () => fileTexts,
  WrittenSurvey: () => surveyOfFile,
} as const satisfies Record<string, () => z.ZodMiniType>;

interface Shared {
  readonly name: string;
  readonly schema: JsonSchema;
}

const sharedByText = new Map<string, Shared>();

const addShared = once(() => {
  for (const [name, make] of Object.entries(SHARED)) {
    const schema = convert(make(), 'input', {});
    sharedByText.set(JSON.stringify({ ...schema, description: undefined }), { name, schema });
  }
  return sharedByText;
});

/** zod adds the range of safe integers and the type of string keys, which the document omits. */
function simplify(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  delete schema.propertyNames;
  // Clients must accept unknown fields.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

/** Many tools read only one type and `null`. */
function spreadTypes({ type, ...rest }: JsonSchema): JsonSchema {
  const isList = Array.isArray(type) && type.filter((one) => one !== 'null').length > 1;
  if (!isList) return type === undefined ? rest : { type, ...rest };
  return { ...rest, anyOf: type.map((one) => ({ type: one })) };
}

function describeNullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const [first, second] = anyOf ?? [];
  if (anyOf?.length !== 2 || !isSchema(first) || !isSchema(second) || second.type !== 'null') return schema;
  const { description = rest.description, ...described } = first;
  return { ...rest, ...(description !== undefined && { description }), anyOf: [described, second] };
}

function refer(schema: JsonSchema, components: Components): JsonSchema {
  const { description, ...rest } = schema;
  const shared = sharedByText.get(JSON.stringify(rest));
  if (shared === undefined) return schema;
  components[shared.name] = describeFields(shared.name, shared.schema);
  const isOwn = description !== undefined && description !== shared.schema.description;
  return { ...schemaReference(shared.name), ...(isOwn && { description }) };
}

function convert(schema: z.ZodMiniType, io: Direction, components: Components): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const {
    $schema: _dialect,
    $defs = {},
    ...root
  }: JsonSchema = JSON.parse(text, (_name, value) =>
    isSchema(value) && !Array.isArray(value)
      ? refer(describeNullable(spreadTypes(value)), components)
      : value,
  );
  for (const [name, definition] of Object.entries($defs)) {
    if (typeof definition === 'object') components[name] = describeFields(name, definition);
  }
  return root;
}

/** Schemas with an id, and shared ones, become components. */
export function toJsonSchema(schema: z.ZodMiniType, io: Direction, components: Components): JsonSchema {
  addShared();
  return convert(schema, io, components);
}

/** The text in `FIELD_DESCRIPTIONS` precedes the schema's own description. Its key `''` describes the component. */
export function describeFields(component: string, schema: JsonSchema): JsonSchema {
  const words = FIELD_DESCRIPTIONS[component] ?? {};
  const describe = (part: unknown, path: string): void => {
    if (!isSchema(part)) return;
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      const at = `${path}${name}`;
      describe(field, `${at}.`);
      if (!isSchema(field)) continue;
      const description = [words[at], field.description].filter(Boolean).join(' ');
      if (description !== '') field.description = description;
    }
    for (const one of [part.items, part.additionalProperties, ...(part.anyOf ?? [])]) describe(one, path);
  };
  const described = structuredClone(schema);
  if (words['']) described.description = words[''];
  describe(described, '');
  return described;
}

function orNull({ description, ...schema }: JsonSchema): JsonSchema {
  const { type, enum: values, const: constant } = schema;
  const words = { ...(description !== undefined && { description }) };
  if (Object.keys(schema).length === 0) return words;
  if (typeof type !== 'string' || constant !== undefined)
    return { ...words, anyOf: [schema, { type: 'null' }] };
  const types: JsonSchema = JSON.parse(JSON.stringify({ type: [type, 'null'] }));
  return { ...words, ...schema, ...types, ...(values !== undefined && { enum: [...values, null] }) };
}

/** In a request's optional field, `null` means absent (docs/contract.md §3.1). */
export function acceptNulls(schema: JsonSchema): JsonSchema {
  const required = new Set(schema.required ?? []);
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isOptional = !required.has(name) && typeof property === 'object';
    return [name, isOptional ? orNull(property) : property] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
