import { isUtf8 } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import type middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Issue, invalid, NOT_WELL_FORMED, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { BODY_LIMIT_BYTES, pathFields, type ReadInput, type Route } from '../../shared/contract/route.ts';
import { EDGE_HEADERS } from '../../shared/settings/environment.ts';
import type { EdgeTrust, ServiceConfig } from './service-config.ts';

function decode(text: string): string {
  const parts = text.replaceAll('+', ' ').split(/((?:%[0-9a-f]{2})+|%)/i);
  return parts
    .map((part) => {
      if (part === '%') return loneSurrogate(part.charCodeAt(0));
      return part.startsWith('%') ? utf8Text(Buffer.from(part.replaceAll('%', ''), 'hex')) : part;
    })
    .join('');
}

export function readQuery(rawQueryString: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const pair of rawQueryString.split('&')) {
    if (pair === '') continue;
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const key = decode(name);
    values.set(key, [...(values.get(key) ?? []), decode(value)]);
  }
  return values;
}

const notAnObject = (): Refusal => invalid('', 'the body must be a JSON object');

type PipelineRequest = middy.Request<
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Error,
  Context
>;

const parser: middy.MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2> =
  httpJsonBodyParser({ disableContentTypeCheck: true });

/**
 * A step of the pipeline that replaces the event's body with its JSON value. The library neither limits a body nor
 * accepts an empty one. It refuses keys such as `__proto__`, which become plain properties here that nothing merges, and
 * fails for deep nesting, which costs an answer only that field.
 * @returns a refusal that ends the request
 */
export async function parseBody(request: PipelineRequest): Promise<Refusal | undefined> {
  const { event } = request;
  const { isBase64Encoded } = event;
  const body = event.body ?? '';
  const size = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  if (size > BODY_LIMIT_BYTES) return invalid('', `the body must be at most ${BODY_LIMIT_BYTES} bytes`);
  const text = isBase64Encoded ? utf8Text(Buffer.from(body, 'base64')) : body;
  const json = text.trim() === '' ? '{}' : text;
  try {
    Object.assign(event, { body: json, isBase64Encoded: false });
    await parser.before?.(request);
  } catch {
    try {
      event.body = JSON.parse(json);
    } catch {
      return notAnObject();
    }
  }
  return undefined;
}

function lengthOf(byte: number): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

/**
 * Writes a low surrogate twice, because an escaped high surrogate before it would form a character with the first one.
 * Identifying fields refuse lone surrogates; free text replaces them.
 */
const loneSurrogate = (byte: number): string => String.fromCharCode(0xdc00 + byte).repeat(2);

/** Turns invalid UTF-8 into lone surrogates, because a replacement character would make different bytes equal. */
function utf8Text(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const byte = bytes[index] ?? 0;
    const character = bytes.subarray(index, index + lengthOf(byte));
    const isCharacter = isUtf8(character);
    text += isCharacter ? character.toString('utf8') : loneSurrogate(byte);
    index += isCharacter ? character.length : 1;
  }
  return text;
}

/** The gateway encodes form data in base64. @returns undefined if the form is too large */
export function readForm({
  body = '',
  isBase64Encoded,
}: APIGatewayProxyEventV2): ReadonlyMap<string, readonly string[]> | undefined {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return bytes.length > BODY_LIMIT_BYTES ? undefined : readQuery(utf8Text(bytes));
}

export interface RawInput {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The refusal of row 1 (docs/contract.md §4.2). */
  readonly malformed?: Refusal;
  /** The refusal of row 5. */
  readonly conflict?: Refusal;
}

function present(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function refuseUnknown(
  { query: known = [] }: Route,
  query: ReadonlyMap<string, unknown>,
): Refusal | undefined {
  const unknown = [...query.keys()].filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const issues = unknown.map((path) => ({ path, message: 'is not a parameter of this route' }));
  return refuse('invalid_request', { issues });
}

/** A custom domain may add a prefix to the path. */
function readPath(route: Route, { rawPath }: APIGatewayProxyEventV2): Readonly<Record<string, string>> {
  const said = rawPath.split('/').toReversed();
  const parts = route.path.split('/').toReversed();
  const names = pathFields(route);
  return Object.fromEntries(names.map((name) => [name, said[parts.indexOf(`{${name}}`)] ?? '']));
}

const ANSWERS = 'answers';

/** Reads `answers.role=dev` as `answers=role=dev`, because ids are not known here. */
function readFilters(route: Route, rawQueryString: string): ReadonlyMap<string, readonly string[]> {
  const given = readQuery(rawQueryString);
  if (!route.query?.includes(ANSWERS)) return given;
  const query = new Map<string, readonly string[]>();
  for (const [name, values] of given) {
    const isOfQuestion = name.startsWith(`${ANSWERS}.`);
    const field = isOfQuestion ? ANSWERS : name;
    const id = name.slice(ANSWERS.length + 1);
    const read = isOfQuestion ? values.map((value) => `${id}=${value}`) : values;
    query.set(field, [...(query.get(field) ?? []), ...read]);
  }
  return query;
}

export function readInput(route: Route, event: APIGatewayProxyEventV2, body: unknown): RawInput {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    return { fields: {}, malformed: notAnObject() };
  }
  const fields = { ...present(body ?? {}), ...readPath(route, event) };
  const query = readFilters(route, event.rawQueryString);
  let conflict = route.strictQuery === true ? refuseUnknown(route, query) : undefined;
  for (const name of route.query ?? []) {
    const values = new Set<unknown>(query.get(name));
    if (values.size > 0 && fields[name] !== undefined) values.add(fields[name]);
    if (values.size > 1 && route.lenient?.includes(name)) {
      delete fields[name];
      continue;
    }
    if (values.size > 1) {
      // URLs cannot carry lone surrogates, so equal values would seem to differ.
      const isText = [...values].every((value) => typeof value !== 'string' || value.isWellFormed());
      const refusal = invalid(
        name,
        isText ? `${name} is given twice, with different values` : NOT_WELL_FORMED,
      );
      if (name === 'key') return { fields, malformed: refusal };
      conflict = refusal;
    }
    const [value] = values;
    if (value !== undefined) fields[name] = value;
  }
  return { fields, ...(conflict !== undefined && { conflict }) };
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

export const inPlainWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined) return 'is required';
  const { expected } = issue;
  return `must be ${KINDS[expected] ?? expected}`;
};

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function pathsIn(name: string, sent: unknown, taken: unknown): string[] {
  if (sent === undefined || sent === taken) return [];
  if (taken === undefined) return [name];
  if (typeof sent === 'string' && typeof taken === 'string') return taken.length < sent.length ? [name] : [];
  if (!isObject(sent) || !isObject(taken) || Array.isArray(taken)) return [];
  return Object.keys(sent)
    .filter((key) => !Object.hasOwn(taken, key))
    .map((key) => `${name}.${key}`);
}

