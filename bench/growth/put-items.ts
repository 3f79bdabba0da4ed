import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inFlight } from '../../shared/data/table/in-flight.ts';
import type { Item } from '../../shared/data/table/item.ts';

/** DynamoDB quota of a BatchWriteItem. */
const BATCH = 25;
const AT_ONCE = 8;

/** Puts items in volume, past the repositories; what a batch leaves unprocessed is put again. */
export async function putItems(
  client: DynamoDBDocumentClient,
  tableName: string,
  items: readonly Item[],
): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );
  await inFlight(batches, AT_ONCE, async (batch) => {
    for (let left = batch.map((Item) => ({ PutRequest: { Item } })); left.length > 0; ) {
      const output = await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: left } }));
      left = (output.UnprocessedItems?.[tableName] ?? []).flatMap(({ PutRequest }) =>
        PutRequest?.Item === undefined ? [] : [{ PutRequest: { Item: PutRequest.Item } }],
      );
    }
  });
}
