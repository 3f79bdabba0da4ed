/** The floor of a cold start: the document client alone, one query. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export async function handler(): Promise<{ statusCode: number; body: string }> {
  const output = await client.send(
    new QueryCommand({
      TableName: process.env.TABLE_NAME,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'nobody' },
      ConsistentRead: true,
    }),
  );
  return { statusCode: 200, body: JSON.stringify(output.Items) };
}
