import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTestClient } from '../service/test-table.ts';

export interface CrashingClient {
  readonly client: DynamoDBDocumentClient;
  /** Calls that reached DynamoDB, and whether the crash has happened. */
  readonly hasCrashed: () => boolean;
}

/** What the caller of a crashed process sees. */
class Crash extends Error {
  override readonly name = 'Crash';
}

/**
 * A client of a process that dies at its nth call (counted from 1) among those that match, `before` DynamoDB hears of
 * it or `after` it was carried out, and answers nothing from then on.
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
