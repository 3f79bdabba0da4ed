import { randomBytes } from 'node:crypto';
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
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

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
}

export interface Invocation {
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
export function gatewayEvent(request: ReceivedRequest, invocation: Invocation): APIGatewayProxyEventV2 {
  const { path, query } = splitTarget(request.target);
  const { headers, cookies } = joinHeaders(request);
  const queryStringParameters = parseQuery(query);
  const asText = isTextType(headers['content-type']);
  const domainName = headers.host ?? 'localhost';
  return {
    version: '2.0',
    routeKey: invocation.routeKey,
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
      requestId: invocation.requestId,
      routeKey: invocation.routeKey,
      stage: '$default',
      time: commonLogTime(invocation.now),
      timeEpoch: invocation.now,
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
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  const forwardedFor = joined.get('x-forwarded-for');
  joined.set('content-length', String(request.body.length));
  joined.set('x-forwarded-for', forwardedFor ? `${forwardedFor}, ${request.sourceIp}` : request.sourceIp);
  joined.set('x-forwarded-port', String(request.port));
  joined.set('x-forwarded-proto', 'http');
  if (!joined.has('x-amzn-trace-id')) joined.set('x-amzn-trace-id', traceId());
  return { headers: Object.fromEntries(joined), cookies: cookies.filter((cookie) => cookie !== '') };
}

function parseQuery(query: string): Record<string, string> | undefined {
  const joined = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return joined.size === 0 ? undefined : Object.fromEntries(joined);
}

function isTextType(contentType: string | undefined): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return mediaType.startsWith('text/') || TEXT_TYPES.has(mediaType);
}

function traceId(): string {
  const id = randomBytes(16).toString('hex');
  return `Root=1-${id.slice(0, 8)}-${id.slice(8)}`;
}

/** `12/Mar/2020:19:03:58 +0000` */
function commonLogTime(epoch: number): string {
  const [date = '', time = ''] = new Date(epoch).toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
}
