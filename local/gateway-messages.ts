/** What an HTTP API makes of a request for a function, and of a function's result (payload format 2.0). */

import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Media types whose bodies API Gateway hands over as text, besides `text/*`; all others come base64-encoded, forms and a missing type too. */
const TEXT_TYPES = new Set(['application/json', 'application/javascript', 'application/xml']);
/** Meant for the next hop only, or carried in a field of its own. */
const DROPPED_HEADERS = new Set([
  'connection',
  'cookie',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

export interface ReceivedRequest {
  readonly method: string;
  /** Origin-form or absolute-form, as it stood in the request line. */
  readonly target: string;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly port: number;
  /** The version alone, as in `1.1`. */
  readonly httpVersion: string;
  readonly requestId: string;
  readonly routeKey: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A request target without its query, and the query without its question mark; never throws. */
export function splitTarget(target: string): { path: string; query: string } {
  const originForm = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const [beforeFragment = ''] = originForm.split('#', 1);
  const mark = beforeFragment.indexOf('?');
  const path = mark === -1 ? beforeFragment : beforeFragment.slice(0, mark);
  return { path: path || '/', query: mark === -1 ? '' : beforeFragment.slice(mark + 1) };
}

/** The event an HTTP API sends to a Lambda integration (payload format 2.0). */
export function gatewayEvent(request: ReceivedRequest): APIGatewayProxyEventV2 {
  const { requestId, routeKey, now } = request;
  const { path, query } = splitTarget(request.target);
  const { headers, cookies } = joinHeaders(request);
  const queryStringParameters = parseQuery(query);
  const asText = isTextType(headers['content-type']);
  const domainName = headers.host ?? 'localhost';
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(queryStringParameters && { queryStringParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split(/[.:]/, 1)[0] ?? domainName,
      http: {
        method: request.method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(now),
      timeEpoch: now,
    },
    ...(request.body.length > 0 && { body: request.body.toString(asText ? 'utf8' : 'base64') }),
    isBase64Encoded: request.body.length > 0 && !asText,
  };
}

function joinHeaders(request: ReceivedRequest): { headers: Record<string, string>; cookies: string[] } {
  const joined = new Map<string, string>();
  const cookies: string[] = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    const name = (request.rawHeaders[i] ?? '').toLowerCase();
    const value = request.rawHeaders[i + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(';').map((cookie) => cookie.trim()));
    if (DROPPED_HEADERS.has(name)) continue;
    append(joined, name, value);
  }
  const forwardedFor = joined.get('x-forwarded-for');
  joined.set('content-length', String(request.body.length));
  joined.set('x-forwarded-for', forwardedFor ? `${forwardedFor}, ${request.sourceIp}` : request.sourceIp);
  joined.set('x-forwarded-port', String(request.port));
  joined.set('x-forwarded-proto', 'http');
  const id = randomUUID().replaceAll('-', '');
  if (!joined.has('x-amzn-trace-id'))
    joined.set('x-amzn-trace-id', `Root=1-${id.slice(0, 8)}-${id.slice(8)}`);
  return { headers: Object.fromEntries(joined), cookies: cookies.filter((cookie) => cookie !== '') };
}

function parseQuery(query: string): Record<string, string> | undefined {
  const joined = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) append(joined, name, value);
  return joined.size === 0 ? undefined : Object.fromEntries(joined);
}

function append(joined: Map<string, string>, name: string, value: string): void {
  const before = joined.get(name);
  joined.set(name, before === undefined ? value : `${before},${value}`);
}

function isTextType(contentType: string | undefined): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return mediaType.startsWith('text/') || TEXT_TYPES.has(mediaType);
}

/** `12/Mar/2020:19:03:58 +0000` */
function commonLogTime(epoch: number): string {
  const [, day, month, year, time] = new Date(epoch).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

export interface GatewayReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** What API Gateway answers by itself, without or instead of the function. */
export function refusal(status: number, message: string): GatewayReply {
  return jsonReply(status, JSON.stringify({ message }));
}

function jsonReply(status: number, json: string): GatewayReply {
  return { status, headers: { 'content-type': 'application/json' }, cookies: [], body: Buffer.from(json) };
}

/**
 * Reads a function's result as an HTTP API does (payload format 2.0): a result with a `statusCode` describes the
 * reply, any other is the body of a 200 with JSON.
 *
 * @returns undefined for a result API Gateway cannot use, which it answers with 500
 */
export function gatewayReply(result: unknown): GatewayReply | undefined {
  if (!isRecord(result) || !('statusCode' in result))
    return jsonReply(200, typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null'));
  const status = Number(result.statusCode);
  const headers = readHeaders(result.headers ?? {});
  const cookies = result.cookies ?? [];
  const body = result.body ?? '';
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  const areCookies = Array.isArray(cookies) && cookies.every((cookie) => typeof cookie === 'string');
  if (headers === undefined || !areCookies || typeof body !== 'string') return undefined;
  return {
    status,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
    cookies,
    body: Buffer.from(body, result.isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

function readHeaders(headers: unknown): Record<string, string> | undefined {
  if (!isRecord(headers)) return undefined;
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      return undefined;
    read[name.toLowerCase()] = String(value);
  }
  return read;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
