import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamodbClient } from '../../../shared/data/table/client.ts';
import { createTestClient } from '../service/test-table.ts';

class Crash extends Error {
  override readonly name = 'Crash';
}

interface Call {
  readonly operation: string;
  /** The input as JSON. */
  readonly input: string;
}

/** @param around carries out a call with `next`, or does something else */
export function createClientAround(
  endpoint: string,
  around: <Output>(call: Call, next: () => Promise<Output>) => Promise<Output>,
): DynamoDBDocumentClient {
  const client = createTestClient(endpoint);
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        around({ operation: commandName, input: JSON.stringify(args.input) }, () => next(args)),
    { step: 'initialize', priority: 'high' },
  );
  return client;
}

/**
 * Crashes at the nth matching call, counted from 1: either `before` it reaches DynamoDB or `after` it succeeded. Later
 * calls get no reply.
 */
export function createCrashingClient(
  endpoint: string,
  { call, when }: { readonly call: number; readonly when: 'before' | 'after' },
) {
  let calls = 0;
  let dead = false;
  const client = createClientAround(endpoint, async (_, next) => {
    calls += 1;
    const isTheOne = calls === call;
    if (isTheOne && when === 'before') dead = true;
    if (dead) throw new Crash();
    const output = await next();
    if (isTheOne) dead = true;
    if (dead) throw new Crash();
    return output;
  });
  return { client, hasCrashed: () => dead };
}

export const anError = (name: string, message = name): Error => Object.assign(new Error(message), { name });

/** Calls for which `faultOf` returns an error fail with it before they reach DynamoDB. */
export const createFailingClient = (endpoint: string, faultOf: (call: Call) => Error | undefined) =>
  createClientAround(endpoint, async (call, next) => {
    const fault = faultOf(call);
    if (fault !== undefined) throw fault;
    return next();
  });

export const createThrottledClient = (endpoint: string, isMeant: (input: string) => boolean) =>
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
