/** The one DynamoDB client of a function instance. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Budget of one call: three attempts of at most one second each with jittered back-off stay below a route's timeout
 * (contract, decisions §1: what cannot be done within the deadline is a 503).
 */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_000;

export interface ClientSettings {
  /** Only away from AWS: an embedded DynamoDB. */
  readonly endpoint?: string | undefined;
  /** How long one attempt may take, milliseconds. */
  readonly requestTimeoutMs?: number;
  /** For work that nobody waits for: more attempts sit a throttled table out. */
  readonly maxAttempts?: number;
}

export function createDocumentClient({
  endpoint,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  maxAttempts = MAX_ATTEMPTS,
}: ClientSettings = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
    },
    ...(endpoint !== undefined && {
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
