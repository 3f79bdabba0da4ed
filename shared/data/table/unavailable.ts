/** Which failures of a dependency are its bad minute rather than our fault: those are a 503, not a 500. */

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
