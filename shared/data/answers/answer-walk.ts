/** Walking stored answers: of persons through their partitions, of a survey or a project through the index. */

import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Answer } from '../../domain/answer.ts';
import type { PurgeScope } from '../../domain/purge.ts';
import type { ReadIndex } from '../table/index-reader.ts';
import type { Item } from '../table/item.ts';
import { readItems } from '../table/read-items.ts';
import {
  isSuppressionOrder,
  projectShardPartition,
  respondentPartition,
  surveyPrefix,
  TABLE,
} from '../table/schema.ts';
import { answerOfItem } from './answer-item.ts';
import type { TableSettings } from './answer-store.ts';

/** Where a walk stands: in its nth partition or shard, behind this sort key. */
export interface WalkPosition {
  readonly source: number;
  readonly after: string;
}

/** One row, or index entry, that a walk has passed. */
export interface WalkStep {
  /** Undefined where it was none: a tombstone, retained suppression, a row that is gone or of another survey. */
  readonly answer: Answer | undefined;
  readonly position: WalkPosition;
}

export interface WalkedPerson {
  readonly projectId: string;
  readonly hashes: readonly string[];
  readonly surveyId?: string | undefined;
}

export interface AnswerWalks {
  /** Every answer of one person, who may go by several hashes, to one survey or to all; strongly consistent. */
  ofRespondents(person: WalkedPerson, from?: WalkPosition): AsyncIterable<WalkStep>;
  /**
   * Every answer of a survey or a project. The index may show one a moment late, never a stale one or one twice.
   * `ahead` rows are read at once, by default 500: who stops early pays for what was read and not taken.
   */
  ofProject(scope: PurgeScope, from?: WalkPosition, ahead?: number): AsyncIterable<WalkStep>;
  /** Whether the person left any trace in the project, were it only retained suppression. */
  isKnown(projectId: string, hashes: readonly string[]): Promise<boolean>;
}

interface Passed {
  readonly item: Item | undefined;
  readonly after: string;
}

/** Index entries read at once, and rows unless fewer are wanted: five batches of 100. */
const PAGE = 500;

export function createAnswerWalks(
  client: DynamoDBDocumentClient,
  { tableName, shards }: TableSettings,
  readIndex: ReadIndex,
): AnswerWalks {
  async function* walkPartition(pk: string, after = ''): AsyncGenerator<Passed> {
    for (let start: Record<string, string> | undefined = after === '' ? undefined : { pk, sk: after }; ; ) {
      const page = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: '#pk = :pk',
          ExpressionAttributeNames: { '#pk': TABLE.partitionKey },
          ExpressionAttributeValues: { ':pk': pk },
          ConsistentRead: true,
          ...(start !== undefined && { ExclusiveStartKey: start }),
        }),
      );
      for (const item of page.Items ?? []) yield { item, after: item[TABLE.sortKey] };
      if (page.LastEvaluatedKey === undefined) return;
      start = page.LastEvaluatedKey;
    }
  }

  async function* walkShard(
    partition: string,
    prefix: string | undefined,
    from: string | undefined,
    ahead: number,
  ): AsyncGenerator<Passed> {
    for (let after = from; ; ) {
      const page = await readIndex({
        index: 'byProject',
        partition,
        limit: PAGE,
        ...(prefix !== undefined && { prefix }),
        ...(after !== undefined && { after }),
      });
      const entries = page.entries.filter(
        ({ order }, index) => order !== page.entries[index - 1]?.order && !isSuppressionOrder(order),
      );
      for (let start = 0; start < entries.length; start += ahead) {
        const next = entries.slice(start, start + ahead);
        const rows = await readItems(
          client,
          tableName,
          next.map(({ key }) => key),
        );
        for (const [index, { order }] of next.entries()) yield { item: rows[index], after: order };
      }
      after = page.entries.at(-1)?.order;
      if (!page.more || after === undefined || isSuppressionOrder(after)) return;
    }
  }

  async function* answersIn(
    sources: readonly ((after: string | undefined) => AsyncIterable<Passed>)[],
    from: WalkPosition | undefined,
    surveyId?: string,
  ): AsyncGenerator<WalkStep> {
    for (const [source, walk] of sources.entries()) {
      if (from !== undefined && source < from.source) continue;
      for await (const { item, after } of walk(source === from?.source ? from.after : undefined)) {
        const answer = item && answerOfItem(item);
        const isWanted = surveyId === undefined || answer?.surveyId === surveyId;
        yield { answer: isWanted ? answer : undefined, position: { source, after } };
      }
    }
  }

  return {
    ofRespondents({ projectId, hashes, surveyId }, from) {
      const partitions = hashes.map((hash) => respondentPartition(projectId, hash));
      return answersIn(
        partitions.map((pk) => (after) => walkPartition(pk, after)),
        from,
        surveyId,
      );
    },

    ofProject({ projectId, surveyId }, from, ahead = PAGE) {
      const prefix = surveyId === undefined ? undefined : surveyPrefix(surveyId);
      const partitions = Array.from({ length: shards }, (_, shard) =>
        projectShardPartition(projectId, shard),
      );
      return answersIn(
        partitions.map((partition) => (after) => walkShard(partition, prefix, after, ahead)),
        from,
      );
    },

    async isKnown(projectId, hashes) {
      const pages = await Promise.all(
        hashes.map((hash) =>
          client.send(
            new QueryCommand({
              TableName: tableName,
              KeyConditionExpression: '#pk = :pk',
              ExpressionAttributeNames: { '#pk': TABLE.partitionKey },
              ExpressionAttributeValues: { ':pk': respondentPartition(projectId, hash) },
              ConsistentRead: true,
              Limit: 1,
            }),
          ),
        ),
      );
      return pages.some(({ Items = [] }) => Items.length > 0);
    },
  };
}
