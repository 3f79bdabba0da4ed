/** The bare SDK making the call that a route makes, with the same input and the same item, and nothing around it. */

import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { answerItem } from '../../shared/data/answers/answer-item.ts';
import type { Item } from '../../shared/data/table/item.ts';
import { putItem, queryPage } from '../../shared/data/table/prepared-calls.ts';
import { respondentPartition, TABLE } from '../../shared/data/table/schema.ts';
import { type Answer, dismissalOf, type Redemption, responseOf } from '../../shared/domain/answer.ts';

/** The input of a call, sent by the document client or by way of `shared/data/table/prepared-calls.ts`. */
export interface FloorCall {
  /** As the SDK makes it. */
  readonly bare: () => Promise<unknown>;
  /** The same call, its chain of middleware prepared once. */
  readonly prepared: () => Promise<unknown>;
}

export function floorQuery(
  client: DynamoDBDocumentClient,
  tableName: string,
  projectId: string,
  respondentHash: string,
): FloorCall {
  const values = { ':pk': respondentPartition(projectId, respondentHash) };
  const query = {
    TableName: tableName,
    KeyConditionExpression: '#pk = :pk',
    ProjectionExpression: '#sk, #type, surveyId, #at, surveys, surveyIds, answerTimes, foldedUpTo',
    ExpressionAttributeNames: {
      '#pk': TABLE.partitionKey,
      '#sk': TABLE.sortKey,
      '#type': 'type',
      '#at': 'at',
    },
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: 7,
  };
  return {
    bare: () => client.send(new QueryCommand({ ...query, ExpressionAttributeValues: values })),
    prepared: () => queryPage(client, values, query),
  };
}

export function floorPut(client: DynamoDBDocumentClient, tableName: string, item: Item): FloorCall {
  const options = {
    TableName: tableName,
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  return {
    bare: () => client.send(new PutCommand({ ...options, Item: item })),
    prepared: () => putItem(client, item, options),
  };
}

/** What the bench's respondents write, of the length that people write. */
export const TEXT = 'The checkout kept forgetting my address, but support sorted it out within the hour.';

export function floorItem(redemption: Redemption, kind: Answer['kind'], hash: string, shards: number): Item {
  const answer =
    kind === 'dismissal' ? dismissalOf(redemption) : responseOf(redemption, { rating: 9, text: TEXT });
  return answerItem(answer, hash, shards);
}
