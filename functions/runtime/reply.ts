/** Replies as JSON, refusals as the contract's error body (docs/contract.md §4.1). */

import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { MESSAGE_OF, type Refusal } from '../../shared/contract/errors.ts';
import { type Route, statusOf } from '../../shared/contract/route.ts';

export interface RawReply {
  readonly raw: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isBase64Encoded?: boolean;
}

const FIXED_HEADERS = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
} as const;

const JSON_HEADERS = {
  ...FIXED_HEADERS,
  'content-type': 'application/json',
  'cache-control': 'no-store',
} as const;

export function jsonReply(json: string): RawReply {
  return { raw: json, headers: { 'content-type': JSON_HEADERS['content-type'] } };
}

function isRawReply(reply: object): reply is RawReply {
  return 'raw' in reply;
}

/** AWS quota: payload of a synchronous invocation, as JSON text. */
export const PAYLOAD_LIMIT_BYTES = 6 * 1_024 * 1_024;
const RESERVE_BYTES = 1_024;
/** JSON escapes a character with at most six bytes. */
const MOST_BYTES_PER_CHARACTER = 6;

/** The platform would replace a larger reply with its own error. */
export function isTooLarge(reply: APIGatewayProxyStructuredResultV2): boolean {
  const limit = PAYLOAD_LIMIT_BYTES - RESERVE_BYTES;
  if ((reply.body?.length ?? 0) * MOST_BYTES_PER_CHARACTER < limit) return false;
  return Buffer.byteLength(JSON.stringify(reply)) > limit;
}

function rawReply(
  statusCode: number,
  { raw, headers, isBase64Encoded = false }: RawReply,
  requestId: string,
): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: { ...FIXED_HEADERS, 'cache-control': 'no-store', ...headers, 'x-request-id': requestId },
    body: raw,
    isBase64Encoded,
  };
}

export function refusedPage(
  { refused, retryAfterSeconds }: Refusal,
  { raw, headers }: RawReply,
  requestId: string,
  route: Route,
): APIGatewayProxyStructuredResultV2 {
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return rawReply(statusOf(refused, route), { raw, headers: { ...headers, ...wait } }, requestId);
}

export function successReply(
  route: Route,
  reply: object,
  requestId: string,
): APIGatewayProxyStructuredResultV2 {
  const { status } = route.success;
  if (isRawReply(reply)) return rawReply(status, reply, requestId);
  return {
    statusCode: status,
    headers: { ...JSON_HEADERS, 'x-request-id': requestId },
    body: JSON.stringify(reply),
  };
}

export function refusalReply(
  { refused, issues, details, retryAfterSeconds }: Refusal,
  requestId: string,
  route?: Route,
): APIGatewayProxyStructuredResultV2 {
  const error = { code: refused, message: MESSAGE_OF[refused], requestId, issues, details };
  return {
    statusCode: statusOf(refused, route),
    headers: {
      ...JSON_HEADERS,
      'x-request-id': requestId,
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    body: JSON.stringify({ error }),
  };
}
