/** The bare SDK making the call that a route makes, with the same input and the same item, and nothing around it. */

import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { answerItem } from '../../shared/data/answer-item.ts';
import type { Item } from '../../shared/data/item.ts';
import { respondentPartition, TABLE } from '../../shared/data/table-schema.ts';
import { type Answer, dismissalOf, type Redemption, responseOf } from '../../shared/domain/answer.ts';

export function floorQuery(
  client: DynamoDBDocumentClient,
  tableName: string,
  projectId: string,
  respondentHash: string,
): Promise<unknown> {
  return client.send(
    new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: '#pk = :pk',
      ProjectionExpression: '#sk, #type, surveyId, #at, surveys, surveyIds, answerTimes, foldedUpTo',
      ExpressionAttributeNames: {
        '#pk': TABLE.partitionKey,
        '#sk': TABLE.sortKey,
        '#type': 'type',
        '#at': 'at',
      },
      ExpressionAttributeValues: { ':pk': respondentPartition(projectId, respondentHash) },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 7,
    }),
  );
}

export function floorPut(client: DynamoDBDocumentClient, tableName: string, item: Item): Promise<unknown> {
  return client.send(
    new PutCommand({
      TableName: tableName,
      Item: item,
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
}

/** What the bench's respondents write, of the length that people write. */
export const TEXT = 'The checkout kept forgetting my address, but support sorted it out within the hour.';

export function floorItem(redemption: Redemption, kind: Answer['kind'], hash: string, shards: number): Item {
  const answer =
    kind === 'dismissal' ? dismissalOf(redemption) : responseOf(redemption, { rating: 9, text: TEXT });
  return answerItem(answer, hash, shards);
}
