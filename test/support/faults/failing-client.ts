import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamodbClient } from '../../../shared/data/table/client.ts';
import { createTestClient } from '../service/test-table.ts';

class Crash extends Error {
  override readonly name = 'Crash';
}

/**
 * Crashes at the nth matching call, counted from 1: either `before` it reaches DynamoDB or `after` it succeeded. Later
 * calls get no reply.
 */
export function createCrashingClient(
  endpoint: string,
  { call, when }: { readonly call: number; readonly when: 'before' | 'after' },
) {
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

interface Call {
  readonly operation: string;
  /** The input as JSON. */
  readonly input: string;
}

export const anError = (name: string, message = name): Error => Object.assign(new Error(message), { name });

/** Calls for which `faultOf` returns an error fail with it before they reach DynamoDB. */
export function createFailingClient(
  endpoint: string,
  faultOf: (call: Call) => Error | undefined,
): DynamoDBDocumentClient {
  const client = createTestClient(endpoint);
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const fault = faultOf({ operation: commandName, input: JSON.stringify(args.input) });
        if (fault !== undefined) throw fault;
        return next(args);
      },
    { step: 'initialize', priority: 'high' },
  );
  return client;
}

export const createThrottledClient = (
  endpoint: string,
  isMeant: (input: string) => boolean,
): DynamoDBDocumentClient =>
  createFailingClient(endpoint, ({ input }) =>
    isMeant(input) ? anError('ThrottlingException', 'slow down') : undefined,
  );

export interface ScriptedCall {
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: the input of any operation; tests read its fields.
  readonly input: any;
}

/** Simulates faults that the embedded DynamoDB never has, without a network. */
export function createScriptedClient(answer: (call: ScriptedCall) => object): DynamoDBClient {
  const client = createDynamodbClient({ endpoint: 'http://127.0.0.1:1' });
  client.middlewareStack.add(
    (_next, context) =>
      async ({ input }) => {
        const operation = String(context.commandName).replace(/Command$/, '');
        return { response: {}, output: { $metadata: {}, ...answer({ operation, input }) } };
      },
    { step: 'initialize', priority: 'high' },
  );
  return client;
}
