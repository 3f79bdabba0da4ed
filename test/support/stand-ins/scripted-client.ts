import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDynamodbClient } from '../../../shared/data/table/client.ts';

export interface ScriptedCall {
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: the input of any operation; tests read its fields.
  readonly input: any;
}

/** Answers in DynamoDB's own format, for faults that the embedded DynamoDB never has. Uses no network. */
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
