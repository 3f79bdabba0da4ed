import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTestClient } from '../service/test-table.ts';

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
