import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTestClient } from '../service/test-table.ts';

export interface CrashingClient {
  readonly client: DynamoDBDocumentClient;
  readonly hasCrashed: () => boolean;
}

class Crash extends Error {
  override readonly name = 'Crash';
}

/**
 * Simulates a process that crashes at its nth matching call, counted from 1: `before` the call reaches DynamoDB or
 * `after` it was carried out. Later calls get no answer.
 */
export function createCrashingClient(
  endpoint: string,
  { call, when }: { readonly call: number; readonly when: 'before' | 'after' },
): CrashingClient {
  const client = createTestClient(endpoint);
  let calls = 0;
  let dead = false;
  client.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      const isTheOne = calls === call;
      if (dead || (isTheOne && when === 'before')) {
        dead = true;
        throw new Crash();
      }
      const output = await next(args);
      if (isTheOne) dead = true;
      if (dead) throw new Crash();
      return output;
    },
    { step: 'initialize', priority: 'high' },
  );
  return { client, hasCrashed: () => dead };
}

/** @param isMeant gets the call's input as JSON */
export function createThrottledClient(
  endpoint: string,
  isMeant: (input: string) => boolean,
): DynamoDBDocumentClient {
  const client = createTestClient(endpoint);
  client.middlewareStack.add(
    (next) => async (args) => {
      if (isMeant(JSON.stringify(args.input))) {
        throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      }
      return next(args);
    },
    { step: 'initialize', priority: 'high' },
  );
  return client;
}
