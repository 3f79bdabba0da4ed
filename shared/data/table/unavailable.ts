/** Temporary failures of dependencies return a 503 instead of a 500. */

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

const TEMPORARY: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
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

const SOCKET_ERRORS: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
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
  if ('code' in error && typeof error.code === 'string' && SOCKET_ERRORS.has(error.code)) return true;
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
