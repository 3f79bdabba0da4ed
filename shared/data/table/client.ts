/** The one DynamoDB client of a function instance. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { obeyDeadline } from './deadline.ts';
import { KeyedSha256 } from './keyed-sha256.ts';
import { retryStrategy } from './retry-strategy.ts';

/**
 * Budget of one call: three attempts of at most one second each, with the SDK's fully jittered back-off between them.
 * All calls of a request together end with its deadline (docs/contract.md §4.1): what cannot be done by then is a 503.
 */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_000;
const READS_UNTIL_FAST = 20;

export interface ClientSettings {
  /** Only away from AWS: an embedded DynamoDB. */
  readonly endpoint?: string | undefined;
  /** How long one attempt may take, milliseconds; `Infinity` takes every limit away, that of connecting too. */
  readonly requestTimeoutMs?: number | undefined;
  /** More attempts outlast a throttled table, for work that no caller waits for. */
  readonly maxAttempts?: number | undefined;
}

/** The limits of one attempt, as the SDK's HTTP handler takes them: to it, zero is none. */
export function attemptLimits(requestTimeoutMs: number) {
  const isLimited = Number.isFinite(requestTimeoutMs);
  return {
    connectionTimeout: isLimited ? CONNECTION_TIMEOUT_MS : 0,
    requestTimeout: isLimited ? requestTimeoutMs : 0,
    throwOnRequestTimeout: true,
  };
}

/**
 * V8 keeps an object that was put together in many steps as a dictionary, which takes five times as long to copy, and the
 * SDK copies its configuration four times in each call. An object that others inherit from, and are read through, V8
 * lays out anew (docs/decisions/0043-prepared-calls.md).
 */
function makeFast(config: DynamoDBClient['config']): void {
  const child: DynamoDBClient['config'] = Object.create(config);
  for (let reads = 0; reads < READS_UNTIL_FAST; reads += 1) void child.region;
}

export function createDynamodbClient({
  endpoint,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  maxAttempts = MAX_ATTEMPTS,
}: ClientSettings = {}): DynamoDBClient {
  const client = new DynamoDBClient({
    maxAttempts,
    sha256: KeyedSha256,
    retryStrategy: retryStrategy(maxAttempts),
    requestHandler: attemptLimits(requestTimeoutMs),
    ...(endpoint !== undefined && {
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  });
  // Nobody reads its lines, and for each it goes through the whole reply (docs/decisions/0043-prepared-calls.md).
  client.middlewareStack.remove('loggerMiddleware');
  obeyDeadline(client);
  makeFast(client.config);
  return client;
}
