import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { toUint8Array } from '@smithy/core/serde';
import { toKeyObject } from '../../crypto/derive.ts';
import { obeyDeadline } from './deadline.ts';

function toKey(secret: string | ArrayBuffer | ArrayBufferView) {
  if (typeof secret === 'string') return secret;
  return toKeyObject(secret instanceof Uint8Array ? secret : toUint8Array(secret));
}

/** Given the bytes of a key, Node 24 throws and catches two errors for every signature (decision 43). */
export class KeyedSha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toKey(secret));
  }

  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

export type RetryStrategy = Pick<
  StandardRetryStrategy,
  'acquireInitialRetryToken' | 'refreshRetryTokenForRetry' | 'recordSuccess'
>;

/**
 * The SDK shares a budget of retries among all calls of a client. After an outage, every single fault would end in a
 * 503, so the first retry of a call is free.
 */
export function retryStrategy(maxAttempts: number): RetryStrategy {
  const budgeted = new StandardRetryStrategy(maxAttempts);
  return {
    acquireInitialRetryToken: (scope) => budgeted.acquireInitialRetryToken(scope),
    async refreshRetryTokenForRetry(token, failure) {
      try {
        return await budgeted.refreshRetryTokenForRetry(token, failure);
      } catch (refusal) {
        if (token.getRetryCount() > 0) throw refusal;
        // The strategy still refuses errors that must not be retried.
        return new StandardRetryStrategy(maxAttempts).refreshRetryTokenForRetry(token, failure);
      }
    },
    recordSuccess: (token) => budgeted.recordSuccess(token),
  };
}

/** All calls of a request end with its deadline (docs/contract.md §4.1). */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_000;
const READS_UNTIL_FAST = 20;

export interface ClientSettings {
  /** For an embedded DynamoDB only. */
  readonly endpoint?: string | undefined;
  /** The limit of one attempt. `Infinity` removes all limits, including the connection limit. */
  readonly requestTimeoutMs?: number | undefined;
  /** For work that no caller waits for. */
  readonly maxAttempts?: number | undefined;
}

/** For the SDK's HTTP handler, zero means none. */
export function attemptLimits(requestTimeoutMs: number) {
  const isLimited = Number.isFinite(requestTimeoutMs);
  return {
    connectionTimeout: isLimited ? CONNECTION_TIMEOUT_MS : 0,
    requestTimeout: isLimited ? requestTimeoutMs : 0,
    throwOnRequestTimeout: true,
  };
}

export const localService = (endpoint: string | undefined) =>
  endpoint === undefined
    ? {}
    : { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/**
 * V8 stores an object that was built in many steps as a dictionary, which takes five times as long to copy, and each
 * call copies the configuration four times. Reading through a prototype makes V8 lay it out again (decision 43).
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
    ...localService(endpoint),
  });
  // Canvass does not use its log lines, and for each line it traverses the whole reply (decision 43).
  client.middlewareStack.remove('loggerMiddleware');
  obeyDeadline(client);
  makeFast(client.config);
  return client;
}
