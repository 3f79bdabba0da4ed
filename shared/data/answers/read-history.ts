/** Reading a respondent's history, however long it is. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { History } from '../../domain/eligibility.ts';
import { queryPage } from '../table/prepared-calls.ts';
import { queryAll } from '../table/query-all.ts';
import { answersIssuedFrom, issueTimeOfAnswer, respondentPartition, TABLE } from '../table/schema.ts';
import { historyOf } from './history-item.ts';

/** The retained suppression and the six latest answers: of usual length, some 4 KB. */
const FIRST_PAGE = 7;

/**
 * One strongly consistent query from the partition's end, where the retained suppression lies: it is the whole history when
 * the page is not full, or reaches into what is folded. Otherwise a second one, of everything that is not folded, in ascending
 * order: it ends with the retained suppression, to which an erasure adds before it deletes what stands before it.
 */
export async function readHistory(
  client: DynamoDBDocumentClient,
  tableName: string,
  projectId: string,
  respondentHash: string,
): Promise<History> {
  const query = {
    TableName: tableName,
    ProjectionExpression: '#sk, #type, surveyId, #at, surveys, surveyIds, answerTimes, foldedUpTo',
    ConsistentRead: true,
  };
  const names = { '#pk': TABLE.partitionKey, '#sk': TABLE.sortKey, '#type': 'type', '#at': 'at' };
  const values = { ':pk': respondentPartition(projectId, respondentHash) };
  const { items, lastKey } = await queryPage(client, values, {
    ...query,
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: names,
    ScanIndexForward: false,
    Limit: FIRST_PAGE,
  });
  if (lastKey === undefined) return historyOf(items);
  const foldedUpTo: number = items.find(({ type }) => type === 'suppression')?.foldedUpTo ?? 0;
  if (issueTimeOfAnswer(lastKey[TABLE.sortKey]) < foldedUpTo) return historyOf(items);
  return historyOf(
    await queryAll(client, {
      ...query,
      KeyConditionExpression: '#pk = :pk AND #sk >= :from',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':from': answersIssuedFrom(foldedUpTo) },
    }),
  );
}
