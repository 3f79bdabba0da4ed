/** Converts messages to and from API Gateway's payload format 2.0. */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Sent as text, like `text/*`. Other types are sent as base64. */
const TEXT_TYPES = new Set(['application/json', 'application/javascript', 'application/xml']);
/** Hop-by-hop headers, and headers that have their own field. */
const DROPPED_HEADERS = ['connection', 'cookie', 'keep-alive', 'transfer-encoding', 'content-length'];

export function splitTarget(target: string): { path: string; query: string } {
  const originForm = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const [, path, query = ''] = /^([^?#]*)\??([^#]*)/.exec(originForm) ?? [];
  return { path: path || '/', query };
}

function joined(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const values = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...values].map(([name, all]) => [name, all.map(([, value]) => value).join()]));
}

function eventHeaders(
  { rawHeaders, socket }: IncomingMessage,
  body: Buffer,
  sourceIp: string,
): Record<string, string> {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const pairs = names.map((name, index) => [name, rawHeaders[2 * index + 1] ?? ''] as const);
  const headers = joined(pairs.filter(([name]) => !DROPPED_HEADERS.includes(name)));
  const forwardedFor = headers['x-forwarded-for'];
  return {
    ...headers,
    'content-length': String(body.length),
    'x-forwarded-for': forwardedFor ? `${forwardedFor}, ${sourceIp}` : sourceIp,
    'x-forwarded-port': String(socket.localPort),
    'x-forwarded-proto': 'http',
  };
}

export function gatewayEvent(
  request: IncomingMessage,
  body: Buffer,
  {
    requestId,
    routeKey,
    now,
  }: { readonly requestId: string; readonly routeKey: string; readonly now: number },
): APIGatewayProxyEventV2 {
  const { method = '', url = '/', httpVersion, socket } = request;
  const { path, query } = splitTarget(url);
  const sourceIp = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  const headers = eventHeaders(request, body, sourceIp);
  const queryStringParameters = joined(new URLSearchParams(query));
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  // Handlers receive invalid UTF-8 as base64.
  const isText = (mediaType.startsWith('text/') || TEXT_TYPES.has(mediaType)) && isUtf8(body);
  const domainName = headers.host ?? 'localhost';
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: query,
    headers,
    ...(Object.keys(queryStringParameters).length > 0 && { queryStringParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split(/[.:]/, 1)[0] ?? domainName,
      http: {
        method,
        path,
        protocol: `HTTP/${httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(now),
      timeEpoch: now,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Formats a time like `12/Mar/2020:19:03:58 +0000`. */
function commonLogTime(epoch: number): string {
  const [, day, month, year, time] = new Date(epoch).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

export interface GatewayReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function refusal(status: number, message: string): GatewayReply {
  const body = Buffer.from(JSON.stringify({ message }));
  return { status, headers: { 'content-type': 'application/json' }, body };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Supports only the kinds of replies that our functions send. @returns undefined for an unusable result */
export function gatewayReply(result: unknown): GatewayReply | undefined {
  if (!isRecord(result)) return undefined;
  const { statusCode: status, headers = {}, body = '', isBase64Encoded } = result;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    return undefined;
  if (!isRecord(headers) || typeof body !== 'string') return undefined;
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (!pairs.every(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))) return undefined;
  const strings = Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
  return {
    status,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...strings },
    body: Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}
