/** The index may lag and repeat entries, so the sweep first reads each row by its key. */

import { addCounts, NO_COUNTS, type PurgeCounts, type PurgeScope } from '../../domain/purge.ts';
import type { Withdrawals } from '../scores/withdrawals.ts';
import { stripShows } from '../shows/show-store.ts';
import { eachPage } from '../table/index-reader.ts';
import type { Row } from '../table/row.ts';
import { projectShardPartition, scoreShardPartitions, surveyPrefix } from '../table/schema.ts';
import type { IndexDependencies } from '../table/table.ts';

export interface Swept {
  readonly deleted: PurgeCounts;
  readonly withdrawals: number;
  readonly more: boolean;
}

/** Five reads of 100 rows and twenty deletions of 25. */
const PAGE = 500;

function countRows(rows: readonly Row[]): PurgeCounts {
  const responses = rows.filter(({ type }) => type === 'response').length;
  const dismissals = rows.filter(({ type }) => type === 'dismissal').length;
  return { responses, dismissals, others: rows.length - responses - dismissals };
}

export function createPurgeSweep({
  table,
  readIndex,
  shards,
  withdrawals,
}: IndexDependencies & { readonly withdrawals: Withdrawals }) {
  const prefixOf = ({ surveyId }: PurgeScope) =>
    surveyId === undefined ? undefined : surveyPrefix(surveyId);

  return {
    shards,

    async sweepShard(scope: PurgeScope, shard: number, isOutOfTime: () => boolean): Promise<Swept> {
      const partition = projectShardPartition(scope.projectId, shard);
      const { projectId, surveyId } = scope;
      let deleted = NO_COUNTS;
      let withdrawn = 0;
      if (isOutOfTime()) return { deleted, withdrawals: withdrawn, more: true };
      const query = { index: 'byProject', partition, limit: PAGE, prefix: prefixOf(scope) } as const;
      for await (const { keys, more } of eachPage(readIndex, query)) {
        const rows = await table.getMany(keys);
        const found = rows.filter((row) => row !== undefined);
        withdrawn += await withdrawals.queue(scope.projectId, found);
        await table.deleteMany(keys.filter((_, index) => rows[index] !== undefined));
        deleted = addCounts(deleted, countRows(found));
        if (more && isOutOfTime()) return { deleted, withdrawals: withdrawn, more };
      }
      const more =
        surveyId !== undefined &&
        (await stripShows({ table, readIndex }, { projectId, surveyId }, shard, isOutOfTime));
      return { deleted, withdrawals: withdrawn, more };
    },

    async isAnythingIndexed(scope: PurgeScope): Promise<boolean> {
      const { projectId, surveyId } = scope;
      const numbers = Array.from({ length: shards }, (_, shard) => shard);
      const queries = numbers.flatMap((shard) => [
        {
          index: 'byProject' as const,
          partition: projectShardPartition(projectId, shard),
          prefix: prefixOf(scope),
        },
        // The score index is not ordered by survey; its rows are in `by_project` too.
        ...(surveyId === undefined
          ? scoreShardPartitions(projectId, shard).map((partition) => ({
              index: 'byScoreState' as const,
              partition,
            }))
          : []),
      ]);
      const pages = await Promise.all(queries.map((query) => readIndex({ ...query, limit: 1 })));
      return pages.some(({ entries }) => entries.length > 0);
    },
  };
}

export type PurgeSweep = ReturnType<typeof createPurgeSweep>;
