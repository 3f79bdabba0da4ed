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
  readonly isWanted: (surveyId: string, at: string) => boolean;
}

export interface ContactPage {
  readonly responses: readonly Response[];
  readonly next: string | undefined;
}

export interface ContactWalk {
  /**
   * A page also ends after 110 read units or 1,000 index entries. Rows are read strongly consistently.
   * @param after `next` of the previous page
   */
  page(query: ContactQuery, limit: number, after: string | undefined): Promise<ContactPage>;
}

const MOST_ENTRIES = 1_000;
const BATCH = 10;
const MOST_UNITS = 110;

interface ContactWalkParts {
  readonly table: Table;
  readonly readIndex: ReadIndex;
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
