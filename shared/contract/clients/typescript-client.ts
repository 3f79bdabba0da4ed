/**
 * The TypeScript client's calls, made of the route table: `server-calls.ts` beside it, which needs neither the table nor
 * zod. `npm run clients` writes that file, and a test compares.
 */

import { STATUS_OF } from '../errors.ts';
import type { Components, JsonSchema } from '../openapi/openapi-schemas.ts';
import { pathFields } from '../route.ts';
import {
  type ClientCall,
  capital,
  clientCalls,
  componentOf,
  type Field,
  fieldsOf,
  isFilter,
  isSchema,
  quoted,
} from './calls.ts';
import { FIELD_WORDS } from './field-words.ts';

const LINE_CHARACTERS = 116;

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const either = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : quoted(value);

/** @param orUndefined what an optional field may also be, by its own words */
function typeOf(schema: JsonSchema, indent: string, orUndefined: string): string {
  const { $ref, type, enum: values, anyOf, oneOf, items, additionalProperties } = schema;
  if ($ref !== undefined) return componentOf($ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (values !== undefined) return either(values.map(literal));
  const several = anyOf ?? oneOf;
  if (several !== undefined) {
    return either(several.filter(isSchema).map((one) => typeOf(one, indent, orUndefined)));
  }
  if (Array.isArray(type)) {
    return either(type.map((one) => typeOf({ ...schema, type: one }, indent, orUndefined)));
  }
  if (type === 'array') {
    const item = isSchema(items) ? typeOf(items, indent, orUndefined) : 'unknown';
    return / \| /.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (type !== 'object') return SCALARS[type ?? ''] ?? 'unknown';
  if (schema.properties === undefined) {
    const value = isSchema(additionalProperties)
      ? typeOf(additionalProperties, indent, orUndefined)
      : 'unknown';
    return `Record<string, ${value}>`;
  }
  const lines = fieldsOf(schema).map(({ name, schema: field, required }) => {
    const value = typeOf(field, `${indent}  `, orUndefined);
    return member(
      { name, schema: field },
      indent,
      required ? `${name}: ${value}` : `${name}?: ${value}${orUndefined}`,
    );
  });
  return block(lines, indent);
}

const block = (members: readonly string[], indent: string): string =>
  members.length === 0 ? 'Record<never, never>' : ['{', ...members, `${indent}}`].join('\n');

/** What an editor shows of a field; a component says it itself. */
function docOf({ name, schema }: Pick<Field, 'name' | 'schema'>): string | undefined {
  const said = schema.description ?? FIELD_WORDS[name];
  return said === undefined ? undefined : `/** ${said} */`;
}

function member(field: Pick<Field, 'name' | 'schema'>, indent: string, text: string): string {
  const doc = docOf(field);
  return [...(doc === undefined ? [] : [`${indent}  ${doc}`]), `${indent}  ${text};`].join('\n');
}

/** An optional field may also be there as `undefined`; a filter may not, since that would widen the request. */
function inputMember({ route }: ClientCall, field: Field): string {
  const { name, schema, required } = field;
  const orUndefined = isFilter(route, field) ? '' : ' | undefined';
  const value = typeOf(schema, '  ', ' | undefined');
  return member(field, '', required ? `${name}: ${value}` : `${name}?: ${value}${orUndefined}`);
}

/** A flag that is text in a query may be given as what it says. */
const flagOr = (schema: JsonSchema): string =>
  schema.const === 'true' ? "true | 'true'" : typeOf(schema, '  ', '');

/** The fields of one mode; a filter of another mode may not even be there as `undefined`. */
function modeOf({ route, input }: ClientCall, mode: readonly string[], others: readonly string[]): string {
  const members = input.flatMap((field) => {
    const doc = docOf(field);
    if (mode.includes(field.name))
      return [`    ${doc}\n    readonly ${field.name}: ${flagOr(field.schema)};`];
    return others.includes(field.name) && isFilter(route, field)
      ? [`    readonly ${field.name}?: never;`]
      : [];
  });
  return `{\n${members.join('\n')}\n  }`;
}

function inputType(call: ClientCall): string {
  const { modes } = call.route;
  const chosen = modes?.flat() ?? [];
  const rest = call.input.filter(({ name }) => !chosen.includes(name));
  const fields = rest.map((field) => inputMember(call, field));
  if (modes === undefined) return ` ${block(fields, '')}`;
  const either = modes.map((mode) => `  | ${modeOf(call, mode, chosen)}`).join('\n');
  return fields.length === 0 ? `\n${either}` : ` ${block(fields, '')} & (\n${either}\n)`;
}

interface Named {
  readonly call: ClientCall;
  readonly method: string;
  /** Absent: it takes nothing. */
  readonly input?: string;
  readonly reply: string;
}

function named(call: ClientCall): Named {
  const method = call.route.typescriptName ?? call.name;
  const input = `${capital(method)}${call.route.body === true ? 'Input' : 'Query'}`;
  return { call, method, reply: `${capital(method)}Reply`, ...(call.input.length > 0 && { input }) };
}

function wrapped(text: string, before: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const isFull = last === undefined || before.length + last.length + 1 + word.length > LINE_CHARACTERS;
    if (isFull) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => before + line);
}

function docstring({ route, input, isLong }: ClientCall): string[] {
  const filters = input.some((field) => isFilter(route, field));
  const said = [
    `${route.summary}.`,
    route.description,
    `Repeated after a reply that was lost, it ${route.repeated}.`,
    isLong ? '90 s by default.' : undefined,
    filters ? 'A filter that is there without a value is a `TypeError`.' : undefined,
  ];
  const text = said.filter((sentence) => sentence !== undefined).join(' ');
  return ['  /**', ...wrapped(text, '   * '), '   */'];
}

function signature({ call, method, input, reply }: Named): string[] {
  const isOptional = call.route.modes === undefined && call.input.every(({ required }) => !required);
  const name = call.route.body === true ? 'input' : 'query';
  const first = input === undefined ? [] : [`${name}${isOptional ? '?' : ''}: ${input}`];
  const parameters = [...first, 'options?: Options'].join(', ');
  return [...docstring(call), `  ${method}(${parameters}): Promise<${reply}>;`];
}

function implementation({ call, method, input }: Named): string[] {
  const { route, proof, isLong } = call;
  const inPath = pathFields(route);
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, field) => `$\{encodeURIComponent(${field})}`);
  const facts = [
    `method: ${literal(route.method)}`,
    `path: ${inPath.length === 0 ? literal(path) : `\`${path}\``}`,
    `replyField: ${literal(proof)}`,
    ...(isLong ? ['isLong: true'] : []),
    ...(call.input.some((field) => isFilter(route, field)) ? ['hasFilters: true'] : []),
  ];
  const name = route.body === true ? 'body' : 'query';
  const taken = inPath.length === 0 ? name : `{ ${inPath.join(', ')}, ...${name} }`;
  const [parameters, fields] = input === undefined ? ['options', '{}'] : [`${taken}, options`, `{ ${name} }`];
  return [`    ${method}: (${parameters}) =>`, `      send({ ${facts.join(', ')} }, ${fields}, options),`];
}

const docLine = (description: string | undefined): string =>
  description === undefined ? '' : `/** ${description} */\n`;

/** The text of `server-calls.ts`. */
export function typescriptCalls(): string {
  const components: Components = {};
  const calls = clientCalls(components).map(named);
  return [
    '/** The calls of `@canvass-surveys/server`. Made of the route table by `npm run clients`. */',
    '',
    "import type { Send } from './send.ts';",
    '',
    '/** Why the service refuses (docs/contract.md §4.1). */',
    'export type ErrorCode =',
    `${Object.keys(STATUS_OF)
      .map((code) => `  | ${literal(code)}`)
      .join('\n')};`,
    '',
    '/** What is wrong with a field. */',
    'export interface Issue {',
    '  /** Where it is, such as `traits.plan`. */',
    '  readonly path: string;',
    '  /** What must be otherwise. */',
    '  readonly message: string;',
    '}',
    '',
    ...Object.entries(components).map(
      ([name, schema]) => `${docLine(schema.description)}type ${name} = ${typeOf(schema, '', '')};\n`,
    ),
    ...calls.flatMap(({ call, method, input, reply }) => [
      ...(input === undefined
        ? []
        : [`/** What \`${method}\` takes. */\nexport type ${input} =${inputType(call)};\n`]),
      `/** What \`${method}\` resolves to. */\nexport type ${reply} = ${typeOf(call.reply, '', '')};\n`,
    ]),
    '/** A call for each route that a secret key opens. */',
    'export interface Calls<Options> {',
    ...calls.flatMap(signature),
    '}',
    '',
    '/** The calls, sent as it is said. */',
    'export function createCalls<Options>(send: Send<Options>): Calls<Options> {',
    '  return {',
    ...calls.flatMap(implementation),
    '  };',
    '}',
    '',
  ].join('\n');
}
