import { STATUS_OF } from '../errors.ts';
import { openapiDocument } from '../openapi/openapi.ts';
import { isSchema, type JsonSchema } from '../openapi/openapi-schemas.ts';
import { pathFields } from '../route.ts';
import {
  type ClientCall,
  capital,
  clientCalls,
  componentOf,
  type Field,
  fieldsOf,
  isFilter,
  quoted,
} from './calls.ts';

const MADE = 'Made of the route table by `npm run build`.';
const KEYWORDS: ReadonlySet<string> = new Set(['from', 'import', 'class', 'global', 'is', 'in']);
const LONG_DEADLINE_SECONDS = 90;

type PythonCall = Omit<ClientCall, 'reply'> & { readonly reply: string };

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const argument = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : snake(name));
const literal = (value: unknown): string =>
  typeof value === 'boolean' ? capital(String(value)) : JSON.stringify(value);

function markOf(schema: JsonSchema): string {
  const field = fieldsOf(schema).find((each) => each.schema.const !== undefined);
  return field === undefined ? '' : capital(field.name) + capital(String(field.schema.const));
}

class Types {
  readonly classes = new Map<string, string>();
  readonly #components: Readonly<Record<string, JsonSchema>>;

  constructor(components: Readonly<Record<string, JsonSchema>>) {
    this.#components = components;
  }

  of(schema: JsonSchema, name: string): string {
    const { $ref, type, enum: values, anyOf, oneOf, items, additionalProperties } = schema;
    if ($ref !== undefined) return this.component(componentOf($ref));
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (values !== undefined) return this.choice(values);
    const several = anyOf ?? oneOf;
    if (several !== undefined) {
      return union(several.filter(isSchema).map((one) => this.of(one, name + markOf(one))));
    }
    if (Array.isArray(type)) return union(type.map((one) => this.of({ ...schema, type: one }, name)));
    if (type === 'array') return `List[${isSchema(items) ? this.of(items, `${name}Item`) : 'Any'}]`;
    if (type !== 'object') return SCALARS[type ?? ''] ?? 'Any';
    if (schema.properties !== undefined) return this.define(name, schema);
    return `Dict[str, ${isSchema(additionalProperties) ? this.of(additionalProperties, `${name}Value`) : 'Any'}]`;
  }

  component(name: string): string {
    const schema = this.#components[name];
    if (schema === undefined) throw new Error(`the document has no component ${name}`);
    if (this.classes.has(name)) return name;
    const type = this.of(schema, name);
    if (type !== name) this.classes.set(name, `${name} = ${type}`);
    return name;
  }

  /** Python keywords as keys require the functional syntax. */
  define(name: string, schema: JsonSchema): string {
    const fields = fieldsOf(schema).map((field) => {
      const type = this.of(field.schema, name + capital(field.name));
      return { name: field.name, type: field.required ? type : `NotRequired[${type}]` };
    });
    const described = schema.description === undefined ? [] : [`    """${schema.description}"""`, ''];
    const lines = fields.some(({ name: key }) => KEYWORDS.has(key))
      ? [
          `${name} = TypedDict(`,
          `    ${quoted(name)},`,
          '    {',
          ...fields.map(
            ({ name: key, type }) => `        ${quoted(key)}: ${quoted(type.replaceAll('"', "'"))},`,
          ),
          '    },',
          ')',
        ]
      : [
          `class ${name}(TypedDict):`,
          ...described,
          ...fields.map(({ name: key, type }) => `    ${key}: ${type}`),
        ];
    this.classes.set(name, lines.join('\n'));
    return name;
  }

