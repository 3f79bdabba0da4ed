import type { Response } from '../../domain/answers/answer.ts';
import {
  asksForContact,
  CONTACT_STATES,
  type ContactState,
  contactStateOf,
} from '../../domain/answers/contact.ts';
import type { Days } from '../../domain/days.ts';
import type { IsGoneAnswer } from '../../domain/gone-answers.ts';
import { readAnswer } from '../answers/answer-item.ts';
import { eachPage, type IndexEntry, mergeShards } from '../table/index-reader.ts';
import { contactShardPartition, surveyOfContact, timeOfContact } from '../table/schema.ts';
import type { IndexDependencies } from '../table/table.ts';

export interface ContactQuery extends Days {
  readonly projectId: string;
  readonly state: ContactState | 'all';
  readonly isWanted: (surveyId: string, at: string) => boolean;
}

const MOST_ENTRIES = 1_000;
const BATCH = 10;
const MOST_UNITS = 110;

export function createContactWalk({ table, readIndex, shards }: IndexDependencies) {
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
    /** A page also ends after 110 read units or 1,000 index entries. */
    async page(query: ContactQuery, limit: number, after: string | undefined) {
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

const PAGE = 500;

export const createContactCounter = ({
  readIndex,
  shards,
}: Pick<IndexDependencies, 'readIndex' | 'shards'>) => ({
  /** The index lags, so a contact handled a moment ago may be counted. */
  async open(projectId: string, most: number, isWanted: (surveyId: string, at: string) => boolean) {
    let count = 0;
    for (let shard = 0; shard < shards && count <= most; shard++) {
      const partition = contactShardPartition(projectId, 'open', shard);
      for await (const { orders } of eachPage(readIndex, { index: 'byContact', partition, limit: PAGE })) {
        count += orders.filter((order) => isWanted(surveyOfContact(order), timeOfContact(order))).length;
        if (count > most) break;
      }
    }
    return { count: Math.min(count, most), isMore: count > most };
  },
});

/** Reads about two read units from each shard. */
const MOST_OF_SHARD = 40;

export interface OpenContacts {
  /** The UTC days of the answers, by survey. */
  readonly bySurvey: ReadonlyMap<string, readonly string[]>;
  readonly more: boolean;
}

export function createOpenContacts({ readIndex, shards }: Pick<IndexDependencies, 'readIndex' | 'shards'>) {
  return {
    async open(projectId: string, isGone: IsGoneAnswer, days: Days = {}): Promise<OpenContacts> {
      const pages = await Promise.all(
        Array.from({ length: shards }, (_, shard) => {
          const partition = contactShardPartition(projectId, 'open', shard);
          const limit = MOST_OF_SHARD;
          return readIndex({ index: 'byContact', partition, ...days, descending: true, limit });
        }),
      );
      const bySurvey = new Map<string, string[]>();
      for (const { order } of pages.flatMap(({ entries }) => entries)) {
        const surveyId = surveyOfContact(order);
        const at = timeOfContact(order);
        if (isGone(surveyId, at)) continue;
        bySurvey.set(surveyId, [...(bySurvey.get(surveyId) ?? []), at.slice(0, 10)]);
      }
      return { bySurvey, more: pages.some(({ more }) => more) };
    },
  };
}
