/**
 * Erasing a respondent. The retained suppression is written before anything is deleted, so a crash at any point is
 * repaired by repeating the call and never loses suppression.
 */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type AnswerMoment, isTokenLive, retainedMoments } from '../domain/erasure.ts';
import type { TableSettings } from './answers.ts';

import type { ErasureLog } from './erasure-log.ts';
import { inFlight } from './in-flight.ts';
import type { Item } from './item.ts';
import { queryAll } from './query-all.ts';
import { momentOfText, momentText } from './suppression-item.ts';
import {
  respondentPartition,
  shardOf,
  suppressionKey,
  suppressionShardEntry,
  TABLE,
} from './table-schema.ts';
import { tombstoneItem } from './tombstone-item.ts';

export interface RespondentErasure {
  readonly responsesDeleted: number;
  readonly dismissalsDeleted: number;
  /** Surveys whose suppression this call carried over from the rows that it deleted. */
  readonly suppressionRetained: number;
}

export interface ErasureTarget {
  readonly projectId: string;
  readonly respondentHash: string;
  readonly longestQuietPeriodMs: number;
}

export interface ErasureStore {
  /**
   * Erases a respondent, past answers becoming retained suppression and tombstones of tokens still live.
   * @param now milliseconds since the epoch
   * @returns undefined when the project has never seen the respondent
   */
  eraseRespondent(target: ErasureTarget, now: number): Promise<RespondentErasure | undefined>;
}

const IN_FLIGHT = 25;

const isAnswer = (item: Item): boolean => item.type === 'response' || item.type === 'dismissal';
const momentOf = (answer: Item): AnswerMoment => ({ at: Date.parse(answer.at), tokenId: answer.tokenId });

export function createErasureStore(
  client: DynamoDBDocumentClient,
  { tableName, shards }: TableSettings,
  log: ErasureLog,
): ErasureStore {
  async function retain(target: ErasureTarget, items: readonly Item[], now: number): Promise<void> {
    const { projectId, respondentHash } = target;
    const answers = items.filter(isAnswer);
    const before = items.flatMap(({ answerTimes }) => [...(answerTimes ?? [])]).map(momentOfText);
    const moments = [...answers.map(momentOf), ...before];
    const kept = new Set(retainedMoments(moments, target.longestQuietPeriodMs, now).map(momentText));
    const outdated = before.map(momentText).filter((text) => !kept.has(text));
    if (answers.length > 0) {
      await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: suppressionKey(projectId, respondentHash),
          UpdateExpression: `SET #type = :type, #shard = :shard, #order = :order ADD surveyIds :surveyIds${
            kept.size > 0 ? ', answerTimes :moments' : ''
          }`,
          ExpressionAttributeNames: {
            '#type': 'type',
            '#shard': TABLE.indexes.byProject.partitionKey,
            '#order': TABLE.indexes.byProject.sortKey,
          },
          ExpressionAttributeValues: {
            ':type': 'suppression',
            ...suppressionEntry(projectId, respondentHash),
            ':surveyIds': new Set(answers.map(({ surveyId }) => surveyId)),
            ...(kept.size > 0 && { ':moments': kept }),
          },
        }),
      );
    }
    if (outdated.length > 0) {
      await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: suppressionKey(projectId, respondentHash),
          UpdateExpression: 'DELETE answerTimes :outdated',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':outdated': new Set(outdated) },
        }),
      );
    }
  }

  function suppressionEntry(projectId: string, respondentHash: string): Record<string, string | undefined> {
    const entry = suppressionShardEntry(projectId, shardOf(respondentHash, shards), respondentHash);
    const { partitionKey, sortKey } = TABLE.indexes.byProject;
    return { ':shard': entry[partitionKey], ':order': entry[sortKey] };
  }

  /** A tombstone replaces what exists and creates nothing: a purge may be deleting the same row. */
  async function remove(answer: Item, now: number): Promise<void> {
    if (!isTokenLive(answer.tokenExpiresAt, now)) {
      const Key = { pk: answer.pk, sk: answer.sk };
      await client.send(new DeleteCommand({ TableName: tableName, Key }));
      return;
    }
    const put = new PutCommand({
      TableName: tableName,
      Item: tombstoneItem(answer),
      ConditionExpression: 'attribute_exists(pk)',
    });
    try {
      await client.send(put);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  return {
    async eraseRespondent(target, now) {
      const { projectId, respondentHash } = target;
      const items = await queryAll(client, {
        TableName: tableName,
        KeyConditionExpression: '#pk = :pk',
        ExpressionAttributeNames: { '#pk': TABLE.partitionKey },
        ExpressionAttributeValues: { ':pk': respondentPartition(projectId, respondentHash) },
        ConsistentRead: true,
      });
      if (items.length === 0) return undefined;
      const answers = items.filter(isAnswer);
      if (answers.length > 0) await log.record({ mode: 'respondent', projectId, respondentHash }, now);
      await retain(target, items, now);
      await inFlight(answers, IN_FLIGHT, (answer) => remove(answer, now));
      return {
        responsesDeleted: answers.filter(({ type }) => type === 'response').length,
        dismissalsDeleted: answers.filter(({ type }) => type === 'dismissal').length,
        suppressionRetained: new Set(answers.map(({ surveyId }) => surveyId)).size,
      };
    },
  };
}