  private choice(values: readonly unknown[]): string {
    const said = values.filter((value) => value !== null);
    const choices = `Literal[${said.map(literal).join(', ')}]`;
    return said.length === values.length ? choices : `Optional[${choices}]`;
  }
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

function union(types: readonly string[]): string {
  const said = [...new Set(types)].filter((type) => type !== 'None');
  const one = said.length === 1 ? (said[0] ?? 'Any') : `Union[${said.join(', ')}]`;
  return types.includes('None') ? `Optional[${one}]` : one;
}

function callsOf(types: Types): PythonCall[] {
  return clientCalls().map((call) => ({
    ...call,
    name: snake(call.name),
    reply: types.component(`${capital(call.name)}Reply`),
  }));
}

const fieldType = (types: Types, reply: string, { name, schema }: Field): string =>
  types.of(schema, `${reply.replace(/Reply$/, 'Request')}${capital(name)}`);

function defineArguments({ route, input, reply }: PythonCall, types: Types): void {
  if (!input.some(({ name }) => name === 'cursor')) return;
  const fields = input.map((field) => {
    const type = fieldType(types, reply, field);
    const optional = isFilter(route, field) ? `NotRequired[${type}]` : `NotRequired[Optional[${type}]]`;
    return `    ${argument(field.name)}: ${field.required ? type : optional}`;
  });
  const name = reply.replace(/Reply$/, 'Arguments');
  const lines = [`class ${name}(TypedDict):`, ...fields, '    deadline: NotRequired[Optional[float]]'];
  types.classes.set(name, lines.join('\n'));
}

function method(
  { name, route, input, reply, proof, isLong }: PythonCall,
  types: Types,
  isAsync: boolean,
): string {
  const fields = [...input].sort((one, other) => Number(other.required) - Number(one.required));
  const parameters = fields.map((field) => {
    const type = fieldType(types, reply, field);
    const optional = isFilter(route, field) ? `${type} = NOT_GIVEN` : `Optional[${type}] = None`;
    return `        ${argument(field.name)}: ${field.required ? type : optional},`;
  });
  const inPath = pathFields(route);
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, field) => `{quote(${argument(field)}, safe='')}`);
  const sentFields = fields.filter(({ name: field }) => !inPath.includes(field));
  const sent = sentFields.map((field) => {
    const value = argument(field.name);
    const checked = isFilter(route, field) ? `given(${quoted(value)}, ${value})` : value;
    return `            ${quoted(field.name)}: ${checked},`;
  });
  const [query, body] = route.body === true ? ['{}', 'fields'] : ['fields', 'None'];
  const where = inPath.length === 0 ? quoted(path) : `f${quoted(path)}`;
  const what = [quoted(route.method), where, quoted(proof), query, body].join(', ');
  const longer = isLong ? `, ${LONG_DEADLINE_SECONDS}.0, ${route.timeoutSeconds + 5}.0` : '';
  return [
    `    ${isAsync ? 'async ' : ''}def ${name}(`,
    '        self,',
    '        *,',
    ...parameters,
    '        deadline: Optional[float] = None,',
    `    ) -> ${reply}:`,
    `        """${route.summary}.`,
    '',
    `        When repeated after a lost reply, it ${route.repeated}.`,
    "        `deadline`: the time limit in seconds, including all retries. Defaults to the client's.",
    '        """',
    '        fields: Dict[str, Any] = {',
    ...sent,
    '        }',
    `        call = Call(${what}, deadline${longer})`,
    `        reply: ${reply} = ${isAsync ? 'await ' : ''}self._send(call)`,
    '        return reply',
  ].join('\n');
}

export function pythonSources(): Readonly<Record<'contract.py' | 'routes.py', string>> {
  const types = new Types(openapiDocument().components.schemas);
  const calls = callsOf(types);
  const clients = [false, true].map((isAsync) =>
    [
      `class ${isAsync ? 'AsyncRoutes' : 'Routes'}:`,
      `    """The calls of \`${isAsync ? 'AsyncCanvassClient' : 'CanvassClient'}\`."""`,
      '',
      `    ${isAsync ? 'async ' : ''}def _send(self, call: Call) -> Any:`,
      '        raise NotImplementedError',
      '',
      calls.map((call) => method(call, types, isAsync)).join('\n\n'),
    ].join('\n'),
  );
  for (const call of calls) defineArguments(call, types);
  const contract = [
    `"""Requests and replies of the service. ${MADE}"""`,
    '',
    'from __future__ import annotations',
    '',
    'import sys',
    'from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union',
    '',
    'if sys.version_info >= (3, 11):',
    '    from typing import NotRequired',
    'elif TYPE_CHECKING:',
    '    from typing_extensions import NotRequired',
    '',
    '#: Why the service refuses (docs/contract.md §4.1).',
    'ErrorCode = Literal[',
    ...Object.keys(STATUS_OF).map((code) => `    ${quoted(code)},`),
    ']',
    '',
    '',
    [...types.classes.values()].join('\n\n\n'),
    '',
  ].join('\n');
  const used = [...types.classes.keys()].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(clients.join('\n')),
  );
  const routesFile = [
    `"""One call for each route that a secret key opens. ${MADE}"""`,
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Dict, List, Literal, Optional, Union',
    'from urllib.parse import quote',
    '',
    'from .contract import (',
    ...used.map((name) => `    ${name},`),
    ')',
    'from .exchange import Call',
    'from .fields import NOT_GIVEN, given',
    '',
    '',
    clients.join('\n\n\n'),
    '',
  ].join('\n');
  return { 'contract.py': contract, 'routes.py': routesFile };
}
