import type { Response } from '../../domain/answers/answer.ts';
import type { DaySpan } from '../../domain/days.ts';
import { readAnswer } from '../answers/answer-item.ts';
import { type IndexEntry, mergeShards } from '../table/index-reader.ts';
import { projectShardPartition, surveyPrefix } from '../table/schema.ts';
import type { IndexDependencies } from '../table/table.ts';

export interface CommentQuery extends DaySpan {
  readonly projectId: string;
  readonly surveyId: string;
  readonly isWanted?: ((response: Response) => boolean) | undefined;
}

/** A lagging index may list deleted rows. */
const MOST_ROWS = 500;
const BATCH = 10;
const UNITS = { filtered: 60, all: 130 } as const;

export function createCommentWalk({ table, readIndex, shards }: IndexDependencies) {
  function walk(
    query: CommentQuery,
    expected: number,
    after: string | undefined,
  ): AsyncGenerator<IndexEntry> {
    const { projectId, surveyId, from, to } = query;
    return mergeShards(readIndex, {
      index: 'byProject',
      partitions: Array.from({ length: shards }, (_, shard) => projectShardPartition(projectId, shard)),
      from: `${surveyPrefix(surveyId)}${from}`,
      to: `${surveyPrefix(surveyId)}${to}`,
      descending: true,
      expected,
      after,
    });
  }

  async function take(entries: AsyncGenerator<IndexEntry>, most: number): Promise<IndexEntry[]> {
    const taken: IndexEntry[] = [];
    while (taken.length < most) {
      const { value, done } = await entries.next();
      if (done === true) break;
      taken.push(value);
    }
    return taken;
  }

  return {
    /**
     * A page also ends after 60 read units, or 130 without a filter. With the last batch (ten rows of 32 KB) it costs
     * at most 140 or 210.
     */
    async page(query: CommentQuery, limit: number, after: string | undefined) {
      const entries = walk(query, limit + 1, after);
      const responses: Response[] = [];
      let last = after;
      const { isWanted } = query;
      const most = isWanted === undefined ? UNITS.all : UNITS.filtered;
      for (let units = 0, looked = 0; units < most && looked < MOST_ROWS; looked += BATCH) {
        const batch = await take(entries, BATCH);
        const keys = batch.map(({ key }) => key);
        const rows = await table.getMany(keys, (spent) => {
          units += spent;
        });
        for (const [index, { order }] of batch.entries()) {
          if (responses.length === limit) return { responses, next: last };
          last = order;
          const answer = rows[index] && readAnswer(rows[index]);
          if (answer?.kind === 'response' && isWanted?.(answer) !== false) responses.push(answer);
        }
        if (batch.length < BATCH) return { responses, next: undefined };
      }
      const [another] = await take(entries, 1);
      return { responses, next: another && last };
    },
  };
}
