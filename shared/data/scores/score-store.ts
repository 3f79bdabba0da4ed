/** Scores of linked responses: sweeping the open ones oldest first, and acknowledging them. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ResponseLocation } from '../../crypto/response-id.ts';
import type { Response } from '../../domain/answer.ts';
import { type AckState, OPEN_STATES, type OpenState } from '../../domain/scoring.ts';
import { responseOfItem } from '../answers/answer-item.ts';
import type { TableSettings } from '../answers/answer-store.ts';
import type { IndexEntry, ReadIndex } from '../table/index-reader.ts';
import { readItems } from '../table/read-items.ts';
import { answerKey, scoreShardPartition, shardOf, TABLE } from '../table/schema.ts';
import { mergeShards } from './merge-shards.ts';

export interface ScoreSweep {
  readonly projectId: string;
  readonly states: readonly OpenState[];
  /** Only rows behind this `scoreOrder`. */
  readonly after?: string;
  /** Rows the consumer expects to need. */
  readonly expected: number;
}

export interface Acknowledgement {
  readonly projectId: string;
  readonly location: ResponseLocation;
  readonly state: AckState;
  readonly error?: string;
  /** Fresh per invocation: a failed condition whose old item carries it is our own retried write. */
  readonly ackId: string;
}

export interface ScoreStore {
  /**
   * Responses whose score is in one of the states right now, oldest first, each once: rows are hydrated by strongly
   * consistent reads, and those that have moved on are left out. Reads no further than it is consumed.
   */
  sweep(sweep: ScoreSweep): AsyncGenerator<Response>;
  /**
   * One conditional update of a score that is pending or failed; never creates a row.
   * @returns whether the score changed
   */
  acknowledge(acknowledgement: Acknowledgement): Promise<boolean>;
}

const INDEX = TABLE.indexes.byScoreState;

/** Sets and removals of an acknowledgement: a failed score stays in the index, in the shard of its state. */
function changeOf({ state, error, projectId, location }: Acknowledgement, shards: number) {
  if (state === 'delivered') {
    return {
      update: `SET scoreState = :state, ackId = :ackId REMOVE ${INDEX.partitionKey}, ${INDEX.sortKey}, lastError`,
      values: {},
    };
  }
  const shard = scoreShardPartition(projectId, state, shardOf(location.tokenId, shards));
  const set = `SET scoreState = :state, ackId = :ackId, attempts = attempts + :one, ${INDEX.partitionKey} = :shard`;
  const values = { ':one': 1, ':shard': shard };
  return error === undefined
    ? { update: `${set} REMOVE lastError`, values }
    : { update: `${set}, lastError = :error`, values: { ...values, ':error': error } };
}

async function* inBatches(entries: AsyncIterable<IndexEntry>, size: number): AsyncGenerator<IndexEntry[]> {
  let batch: IndexEntry[] = [];
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export function createScoreStore(
  client: DynamoDBDocumentClient,
  { tableName, shards }: TableSettings,
  readIndex: ReadIndex,
): ScoreStore {
  return {
    async *sweep({ projectId, states, after, expected }) {
      const partitions = states.flatMap((state) =>
        Array.from({ length: shards }, (_, shard) => scoreShardPartition(projectId, state, shard)),
      );
      const entries = mergeShards(readIndex, {
        index: 'byScoreState',
        partitions,
        expected,
        ...(after !== undefined && { after }),
      });
      for await (const batch of inBatches(entries, expected)) {
        const rows = await readItems(
          client,
          tableName,
          batch.map(({ key }) => key),
        );
        for (const row of rows) {
          if (row?.type === 'response' && states.includes(row.scoreState)) yield responseOfItem(row);
        }
      }
    },

    async acknowledge(acknowledgement) {
      const { projectId, location, state, ackId } = acknowledgement;
      const { update, values } = changeOf(acknowledgement, shards);
      try {
        await client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: answerKey(projectId, location.respondentHash, location.tokenId),
            UpdateExpression: update,
            ConditionExpression:
              'attribute_exists(pk) AND scoreState IN (:pending, :failed) AND (attribute_not_exists(ackId) OR ackId <> :ackId)',
            ExpressionAttributeValues: {
              ...values,
              ':state': state,
              ':ackId': ackId,
              ...Object.fromEntries(OPEN_STATES.map((open) => [`:${open}`, open])),
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return true;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return error.Item?.ackId?.S === ackId;
      }
    },
  };
}
