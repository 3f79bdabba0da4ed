import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from './item.ts';
import type { Key } from './schema.ts';
import { updateExpression } from './update-expression.ts';

/** What may still change: it exists and is not being purged. */
export const STANDS = 'attribute_exists(pk) AND attribute_not_exists(purgedAt)';

/** Changes attributes by path of an item that stands; returns it as it is then, or undefined when none does. */
export async function updateStanding(
  client: DynamoDBDocumentClient,
  tableName: string,
  key: Key,
  changes: Readonly<Record<string, unknown>>,
): Promise<Item | undefined> {
  const update = new UpdateCommand({
    TableName: tableName,
    Key: key,
    ...updateExpression(changes),
    ConditionExpression: STANDS,
    ReturnValues: 'ALL_NEW',
  });
  try {
    return (await client.send(update)).Attributes;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
