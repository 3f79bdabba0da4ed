/** People who asked to be contacted, newest first, over the shards of their index. */

import type { Response } from '../../domain/answers/answer.ts';
import {
  asksForContact,
  CONTACT_STATES,
  type ContactState,
  contactStateOf,
} from '../../domain/answers/contact.ts';
import type { Days } from '../../domain/days.ts';
import { readAnswer } from '../answers/answer-item.ts';
import { mergeShards } from '../scores/merge-shards.ts';
import type { IndexEntry, ReadIndex } from '../table/index-reader.ts';
import { contactShardPartition, surveyOfContact, timeOfContact } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface ContactQuery extends Days {
  readonly projectId: string;
  readonly state: ContactState | 'all';
  /** Whether people who answered this survey then, ISO 8601 UTC, are asked for. */
  readonly isWanted: (surveyId: string, at: string) => boolean;
}

export interface ContactPage {
  readonly responses: readonly Response[];
  /** Where the next page begins, unless this is the last. */
  readonly next: string | undefined;
}

export interface ContactWalk {
  /**
   * At most `limit` responses. A page ends as well once its rows have consumed 110 read units, or 1,000 entries of the
   * index were looked at. Rows are read by key, strongly consistent: what has moved on is not among them, however much
   * the index lags.
   * @param after the `next` of the page before
   */
  page(query: ContactQuery, limit: number, after: string | undefined): Promise<ContactPage>;
}

/** Of other surveys, or gone: an index that lags names such rows. */
const MOST_ENTRIES = 1_000;
/** Rows that are read at once, and the units after which no more are. */
const BATCH = 10;
const MOST_UNITS = 110;

interface ContactWalkParts {
  readonly table: Table;
  readonly readIndex: ReadIndex;
  /** Shards of each index per project. */
  readonly shards: number;
}

export function createContactWalk({ table, readIndex, shards }: ContactWalkParts): ContactWalk {
  function walk(
    { projectId, state, from, to }: ContactQuery,
    expected: number,
    after: string | undefined,
  ): AsyncGenerator<IndexEntry> {
    const states = state === 'all' ? CONTACT_STATES : [state];
    return mergeShards(readIndex, {
      index: 'byContact',
      partitions: states.flatMap((each) =>
        Array.from({ length: shards }, (_, shard) => contactShardPartition(projectId, each, shard)),
      ),
      from,
      to,
      descending: true,
      expected,
      after,
    });
  }

  return {
    async page(query, limit, after) {
      const { state, isWanted } = query;
      // One more than fits, to know whether there is a next page.
      const entries = walk(query, limit + 1, after);
      const responses: Response[] = [];
      let last = after;
      let [units, looked] = [0, 0];
      while (responses.length < limit && units < MOST_UNITS && looked < MOST_ENTRIES) {
        const batch: IndexEntry[] = [];
        const size = Math.min(BATCH, limit - responses.length);
        let isEnd = false;
        while (batch.length < size && looked < MOST_ENTRIES && !isEnd) {
          const { value, done } = await entries.next();
          isEnd = done === true;
          if (done === true) break;
          looked += 1;
          last = value.order;
          if (isWanted(surveyOfContact(value.order), timeOfContact(value.order))) batch.push(value);
        }
        const keys = batch.map(({ key }) => key);
        const rows = await table.getMany(keys, (spent) => {
          units += spent;
        });
        for (const row of rows) {
          const answer = row && readAnswer(row);
          if (!asksForContact(answer)) continue;
          if (state === 'all' || contactStateOf(answer) === state) responses.push(answer);
        }
        if (isEnd) return { responses, next: undefined };
      }
      const { done } = await entries.next();
      return { responses, next: done === true ? undefined : last };
    },
  };
}
