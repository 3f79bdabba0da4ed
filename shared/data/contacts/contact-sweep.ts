/**
 * Puts rows into the index of people who asked to be contacted that were written by a release without it, and takes out
 * what that one left there. It may end anywhere: a row that is right is not written again.
 */

import { asksForContact, contactStateOf } from '../../domain/answers/contact.ts';
import { readAnswer } from '../answers/answer-item.ts';
import { equalTo } from '../table/expressions.ts';
import { eachPage, type ReadIndex } from '../table/index-reader.ts';
import { inFlight } from '../table/retry.ts';
import type { Row } from '../table/row.ts';
import { contactShardEntry, type Key, projectShardPartition, shardOf, TABLE } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface Swept {
  /** Rows that were looked at. */
  readonly rows: number;
  /** Rows whose place in the index was set right. */
  readonly changed: number;
  /** Responses that ask to be contacted. */
  readonly contacts: number;
}

export interface ContactSweep {
  /** @param onProgress told the share of shards that were read, from 0 to 1, and the rows so far */
  sweep(projectId: string, onProgress: (done: number, rows: number) => void): Promise<Swept>;
}

const PAGE = 500;
const WRITES_IN_FLIGHT = 8;
const MOST_ATTEMPTS = 10;
const { partitionKey, sortKey } = TABLE.indexes.byContact;

interface ContactSweepParts {
  readonly table: Table;
  readonly readIndex: ReadIndex;
  /** Shards of each index per project. */
  readonly shards: number;
}

export function createContactSweep({ table, readIndex, shards }: ContactSweepParts): ContactSweep {
  /** Where the row belongs; no values where nowhere. */
  function entryOf(row: Row): Readonly<Record<string, string | undefined>> {
    const answer = readAnswer(row);
    if (!asksForContact(answer)) return { [partitionKey]: undefined, [sortKey]: undefined };
    const shard = shardOf(answer.tokenId, shards);
    return contactShardEntry(answer.projectId, contactStateOf(answer), shard, answer);
  }

  const isRight = (row: Row, entry: Readonly<Record<string, string | undefined>>): boolean =>
    row[partitionKey] === entry[partitionKey] && row[sortKey] === entry[sortKey];

  /** @returns whether it was written */
  async function setRight(key: Key, found: Row): Promise<boolean> {
    let row: Row | undefined = found;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (row?.type !== 'response') return false;
      const entry = entryOf(row);
      if (isRight(row, entry)) return false;
      const { type, revision, handled } = row;
      const set = Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, value ?? null]));
      // What says where it belongs is changed by revisions and by those who see to it alone.
      const written = await table.update(key, { set }, equalTo({ type, revision, handled }));
      if (written.done) return true;
      row = written.found;
    }
    throw new Error('a row changed whenever it was put into the index');
  }

  return {
    async sweep(projectId, onProgress) {
      let [rows, changed, contacts] = [0, 0, 0];
      for (let shard = 0; shard < shards; shard++) {
        const partition = projectShardPartition(projectId, shard);
        for await (const { keys } of eachPage(readIndex, { index: 'byProject', partition, limit: PAGE })) {
          const found = await table.getMany(keys);
          const responses = keys.flatMap((key, index) => {
            const row = found[index];
            return row?.type === 'response' ? [{ key, row }] : [];
          });
          rows += responses.length;
          contacts += responses.filter(({ row }) => asksForContact(readAnswer(row))).length;
          await inFlight(responses, WRITES_IN_FLIGHT, async ({ key, row }) => {
            if (await setRight(key, row)) changed += 1;
          });
          onProgress(shard / shards, rows);
        }
      }
      return { rows, changed, contacts };
    },
  };
}
