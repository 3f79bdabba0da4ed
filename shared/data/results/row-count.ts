/** Each row is marked in the transaction that counts it. */

import {
  type CountedAnswer,
  contributionOf,
  type SurveyCounting,
} from '../../domain/results/contribution.ts';
import { type Generation, isIn } from '../../domain/results/generation.ts';
import { isGone } from '../../domain/retention.ts';
import { COUNTED_ATTRIBUTES, readCounted } from '../answers/answer-item.ts';
import { type Condition, equalTo } from '../table/expressions.ts';
import { eachPage, type ReadIndex } from '../table/index-reader.ts';
import type { Row } from '../table/row.ts';
import { type Key, projectShardPartition, surveyPrefix, surveyTotalKey } from '../table/schema.ts';
import { ITEMS_PER_TRANSACTION, type Table } from '../table/table.ts';
import { type CountedChange, listWrites } from './additions.ts';

export interface RecountTarget {
  readonly projectId: string;
  readonly surveyId: string;
  readonly generation: Generation;
  readonly counting: Pick<SurveyCounting, 'segments' | 'generations'>;
  /** Earlier days have expired answers and are copied; empty if none has. */
  readonly completeFrom: string;
}

export class RecountEnded extends Error {
  readonly reason: 'purged' | 'overtaken';

  constructor(reason: RecountEnded['reason']) {
    super(`the recount is ${reason}`);
    this.reason = reason;
  }
}

const PAGE = 500;
/** A transaction has at most 4 MB and contains the rows' conditions. */
const MOST_CHARACTERS = 500_000;
const MOST_ATTEMPTS = 10;

interface FoundRow {
  readonly key: Key;
  readonly row: Row;
  readonly answer: CountedAnswer;
}

const rowIsAsRead = (row: Row): Condition =>
  equalTo(Object.fromEntries(COUNTED_ATTRIBUTES.map((name) => [name, row[name]])));

const weigh = ({ row }: FoundRow): number =>
  COUNTED_ATTRIBUTES.reduce((sum, name) => sum + String(row[name] ?? '').length, 0);

interface RowCountParts {
  readonly table: Table;
  readonly readIndex: ReadIndex;
  readonly shards: number;
}

export function createRowCount({ table, readIndex, shards }: RowCountParts) {
  async function read(
    keys: readonly Key[],
    { surveyId, generation, completeFrom }: RecountTarget,
  ): Promise<FoundRow[]> {
    const rows = await table.getMany(keys);
    return keys.flatMap((key, index) => {
      const row = rows[index];
      const answer = row && readCounted(row);
      if (row === undefined || answer?.surveyId !== surveyId) return [];
      return isIn(answer, generation) || isGone(answer.at, completeFrom) ? [] : [{ key, row, answer }];
    });
  }

  function writesOf(found: readonly FoundRow[], { counting, generation }: RecountTarget) {
    const contributions = found.map(({ answer }) => contributionOf(answer, 1, counting, generation.number));
    const change: CountedChange = { id: '', contributions };
    return listWrites([change], new Set()) ?? [];
  }

  function* cut(found: readonly FoundRow[], target: RecountTarget): Generator<FoundRow[]> {
    let part: FoundRow[] = [];
    let characters = 0;
    for (const each of found) {
      const next = [...part, each];
      characters += weigh(each);
      const isFull = next.length + writesOf(next, target).length > ITEMS_PER_TRANSACTION;
      if (part.length > 0 && (isFull || characters > MOST_CHARACTERS)) {
        yield part;
        part = [each];
        characters = weigh(each);
      } else part = next;
    }
    if (part.length > 0) yield part;
  }

  /** @returns the number of counted rows, without those deleted meanwhile */
  async function countPart(part: readonly FoundRow[], target: RecountTarget): Promise<number> {
    let left = part;
    for (let attempt = 1; left.length > 0; attempt++) {
      const writes = writesOf(left, target).map(({ write }) => write);
      const marks = left.map(({ key, row }) => ({
        update: key,
        change: { set: { generation: target.generation.number } },
        when: rowIsAsRead(row),
      }));
      const written = await table.transact([...writes, ...marks]);
      if (written.done) return left.length;
      // Only the survey's total has a condition among these writes.
      if ([...written.failed].some((index) => index < writes.length)) throw await ended(target);
      if (attempt === MOST_ATTEMPTS) throw new Error('rows kept changing while they were counted');
      left = await read(
        left.map(({ key }) => key),
        target,
      );
    }
    return 0;
  }

  async function ended({ projectId, surveyId }: RecountTarget): Promise<RecountEnded> {
    const total = await table.get(surveyTotalKey(projectId, surveyId));
    return new RecountEnded(total === undefined ? 'purged' : 'overtaken');
  }

  return {
    async count(target: RecountTarget, onProgress: (done: number, rows: number) => void): Promise<void> {
      const { projectId, surveyId } = target;
      let rows = 0;
      for (let shard = 0; shard < shards; shard++) {
        const partition = projectShardPartition(projectId, shard);
        const query = { index: 'byProject', partition, limit: PAGE, prefix: surveyPrefix(surveyId) } as const;
        for await (const { keys } of eachPage(readIndex, query)) {
          for (const part of cut(await read(keys, target), target)) {
            rows += await countPart(part, target);
            onProgress(shard / shards, rows);
          }
        }
      }
    },
  };
}
