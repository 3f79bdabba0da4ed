/** Temporary failures of dependencies return a 503 instead of a 500. */

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** DynamoDB refuses throttled requests before it stores anything (Developer Guide, "Error handling"). */
const THROTTLED: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

const TEMPORARY: ReadonlySet<string> = new Set([
  ...THROTTLED,
  'LimitExceededException',
  'TransactionInProgressException',
  // Another transaction holds the item for one round trip.
  'TransactionConflictException',
  'InternalServerError',
  'InternalServiceErrorException',
  'ServiceUnavailable',
  'TimeoutError',
  'AbortError',
  'RequestTimeout',
  'NetworkingError',
]);

/** Nothing was sent. */
const UNCONNECTED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND']);

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** @param error of a write's last attempt; an earlier attempt may have been stored, which its condition shows */
export const isNotStored = (error: unknown): boolean =>
  error instanceof Error && (THROTTLED.has(error.name) || UNCONNECTED.has(codeOf(error)));

const SOCKET_ERRORS: ReadonlySet<string> = new Set([
  ...UNCONNECTED,
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

function isServerStatus(error: Error): boolean {
  if (!('$metadata' in error)) return false;
  const { $metadata: metadata } = error;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return false;
  return Number(metadata.httpStatusCode) >= 500;
}

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (TEMPORARY.has(error.name)) return true;
  if (SOCKET_ERRORS.has(codeOf(error))) return true;
  if ('$fault' in error && error.$fault === 'server') return true;
  // During an outage the SDK throws the parser's error for an HTML page, with the HTTP status.
  return isServerStatus(error);
}

/** The table refuses the size or a type of the item (DynamoDB, TransactWriteItems: cancellation reasons). */
export const isRefusedForItem = (error: unknown): boolean =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ValidationError');

export const isUnwritable = (error: unknown): boolean =>
  isRefusedForItem(error) || (error instanceof Error && error.name === 'ValidationException');
