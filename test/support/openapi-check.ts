import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openapiDocument } from '../../shared/contract/openapi/openapi.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { oncePerProcess } from './once-per-process.ts';

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly requestBody?: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by name.
type Json = any;

function close(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, close(value)]));
  return schema.type === 'object' && schema.properties !== undefined
    ? { additionalProperties: false, ...closed }
    : closed;
}

const { document, ajv } = oncePerProcess('openapi', () => {
  const document: Json = JSON.parse(JSON.stringify(openapiDocument()));
  const ajv = new Ajv2020.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'open');
  ajv.addSchema(
    { ...document, components: { ...document.components, schemas: close(document.components.schemas) } },
    'closed',
  );
  return { document, ajv };
});

/** @param paths may name nested fields, such as `labels.model` */
const omit = (fields: Json, paths: readonly string[]): Json =>
  Object.fromEntries(
    Object.entries<Json>(fields)
      .filter(([name]) => !paths.includes(name))
      .map(([name, value]) => {
        const prefix = `${name}.`;
        const within = paths
          .filter((path) => path.startsWith(prefix))
          .map((path) => path.slice(prefix.length));
        return [name, within.length === 0 || Array.isArray(value) ? value : omit(value, within)];
      }),
  );

const pointerPart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

function validate(which: 'open' | 'closed', pointer: readonly string[], value: unknown, what: string): void {
  const reference = `${which}#/${pointer.map((part) => encodeURIComponent(pointerPart(part))).join('/')}`;
  const check = ajv.getSchema(reference);
  if (check === undefined) throw new Error(`${what}: the document has no ${reference}`);
  if (check(value) !== true) {
    throw new Error(`${what} does not fit the OpenAPI document: ${ajv.errorsText(check.errors)}`);
  }
}

const LENIENT = new Map(ROUTES.map(({ path, lenient = [] }) => [path, lenient]));

/** In some paths, the last segment is a token or an id. */
const templateOf = (path: string): string =>
  path
    .replace(/^\/l\/[^/]+$/, '/l/{token}')
    .replace(/^(\/v1\/contacts)\/[^/]+$/, '$1/{id}')
    .replace(/^\/console\/assets\/[^/]+$/, '/console/assets/{file}')
    .replace(/^\/console\/[^/]+$/, '/console/{project}');

export function checkWebhook(type: string, event: unknown): void {
  const name = type.replaceAll(' ', '');
  const schema = ['requestBody', 'content', 'application/json', 'schema'];
  validate('closed', ['webhooks', name, 'post', ...schema], event, `the event ${type}`);
}

const resolve = (part: Json): Json =>
  part.$ref === undefined
    ? part
    : part.$ref
        .slice(2)
        .split('/')
        .reduce((at: Json, name: string) => at[name], document);

export function checkExchange({ method, path, requestBody, status, headers, text }: Exchange): void {
  const what = `${status} of ${method} ${path}`;
  const template = templateOf(path);
  const operation = document.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) {
    const { error, ...more } = JSON.parse(text);
    validate('closed', ['components', 'schemas', 'ServiceError'], error, what);
    if (Object.keys(more).length > 0) throw new Error(`${what}: fields beside error`);
    if (status !== 404) throw new Error(`${what}: a path that is not in the document is a 404`);
    return;
  }
  const reply = operation.responses[status];
  if (reply === undefined) throw new Error(`${what} is not declared in the OpenAPI document`);
  for (const [name, header] of Object.entries<Json>(reply.headers)) {
    const { schema } = resolve(header);
    const value = headers[name];
    const typed = schema.type === 'integer' ? Number(value) : value;
    if (value === undefined || !ajv.validate(schema, typed))
      throw new Error(`${what}: header ${name} is ${value}`);
  }
  if (reply.content === undefined) {
    if (text !== '') throw new Error(`${what}: a body`);
    return;
  }
  const [mediaType = ''] = Object.keys(reply.content);
  if (headers['content-type'] !== mediaType)
    throw new Error(`${what}: content type ${headers['content-type']}`);
  const at = ['paths', template, method.toLowerCase()];
  const value = mediaType === 'application/json' ? JSON.parse(text) : text;
  validate('closed', [...at, 'responses', String(status), 'content', mediaType, 'schema'], value, what);

  if (status < 300 && operation.requestBody?.content['application/json'] !== undefined) {
    const sent = requestBody === undefined || requestBody.trim() === '' ? {} : JSON.parse(requestBody);
    // Dropped and lenient fields may be invalid.
    const body = omit(sent, [...(LENIENT.get(template) ?? []), ...(value?.dropped ?? [])]);
    validate(
      'open',
      [...at, 'requestBody', 'content', 'application/json', 'schema'],
      body,
      `the request of the ${what}`,
    );
  }
}
