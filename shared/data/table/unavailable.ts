/**
 * What a failure of a dependency means: its bad minute rather than our fault, which is a 503 and not a 500; or a write
 * that DynamoDB would refuse again, however often it is tried.
 */

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

const THROTTLED: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'TransactionInProgressException',
  // A write of one item met a transaction (a fold): it lasts as long as one round trip.
  'TransactionConflictException',
  'InternalServerError',
  'InternalServiceErrorException',
  'ServiceUnavailable',
]);

const UNREACHED: ReadonlySet<string> = new Set([
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

/** Whether an error means that a dependency did not answer in time, after the SDK's own attempts. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (THROTTLED.has(error.name) || UNREACHED.has(error.name)) return true;
  if ('code' in error && typeof error.code === 'string' && SOCKET_ERRORS.has(error.code)) return true;
  if ('$fault' in error && error.$fault === 'server') return true;
  // In an outage AWS answers with a page of HTML: what the SDK then throws is the parser's error, with the status beside.
  return isServerStatus(error);
}

/** Whether it is for what an item holds, its size or a type (DynamoDB, TransactWriteItems: cancellation reasons). */
export const isRefusedForItem = (error: unknown): boolean =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ValidationError');

/** Whether a write was refused for good. */
export const isUnwritable = (error: unknown): boolean =>
  isRefusedForItem(error) || (error instanceof Error && error.name === 'ValidationException');
