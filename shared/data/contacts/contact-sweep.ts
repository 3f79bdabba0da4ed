/** Corrects the contact index after a release that does not maintain it wrote rows. */

import { asksForContact, contactStateOf } from '../../domain/answers/contact.ts';
import { DAY, SECOND } from '../../domain/duration.ts';
import { readAnswer } from '../answers/answer-item.ts';
import { equalTo } from '../table/expressions.ts';
import { eachPage } from '../table/index-reader.ts';
import { inFlight } from '../table/retry.ts';
import type { Row } from '../table/row.ts';
import {
  contactShardEntry,
  contactSweepKey,
  type Key,
  projectShardPartition,
  shardOf,
  TABLE,
  withoutId,
} from '../table/schema.ts';
import type { IndexDependencies } from '../table/table.ts';

export interface Swept {
  readonly rows: number;
  readonly changed: number;
  readonly contacts: number;
}

export interface SweepOptions {
  readonly now: () => number;
  readonly isAnew?: boolean | undefined;
  /** @param done the share of shards that were read, from 0 to 1 */
  readonly onProgress?: (done: number, rows: number) => void;
}

interface Position extends Swept {
  readonly shard: number;
  /** Some rows with the same survey and time may not be done yet. */
  readonly after: string;
}

const BEGINNING: Position = { shard: 0, after: '', rows: 0, changed: 0, contacts: 0 };

/** A release that does not maintain the index may have run in the meantime. */
const POSITION_LIFE = DAY;

const PAGE = 500;
const WRITES_IN_FLIGHT = 8;
const MOST_ATTEMPTS = 10;
const { partitionKey, sortKey } = TABLE.indexes.byContact;

export function createContactSweep({ table, readIndex, shards }: IndexDependencies) {
  function entryOf(row: Row): Readonly<Record<string, string | undefined>> {
    const answer = readAnswer(row);
    if (!asksForContact(answer)) return { [partitionKey]: undefined, [sortKey]: undefined };
    const shard = shardOf(answer.tokenId, shards);
    return contactShardEntry(answer.projectId, contactStateOf(answer), shard, answer);
  }

  const isRight = (row: Row, entry: Readonly<Record<string, string | undefined>>): boolean =>
    row[partitionKey] === entry[partitionKey] && row[sortKey] === entry[sortKey];

  async function setRight(key: Key, found: Row): Promise<boolean> {
    let row: Row | undefined = found;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (row?.type !== 'response') return false;
      const entry = entryOf(row);
      if (isRight(row, entry)) return false;
      const { type, revision, handled } = row;
      const set = Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, value ?? null]));
      // The index entry depends only on revisions and on who handled the contact.
      const written = await table.update(key, { set }, equalTo({ type, revision, handled }));
      if (written.done) return true;
      row = written.found;
    }
    throw new Error('a row kept changing while its index entry was corrected');
  }

  async function readPosition(projectId: string, now: number): Promise<Position> {
    const row = await table.get(contactSweepKey(projectId));
    if (row === undefined || Number(row[TABLE.timeToLive]) * SECOND <= now) return BEGINNING;
    const { shard, after, rows, changed, contacts } = row;
    const counts = { rows: Number(rows), changed: Number(changed), contacts: Number(contacts) };
    return { shard: Number(shard), after: String(after), ...counts };
  }

  const keepPosition = (projectId: string, position: Position, now: number) =>
    table.put({
      ...contactSweepKey(projectId),
      type: 'contact-sweep',
      ...position,
      [TABLE.timeToLive]: Math.floor((now + POSITION_LIFE) / SECOND),
    });

  return {
    /** The totals include those of the interrupted sweep that it continues. */
    async sweep(
      projectId: string,
      { now, isAnew, onProgress = () => undefined }: SweepOptions,
    ): Promise<Swept> {
      const begun = isAnew === true ? BEGINNING : await readPosition(projectId, now());
      let { rows, changed, contacts } = begun;
      for (let shard = begun.shard; shard < shards; shard++) {
        const partition = projectShardPartition(projectId, shard);
        const after = (shard === begun.shard && begun.after) || undefined;
        for await (const { keys, orders } of eachPage(readIndex, {
          index: 'byProject',
          partition,
          limit: PAGE,
          after,
        })) {
          const last = withoutId(orders.at(-1) ?? '');
          const found = await table.getMany(keys);
          const responses = keys.flatMap((key, index) => {
            const row = found[index];
            const isLast = withoutId(orders[index] ?? '') === last;
            return row?.type === 'response' ? [{ key, row, isLast }] : [];
          });
          const asking = responses.filter(({ row }) => asksForContact(readAnswer(row)));
          await inFlight(responses, WRITES_IN_FLIGHT, async ({ key, row }) => {
            if (await setRight(key, row)) changed += 1;
          });
          rows += responses.length;
          contacts += asking.length;
          await keepPosition(
            projectId,
            {
              ...(last === '' ? { shard: shard + 1, after: '' } : { shard, after: last }),
              rows: rows - responses.filter(({ isLast }) => isLast).length,
              contacts: contacts - asking.filter(({ isLast }) => isLast).length,
              changed,
            },
            now(),
          );
          onProgress(shard / shards, rows);
        }
      }
      await table.delete(contactSweepKey(projectId));
      return { rows, changed, contacts };
    },
  };
}
