/**
 * Folding long histories: the surveys and moments of answers whose tokens expired long ago are added to the respondent's
 * retained suppression, together with the moment up to which everything is in it. No answer is touched. A fold that
 * does not happen costs read units and nothing else; one that happens twice changes nothing.
 */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type AnswerMoment, retainedMoments } from '../../domain/erasure.ts';
import { FOLD_AGE_MS } from '../../domain/history-fold.ts';
import type { Item } from '../table/item.ts';
import { queryAll } from '../table/query-all.ts';
import {
  answersIssuedFrom,
  respondentPartition,
  suppressionKey,
  TABLE,
  tokenIdOfAnswer,
} from '../table/schema.ts';
import { transact } from '../table/transact.ts';
import type { TableSettings } from './answer-store.ts';
import { momentsRemoval, momentText, suppressedMoments, suppressionUpdate } from './suppression-item.ts';

export interface FoldTarget {
  readonly projectId: string;
  readonly respondentHash: string;
}

export interface HistoryFolds {
  /** @param now milliseconds since the epoch */
  fold(target: FoldTarget, now: number): Promise<void>;
}

/** Moments that no rule asks about any more are taken out once there are so many. */
const OUTDATED_MOMENTS = 8;

const momentOf = (answer: Item): AnswerMoment => ({
  at: Date.parse(answer.at),
  tokenId: tokenIdOfAnswer(answer[TABLE.sortKey]),
});

export function createHistoryFolds(
  client: DynamoDBDocumentClient,
  { tableName, shards }: TableSettings,
): HistoryFolds {
  async function answersBetween(target: FoldTarget, from: number, to: number): Promise<Item[]> {
    const items = await queryAll(client, {
      TableName: tableName,
      KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
      ExpressionAttributeNames: {
        '#pk': TABLE.partitionKey,
        '#sk': TABLE.sortKey,
        '#type': 'type',
        '#at': 'at',
      },
      ExpressionAttributeValues: {
        ':pk': respondentPartition(target.projectId, target.respondentHash),
        ':from': answersIssuedFrom(from),
        ':to': answersIssuedFrom(to),
      },
      ProjectionExpression: '#pk, #sk, #type, surveyId, #at',
      ConsistentRead: true,
    });
    return items.filter(({ type }) => type === 'response' || type === 'dismissal');
  }

  /** @returns false when another fold came first, or a purge is taking everything away */
  async function add(
    target: FoldTarget,
    before: Item | undefined,
    answers: readonly Item[],
    moments: readonly AnswerMoment[],
    foldedUpTo: number,
  ): Promise<boolean> {
    const update = suppressionUpdate(
      { ...target, shards },
      { surveyIds: answers.map(({ surveyId }) => surveyId), moments },
    );
    const folded = {
      ...update,
      TableName: tableName,
      UpdateExpression: update.UpdateExpression.replace('SET ', 'SET foldedUpTo = :foldedUpTo, '),
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':foldedUpTo': foldedUpTo },
    };
    if (before !== undefined) {
      // Exactly what was read: whatever lies before it is folded, whatever lies behind it was read here.
      const known: unknown = before.foldedUpTo;
      const command = new UpdateCommand({
        ...folded,
        ConditionExpression: `attribute_exists(pk) AND ${known === undefined ? 'attribute_not_exists(foldedUpTo)' : 'foldedUpTo = :known'}`,
        ExpressionAttributeValues: {
          ...folded.ExpressionAttributeValues,
          ...(known !== undefined && { ':known': known }),
        },
      });
      try {
        await client.send(command);
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    }
    // Made only beside an answer that still stands: a purge finds both, and after it nothing can be made.
    const [newest] = answers.slice(-1);
    const check = {
      TableName: tableName,
      Key: { pk: newest?.pk, sk: newest?.sk },
      ConditionExpression: 'attribute_exists(pk)',
    };
    return transact(client, [
      { ConditionCheck: check },
      { Update: { ...folded, ConditionExpression: 'attribute_not_exists(pk)' } },
    ]);
  }

  return {
    async fold(target, now) {
      const { projectId, respondentHash } = target;
      const { Item: before } = await client.send(
        new GetCommand({
          TableName: tableName,
          Key: suppressionKey(projectId, respondentHash),
          ConsistentRead: true,
        }),
      );
      const foldedUpTo = now - FOLD_AGE_MS;
      const answers = await answersBetween(target, before?.foldedUpTo ?? 0, foldedUpTo);
      if (answers.length === 0) return;
      const known = before === undefined ? [] : suppressedMoments(before);
      // The latest moment of all stays, however long ago: some survey's quiet period may still count from it.
      const kept = retainedMoments([...answers.map(momentOf), ...known], Number.POSITIVE_INFINITY, now);
      if (!(await add(target, before, answers, kept, foldedUpTo))) return;
      const wanted = new Set(kept.map(momentText));
      const outdated = known.map(momentText).filter((text) => !wanted.has(text));
      if (outdated.length < OUTDATED_MOMENTS) return;
      const removal = momentsRemoval(projectId, respondentHash, outdated);
      await client.send(new UpdateCommand({ TableName: tableName, ...removal }));
    },
  };
}
