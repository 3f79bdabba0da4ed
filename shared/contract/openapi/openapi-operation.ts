import { BODY_LIMIT_BYTES, type Path, pathFields, type Route } from '../route.ts';
import { describeReplies } from './openapi-replies.ts';
import {
  acceptNulls,
  type Components,
  describeFields,
  isSchema,
  type JsonSchema,
  schemaReference,
  toJsonSchema,
} from './openapi-schemas.ts';

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });
const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

export const SECURITY_SCHEMES = {
  publishableKey: {
    type: 'apiKey',
    in: 'query',
    name: 'key',
    description:
      "A project's publishable key (`svc_pk_…`). Requests with a body can send it in the body's field `key` instead.",
  },
  secretKeyAsBearer: bearer(
    "A project's secret key (`svc_sk_…`). Use it on servers only; it must never reach a browser. Each operation names the scope that the key needs. A key that was created without a list of scopes has all of them except `contacts` and `surveys`.",
  ),
  secretKeyInHeader: header(
    'X-Service-Key',
    'The same secret key. If both headers are sent, they must be equal.',
  ),
  readerKeyAsBearer: bearer(
    "A project's reader key (`svc_rk_…`), for a person's browser on the service's own pages. It can expire.",
  ),
  readerKeyInHeader: header('X-Service-Key', 'The same reader key.'),
  editorKeyAsBearer: bearer(
    "A project's editor key (`svc_ek_…`): a reader key that can also change surveys and handle contact requests. It expires.",
  ),
  editorKeyInHeader: header('X-Service-Key', 'The same editor key.'),
  idTokenAsBearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "The ID token of a person who is signed in to the console, issued by the project's OpenID provider. The project's lists determine whether the person is a viewer, with the rights of a reader key, or an editor.",
  },
  projectInHeader: header('X-Canvass-Project', 'The id of the project. Required with an ID token.'),
};

export const TAGS = {
  publishable: {
    name: 'Publishable key',
    description: 'For clients that respondents use, such as browsers.',
  },
  secret: {
    name: 'Secret key',
    description:
      'For servers. Reader and editor keys can also call the operations for results, contacts and surveys that list them.',
  },
  open: { name: 'Open', description: 'For anyone. These operations need no key.' },
} as const;

export const pascal = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase());

export const inputName = ({ name, body, page }: Route): string =>
  `${pascal(name)}${body === true || page === true ? 'Request' : 'Query'}`;

const camel = (name: string): string =>
  name.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function describeSecurity(route: Route, hasBody: boolean): object[] {
  const scopes = [route.scope ?? route.serverScope].filter((scope) => scope !== undefined);
  const secret = [{ secretKeyAsBearer: scopes }, { secretKeyInHeader: scopes }];
  if (route.key === 'secret') {
    const reader = [{ readerKeyAsBearer: scopes }, { readerKeyInHeader: scopes }];
    const editor = [{ editorKeyAsBearer: scopes }, { editorKeyInHeader: scopes }];
    const person = { idTokenAsBearer: [], projectInHeader: [] };
    if (route.readers === true) return [...secret, ...reader, ...editor, person];
    return route.editors === true ? [...secret, ...editor, person] : secret;
  }
  // Empty means a key in the body, which OpenAPI cannot express.
  if (route.key === 'publishable') {
    const servers = route.serverScope === undefined ? [] : secret;
    return [{ publishableKey: [] }, ...servers, ...(hasBody ? [{}] : [])];
  }
  return [];
}

/** Queries and forms carry text, which is read as this type. */
function typedExample(input: JsonSchema, example: unknown): Readonly<Record<string, unknown>> {
  if (!isSchema(example)) return {};
  const typed = Object.entries(example).map(([name, value]) => {
    const schema = input.properties?.[name];
    const isText = !isSchema(schema) || (schema.type !== 'integer' && schema.type !== 'boolean');
    return [name, isText || typeof value !== 'string' ? value : JSON.parse(value)];
  });
  return Object.fromEntries(typed);
}

function listParameters(route: Route, input: JsonSchema, hasBody: boolean): object[] {
  const example = typedExample(input, route.examples?.input);
  return (route.query ?? []).map((name) => {
    const isNeeded = name === 'key' || input.required?.includes(name) === true;
    const field = input.properties?.[name];
    const { description, ...schema } = isSchema(field) ? field : {};
    const place = isNeeded ? 'Required here or in the body' : 'Optional, here or in the body';
    const words = [
      description,
      ...(hasBody ? [`${place}. If sent in both, the values must be equal.`] : []),
    ].filter(Boolean);
    return {
      name,
      in: 'query',
      required: isNeeded && !hasBody,
      ...(words.length > 0 && { description: words.join(' ') }),
      schema,
      ...(example[name] !== undefined && { example: example[name] }),
    };
  });
}

const listPathParameters = (path: string): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function describeBody(route: Route, input: JsonSchema, name: string, components: Components): object {
  const inPath = pathFields(route);
  const isElsewhere = (field: string) => route.query?.includes(field) === true || inPath.includes(field);
  const required = (input.required ?? []).filter((field) => !isElsewhere(field));
  const withoutPath = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !inPath.includes(field)));
  components[name] = acceptNulls({ ...input, properties: withoutPath(input.properties ?? {}), required });
  const schema = schemaReference(name);
  const given = route.examples?.input;
  const example = isSchema(given) ? withoutPath(typedExample(input, given)) : given;
  if (route.page === true) {
    return {
      description: `The fields of the form, at most ${BODY_LIMIT_BYTES} bytes.`,
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema, ...(example !== undefined && { example }) } },
    };
  }
  return {
    description: `JSON of at most ${BODY_LIMIT_BYTES} bytes, whatever the content type. Unknown fields are ignored.`,
    required: required.length > 0,
    content: {
      'application/json': { schema, ...(example !== undefined && { example }) },
      // Browsers' beacons send this type.
      'text/plain': { schema },
    },
  };
}

export function describeOperation(route: Route, { method, path }: Path, components: Components): object {
  const isAlias = path !== route.path;
  const isHead = method === 'HEAD';
  const hasBody = (method === 'POST' || method === 'PUT') && (route.body === true || route.page === true);
  const name = pascal(route.name);
  const input =
    route.input === undefined
      ? {}
      : describeFields(inputName(route), toJsonSchema(route.input(), 'input', components));
  return {
    operationId: `${camel(route.name)}${isAlias ? 'Alias' : ''}${isHead ? 'Head' : ''}`,
    summary: isAlias ? `Alias of ${route.method} ${route.path}` : route.summary,
    description: route.description ?? `${route.summary}.`,
    ...(isAlias && { deprecated: true }),
    tags: [TAGS[route.key ?? 'open'].name],
    security: describeSecurity(route, hasBody),
    parameters: [...listPathParameters(path), ...listParameters(route, input, hasBody)],
    ...(hasBody && { requestBody: describeBody(route, input, inputName(route), components) }),
    responses: describeReplies(route, `${name}Reply`, components),
  };
}
