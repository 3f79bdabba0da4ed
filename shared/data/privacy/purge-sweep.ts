/**
 * Deleting the rows of a purge, shard by shard, and looking whether any are left. The index may lag and repeat itself:
 * what it names is read by key first, which also tells what is deleted.
 */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { addCounts, NO_COUNTS, type PurgeCounts, type PurgeScope } from '../../domain/purge.ts';
import type { TableSettings } from '../answers/answer-store.ts';
import { deleteItems } from '../table/delete-items.ts';
import type { ReadIndex } from '../table/index-reader.ts';
import type { Item } from '../table/item.ts';
import { readItems } from '../table/read-items.ts';
import { type Key, projectShardPartition, scoreShardPartition, surveyPrefix } from '../table/schema.ts';

export interface Swept {
  readonly deleted: PurgeCounts;
  /** Whether time ran out before the end of the shard. */
  readonly more: boolean;
}

export interface PurgeSweep {
  readonly shards: number;
  /** Deletes what the index names in this shard, until its end or until `isOutOfTime`. */
  sweepShard(scope: PurgeScope, shard: number, isOutOfTime: () => boolean): Promise<Swept>;
  /** Whether either index still names a row. */
  isAnythingIndexed(scope: PurgeScope): Promise<boolean>;
}

/** Index entries of one step: five reads of 100 rows and twenty deletions of 25. */
const PAGE = 500;

const keyOf = ({ pk, sk }: Item): Key => ({ pk, sk });

function countsOf(rows: readonly Item[]): PurgeCounts {
  const responses = rows.filter(({ type }) => type === 'response').length;
  const dismissals = rows.filter(({ type }) => type === 'dismissal').length;
  return { responses, dismissals, others: rows.length - responses - dismissals };
}

export function createPurgeSweep(
  client: DynamoDBDocumentClient,
  { tableName, shards }: TableSettings,
  readIndex: ReadIndex,
): PurgeSweep {
  const prefixOf = ({ surveyId }: PurgeScope) =>
    surveyId === undefined ? {} : { prefix: surveyPrefix(surveyId) };

  return {
    shards,

    async sweepShard(scope, shard, isOutOfTime) {
      const partition = projectShardPartition(scope.projectId, shard);
      let deleted = NO_COUNTS;
      for (let after: string | undefined; ; ) {
        if (isOutOfTime()) return { deleted, more: true };
        const page = await readIndex({
          index: 'byProject',
          partition,
          limit: PAGE,
          ...prefixOf(scope),
          ...(after !== undefined && { after }),
        });
        const keys = new Map(page.entries.map(({ order, key }) => [order, key]));
        const rows = await readItems(client, tableName, [...keys.values()]);
        const present = rows.filter((row) => row !== undefined);
        await deleteItems(client, tableName, present.map(keyOf));
        deleted = addCounts(deleted, countsOf(present));
        after = page.entries.at(-1)?.order;
        if (!page.more || after === undefined) return { deleted, more: false };
      }
    },

    async isAnythingIndexed(scope) {
      const { projectId, surveyId } = scope;
      const numbers = Array.from({ length: shards }, (_, shard) => shard);
      const queries = numbers.flatMap((shard) => [
        {
          index: 'byProject' as const,
          partition: projectShardPartition(projectId, shard),
          ...prefixOf(scope),
        },
        // The score index does not know surveys: of one survey, its rows are in `by_project` as well.
        ...(surveyId === undefined
          ? (['pending', 'failed'] as const).map((state) => ({
              index: 'byScoreState' as const,
              partition: scoreShardPartition(projectId, state, shard),
            }))
          : []),
      ]);
      const pages = await Promise.all(queries.map((query) => readIndex({ ...query, limit: 1 })));
      return pages.some(({ entries }) => entries.length > 0);
    },
  };
}
