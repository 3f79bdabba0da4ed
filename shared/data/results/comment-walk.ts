/** Responses to a survey, newest first, over the shards of the project's index. */

import type { Response } from '../../domain/answers/answer.ts';
import type { DaySpan } from '../../domain/days.ts';
import { readAnswer } from '../answers/answer-item.ts';
import { mergeShards } from '../scores/merge-shards.ts';
import type { IndexEntry, ReadIndex } from '../table/index-reader.ts';
import { projectShardPartition, surveyPrefix } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface CommentQuery extends DaySpan {
  readonly projectId: string;
  readonly surveyId: string;
  readonly isWanted: (response: Response) => boolean;
}

export interface CommentPage {
  readonly responses: readonly Response[];
  /** Where the next page begins, unless this is the last. */
  readonly next: string | undefined;
}

export interface CommentWalk {
  /**
   * At most `limit` responses, of at most 500 that are looked at. Rows are read by key, strongly consistent: what is
   * erased is not among them, however much the index lags.
   * @param after the `next` of the page before
   */
  page(query: CommentQuery, limit: number, after: string | undefined): Promise<CommentPage>;
}

const MOST_ROWS = 500;
/** Rows read at once; DynamoDB's quota of a BatchGetItem. */
const BATCH = 100;

interface CommentWalkParts {
  readonly table: Table;
  readonly readIndex: ReadIndex;
  /** Shards of each index per project. */
  readonly shards: number;
}

export function createCommentWalk({ table, readIndex, shards }: CommentWalkParts): CommentWalk {
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
    async page(query, limit, after) {
      // One more than fits, to know whether there is a next page.
      const entries = walk(query, limit + 1, after);
      const responses: Response[] = [];
      let last = after;
      for (let looked = 0; looked < MOST_ROWS; ) {
        const size = Math.min(BATCH, MOST_ROWS - looked, looked === 0 ? limit + 1 : BATCH);
        const batch = await take(entries, size);
        const rows = await table.getMany(batch.map(({ key }) => key));
        for (const [index, { order }] of batch.entries()) {
          if (responses.length === limit) return { responses, next: last };
          last = order;
          const answer = rows[index] && readAnswer(rows[index]);
          if (answer?.kind === 'response' && query.isWanted(answer)) responses.push(answer);
        }
        looked += batch.length;
        if (batch.length < size) return { responses, next: undefined };
      }
      const [another] = await take(entries, 1);
      return { responses, next: another && last };
    },
  };
}
