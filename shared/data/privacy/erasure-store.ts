/**
 * Erasing a respondent. The retained suppression is written before anything is deleted, so a crash at any point is
 * repaired by repeating the call and never loses suppression.
 */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type AnswerMoment, isTokenLive, retainedMoments } from '../../domain/erasure.ts';
import type { TableSettings } from '../answers/answer-store.ts';
import {
  momentsRemoval,
  momentText,
  suppressedMoments,
  suppressionUpdate,
} from '../answers/suppression-item.ts';
import { inFlight } from '../table/in-flight.ts';
import type { Item } from '../table/item.ts';
import { queryAll } from '../table/query-all.ts';
import { respondentPartition, TABLE } from '../table/schema.ts';
import type { ErasureLog } from './erasure-log.ts';
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
  /** Marks the respondent as erased even where nothing is stored, so that no later import brings the person back. */
  readonly isKnown?: boolean;
}

export interface ErasureStore {
  /**
   * Erases a respondent, past answers becoming retained suppression and tombstones of tokens still live.
   * @param now milliseconds since the epoch
   * @returns undefined when the project has never seen the respondent, and `isKnown` is not set
   */
  eraseRespondent(target: ErasureTarget, now: number): Promise<RespondentErasure | undefined>;
}

interface Erased {
  readonly answers: readonly Item[];
  /** Whether the respondent was marked as erased before the answers were read. */
  readonly wasMarked: boolean;
}

const IN_FLIGHT = 25;

const isAnswer = (item: Item): boolean => item.type === 'response' || item.type === 'dismissal';
const isMarked = (items: readonly Item[]): boolean => items.some(({ erasedAt }) => erasedAt !== undefined);
const momentOf = (answer: Item): AnswerMoment => ({ at: Date.parse(answer.at), tokenId: answer.tokenId });

export function createErasureStore(
  client: DynamoDBDocumentClient,
  { tableName, shards }: TableSettings,
  log: ErasureLog,
): ErasureStore {
  async function retain(target: ErasureTarget, items: readonly Item[], now: number): Promise<void> {
    const { projectId, respondentHash } = target;
    const answers = items.filter(isAnswer);
    const before = items.flatMap(suppressedMoments);
    const moments = retainedMoments([...answers.map(momentOf), ...before], target.longestQuietPeriodMs, now);
    const kept = new Set(moments.map(momentText));
    const outdated = before.map(momentText).filter((text) => !kept.has(text));
    if (answers.length > 0 || !isMarked(items)) {
      const surveyIds = answers.map(({ surveyId }) => surveyId);
      const update = suppressionUpdate(
        { projectId, respondentHash, shards },
        { surveyIds, moments, erasedAt: new Date(now).toISOString() },
      );
      await client.send(new UpdateCommand({ TableName: tableName, ...update }));
    }
    if (outdated.length > 0) {
      const removal = momentsRemoval(projectId, respondentHash, outdated);
      await client.send(new UpdateCommand({ TableName: tableName, ...removal }));
    }
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

  /** Erases what is stored now; undefined when nothing is, and nothing is to be marked. */
  async function eraseStored(target: ErasureTarget, now: number): Promise<Erased | undefined> {
    const { projectId, respondentHash } = target;
    const items = await queryAll(client, {
      TableName: tableName,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': TABLE.partitionKey },
      ExpressionAttributeValues: { ':pk': respondentPartition(projectId, respondentHash) },
      ConsistentRead: true,
    });
    if (items.length === 0 && target.isKnown !== true) return undefined;
    const answers = items.filter(isAnswer);
    const wasMarked = isMarked(items);
    if (answers.length > 0 || !wasMarked)
      await log.record({ mode: 'respondent', projectId, respondentHash }, now);
    await retain(target, items, now);
    await inFlight(answers, IN_FLIGHT, (answer) => remove(answer, now));
    return { answers, wasMarked };
  }

  return {
    async eraseRespondent(target, now) {
      const erased = await eraseStored(target, now);
      if (erased === undefined) return undefined;
      // An import goes by the mark alone: what it stored between the read and the mark is found now.
      const late = erased.wasMarked ? undefined : await eraseStored({ ...target, isKnown: false }, now);
      const answers = [...erased.answers, ...(late?.answers ?? [])];
      return {
        responsesDeleted: answers.filter(({ type }) => type === 'response').length,
        dismissalsDeleted: answers.filter(({ type }) => type === 'dismissal').length,
        suppressionRetained: new Set(answers.map(({ surveyId }) => surveyId)).size,
      };
    },
  };
}
