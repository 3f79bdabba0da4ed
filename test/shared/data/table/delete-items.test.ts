import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { deleteItems } from '../../../../shared/data/table/delete-items.ts';
import { isUnavailable } from '../../../../shared/data/table/unavailable.ts';

/** The embedded DynamoDB never leaves anything unprocessed. */
const dynamodb = mockClient(DynamoDBDocumentClient);
const keys = Array.from({ length: 60 }, (_, index) => ({ pk: `p${index}`, sk: 's' }));

describe('deleteItems', () => {
  const client = dynamodb as unknown as DynamoDBDocumentClient;
  beforeEach(() => dynamodb.reset());

  it('asks again for what was left unprocessed, with growing pauses, until all is deleted', async () => {
    const left = new Set(keys.map(({ pk }) => pk));
    dynamodb.on(BatchWriteCommand).callsFake(({ RequestItems }) => {
      const requests: { DeleteRequest: { Key: { pk: string } } }[] = RequestItems.table;
      expect(requests.length).toBeLessThanOrEqual(25);
      for (const { DeleteRequest } of requests.slice(0, 5)) left.delete(DeleteRequest.Key.pk);
      return { UnprocessedItems: requests.length > 5 ? { table: requests.slice(5) } : {} };
    });
    const pauses: number[] = [];
    await deleteItems(client, 'table', keys, async (attempt) => pauses.push(attempt));
    expect([...left]).toEqual([]);
    expect(Math.max(...pauses)).toBe(4);
  });

  it('gives up as throttled after eight attempts: whoever called tries again later', async () => {
    dynamodb.on(BatchWriteCommand).callsFake(({ RequestItems }) => ({ UnprocessedItems: RequestItems }));
    const error = await deleteItems(client, 'table', keys.slice(0, 3), async () => undefined).catch((e) => e);
    expect(error).toMatchObject({ name: 'ThrottlingException' });
    expect(isUnavailable(error)).toBe(true);
    expect(dynamodb.commandCalls(BatchWriteCommand)).toHaveLength(8);
  });

  it('asks for nothing when there is nothing', async () => {
    await deleteItems(client, 'table', []);
    expect(dynamodb.calls()).toEqual([]);
  });
});
