/** Reads many items by key, strongly consistent. */

import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Item } from './item.ts';
import type { Key } from './table-schema.ts';

/** What one `BatchGetItem` takes. */
const MOST_KEYS = 100;

/** The items that exist among the keys, in no particular order. Keys must differ from each other. */
export async function getAll(
  client: DynamoDBDocumentClient,
  tableName: string,
  keys: readonly Key[],
): Promise<Item[]> {
  const found: Item[] = [];
  let left = [...keys];
  while (left.length > 0) {
    const batch = { Keys: left.slice(0, MOST_KEYS), ConsistentRead: true };
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [tableName]: batch } }),
    );
    found.push(...(Responses?.[tableName] ?? []));
    const unprocessed = (UnprocessedKeys?.[tableName]?.Keys ?? []).map(({ pk, sk }) => ({ pk, sk }));
    left = [...left.slice(MOST_KEYS), ...unprocessed];
  }
  return found;
}