/**
 * Returns the paths of discarded input: a field (`taskType`), the end of a text (`text`) or a trait (`traits.orgs`).
 */
export function droppedPaths(sent: Fields, taken: unknown, names: readonly string[]): string[] {
  const kept: Fields = isObject(taken) ? { ...taken } : {};
  return names.flatMap((name) => pathsIn(name, sent[name], kept[name]));
}

export const fieldOf = (path: string): string => path.split('.', 1)[0] ?? '';

function quotablePath(path: readonly PropertyKey[]): string {
  const end = path.indexOf('traits') + 1;
  return (end === 0 ? path : path.slice(0, end)).join('.');
}

function listIssues(error: z.core.$ZodError): Issue[] {
  return error.issues.map(({ path, message }) => ({ path: quotablePath(path), message }));
}

export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  fields: Readonly<Record<string, unknown>>,
  readIn?: (fields: Readonly<Record<string, unknown>>) => ReadInput<z.output<Schema>>,
): { readonly input: z.output<Schema> } | Refusal {
  if (readIn !== undefined) {
    const read = readIn(fields);
    return 'input' in read ? read : refuse('invalid_request', { issues: read.issues });
  }
  const { success, data, error } = z.safeParse(schema, fields, { error: inPlainWords });
  return success ? { input: data } : refuse('invalid_request', { issues: listIssues(error) });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function isThroughEdge(
  { headers }: Pick<APIGatewayProxyEventV2, 'headers'>,
  { originSecrets }: EdgeTrust,
): boolean {
  const presented = digest(headers[EDGE_HEADERS.originSecret] ?? '');
  const matches = originSecrets.map((secret) => timingSafeEqual(presented, digest(secret)));
  return matches.includes(true);
}

/** Returns undefined if the request bypassed the edge and must not be served. */
export function viewerAddress(
  event: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>,
  edge: EdgeTrust | undefined,
): string | undefined {
  const { sourceIp } = event.requestContext.http;
  if (edge === undefined) return sourceIp;
  if (isThroughEdge(event, edge)) return event.headers[EDGE_HEADERS.viewerAddress];
  return edge.isOpen ? sourceIp : undefined;
}

/**
 * Returns the address of the edge, or the host of the gateway (API Gateway, "Create AWS Lambda proxy integrations for
 * HTTP APIs"). If the edge is open, its address is used once a request has come through it.
 */
export function serviceUrl(
  event: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>,
  { publicUrl, edge }: Pick<ServiceConfig, 'publicUrl' | 'edge'>,
): string {
  if (publicUrl !== undefined && (edge?.isOpen !== true || isThroughEdge(event, edge))) return publicUrl;
  const { headers, requestContext } = event;
  return `${headers['x-forwarded-proto'] ?? 'https'}://${requestContext.domainName}`;
}

interface Accepted {
  readonly value: string;
  /** From 0 (not accepted) to 1; NaN if malformed. */
  readonly weight: number;
}

/** See RFC 9110 §12.4.2. */
function acceptedIn(header: string): Accepted[] {
  return header.split(',').map((part) => {
    const [value = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => /^q=/i.test(text))?.slice(2);
    return { value, weight: weight === undefined ? 1 : Number(weight) };
  });
}

/** See RFC 9110 §12.5.3. */
export function acceptsGzip(acceptEncoding = ''): boolean {
  const weights = new Map(
    acceptedIn(acceptEncoding).map(({ value, weight }) => [value.toLowerCase(), weight]),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

const MOST_TAGS = 20;

/** See RFC 9110 §12.5.4. Browsers add `zh` to `zh-TW`; a language alone is covered by its earlier dialects. */
export function acceptedTags(acceptLanguage: string): string[] {
  return acceptedIn(acceptLanguage)
    .filter(({ value, weight }) => /^[\w-]{1,35}$/.test(value) && weight > 0)
    .slice(0, MOST_TAGS)
    .sort((a, b) => b.weight - a.weight)
    .map(({ value }) => value.replaceAll('_', '-'))
    .filter((tag, at, tags) => !tags.slice(0, at).some((each) => isOf(each, tag)));
}

const isOf = (dialect: string, language: string): boolean =>
  dialect.toLowerCase().startsWith(`${language.toLowerCase()}-`);
