import {
  type CountedAnswer,
  contributionOf,
  type SurveyCounting,
} from '../../domain/results/contribution.ts';
import { type Generation, isIn } from '../../domain/results/generation.ts';
import { isGone } from '../../domain/retention.ts';
import { COUNTED_ATTRIBUTES, readCounted } from '../answers/answer-item.ts';
import { type Condition, equalTo } from '../table/expressions.ts';
import { eachPage } from '../table/index-reader.ts';
import { chunk } from '../table/retry.ts';
import type { Row } from '../table/row.ts';
import {
  answeredAttribute,
  dayOfResult,
  type Key,
  projectShardPartition,
  resultPrefixes,
  resultsPartition,
  surveyPrefix,
  surveyTotalKey,
} from '../table/schema.ts';
import { type IndexDependencies, ITEMS_PER_TRANSACTION, type Table, type Write } from '../table/table.ts';
import { type CountedChange, countedBy, listWrites } from './count-store.ts';
import { isOfRating } from './result-store.ts';

export interface RecountTarget {
  readonly projectId: string;
  readonly surveyId: string;
  readonly generation: Generation;
  readonly counting: Pick<SurveyCounting, 'segments' | 'generations'>;
  /** Earlier days have expired answers, so their counts are copied. Empty if no answer has expired. */
  readonly completeFrom: string;
}

export class RecountEnded extends Error {
  readonly reason: 'purged' | 'overtaken';

  constructor(reason: RecountEnded['reason']) {
    super(`the recount is ${reason}`);
    this.reason = reason;
  }
}

export async function recountEnd(
  table: Table,
  { projectId, surveyId }: Pick<RecountTarget, 'projectId' | 'surveyId'>,
): Promise<RecountEnded> {
  const total = await table.get(surveyTotalKey(projectId, surveyId));
  return new RecountEnded(total === undefined ? 'purged' : 'overtaken');
}

const PAGE = 500;
/** A transaction has at most 4 MB, including the rows' conditions. */
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
  COUNTED_ATTRIBUTES.reduce((sum, name) => sum + JSON.stringify(row[name] ?? '').length, 0);

/** Each row is marked in the transaction that counts it. */
export function createRowCount({ table, readIndex, shards }: IndexDependencies) {
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

  function* batchesOf(found: readonly FoundRow[], target: RecountTarget): Generator<FoundRow[]> {
    let batch: FoundRow[] = [];
    let characters = 0;
    for (const each of found) {
      const next = [...batch, each];
      characters += weigh(each);
      const isFull = next.length + writesOf(next, target).length > ITEMS_PER_TRANSACTION;
      if (batch.length > 0 && (isFull || characters > MOST_CHARACTERS)) {
        yield batch;
        batch = [each];
        characters = weigh(each);
      } else batch = next;
    }
    if (batch.length > 0) yield batch;
  }

  async function countBatch(batch: readonly FoundRow[], target: RecountTarget): Promise<number> {
    let left = batch;
    for (let attempt = 1; left.length > 0; attempt++) {
      const writes = writesOf(left, target).map(({ write }) => write);
      const marks = left.map(({ key, row }) => ({
        update: key,
        change: { set: { generation: target.generation.number } },
        when: rowIsAsRead(row),
      }));
      const written = await table.transact([...writes, ...marks]);
      if (written.done) return left.length;
      // Among these writes, only the one to the survey's total has a condition.
      if ([...written.failed].some((index) => index < writes.length)) throw await recountEnd(table, target);
      if (attempt === MOST_ATTEMPTS) throw new Error('rows kept changing while they were counted');
      left = await read(
        left.map(({ key }) => key),
        target,
      );
    }
    return 0;
  }

  return {
    async count(target: RecountTarget, onProgress: (done: number, rows: number) => void): Promise<void> {
      const { projectId, surveyId } = target;
      let rows = 0;
      for (let shard = 0; shard < shards; shard++) {
        const partition = projectShardPartition(projectId, shard);
        const query = { index: 'byProject', partition, limit: PAGE, prefix: surveyPrefix(surveyId) } as const;
        for await (const { keys } of eachPage(readIndex, query)) {
          for (const batch of batchesOf(await read(keys, target), target)) {
            rows += await countBatch(batch, target);
            onProgress(shard / shards, rows);
          }
        }
      }
    },
  };
}

const MOST_COPYING_ATTEMPTS = 20;
/** DynamoDB quota: 300 operators in a condition. */
const COUNTERS_AT_ONCE = 100;
/** Each counter takes a check in one generation and a write in the other. The survey's total takes one item more. */
const ITEMS_AT_ONCE = ITEMS_PER_TRANSACTION / 2 - 1;

interface CopiedCounters {
  /** Such as `#2026-11-20`, `~plan#2026-11-20`, in every generation. */
  readonly ending: string;
  readonly names: readonly string[];
  readonly from: Row;
  readonly to: Row;
}

const isCounter = (name: string): boolean => !['pk', 'sk', 'type'].includes(name);

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

function differences({ names, from, to }: CopiedCounters): [string, number][] {
  const all = names.map((name): [string, number] => [name, Number(from[name] ?? 0) - Number(to[name] ?? 0)]);
  return all.filter(([, by]) => by !== 0);
}

function addedResponses(copied: CopiedCounters): number {
  if (!copied.ending.startsWith('#')) return 0;
  return differences(copied).reduce((sum, [name, by]) => (isOfRating(name) ? sum + by : sum), 0);
}

/**
 * Copies days whose rows may be deleted. Records of the stream add the same to both generations by then, so the
 * difference of a counter stays constant until it is copied.
 * @param day earlier days are copied
 * @throws RecountEnded when the survey is purged or another recount has begun
 */
export async function copyDays(
  table: Table,
  target: RecountTarget,
  day: string,
  version: number,
): Promise<void> {
  const { projectId, surveyId, generation, counting } = target;
  const pk = resultsPartition(projectId);
  const total = surveyTotalKey(projectId, surveyId);
  const [shown = '', copy = ''] = [counting.generations.shown, generation.number].map((number) =>
    resultPrefixes(surveyId, number)[0]?.slice(0, -1),
  );

  async function read(number: number): Promise<ReadonlyMap<string, Row>> {
    const found = new Map<string, Row>();
    for (const prefix of resultPrefixes(surveyId, number)) {
      for (const row of await table.query({ partition: pk, prefix })) {
        const sk = String(row.sk);
        if (dayOfResult(sk) < day) found.set(sk.slice(prefix.length - 1), row);
      }
    }
    return found;
  }

  const done = new Set<string>();
  const nameOf = (ending: string, name: string): string => `${ending} ${name}`;

  async function listLeft(): Promise<CopiedCounters[][]> {
    const [from, to] = [await read(counting.generations.shown), await read(generation.number)];
    const lists: CopiedCounters[][] = [];
    for (const ending of new Set([...from.keys(), ...to.keys()])) {
      const rows = { from: from.get(ending) ?? {}, to: to.get(ending) ?? {} };
      const names = [...new Set([...Object.keys(rows.from), ...Object.keys(rows.to)])];
      const left = names.filter((name) => isCounter(name) && !done.has(nameOf(ending, name)));
      for (const [index, some] of chunk(left, COUNTERS_AT_ONCE).entries()) {
        const list = lists[index] ?? [];
        lists[index] = [...list, { ending, names: some, ...rows }];
      }
    }
    return lists;
  }

  function writesOf(copied: CopiedCounters): Write[] {
    const { ending, names, from, to } = copied;
    const add = Object.fromEntries(differences(copied));
    const written = { pk, sk: `${copy}${ending}` };
    const when = equalTo(pick(to, names));
    return [
      { check: { pk, sk: `${shown}${ending}` }, when: equalTo(pick(from, names)) },
      Object.keys(add).length === 0
        ? { check: written, when }
        : { update: written, change: { set: { type: 'result' }, add }, when },
    ];
  }

  /** @returns false if a counter changed since it was read */
  async function write(batch: readonly CopiedCounters[]): Promise<boolean> {
    const responses = batch.reduce((sum, each) => sum + addedResponses(each), 0);
    const when = countedBy(version);
    const change = { add: { [answeredAttribute(generation.number)]: responses } };
    const ofTotal: Write = responses === 0 ? { check: total, when } : { update: total, change, when };
    const written = await table.transact([ofTotal, ...batch.flatMap(writesOf)]);
    if (written.done) return true;
    if (!written.failed.has(0)) return false;
    throw await recountEnd(table, target);
  }

  for (let attempt = 1; attempt <= MOST_COPYING_ATTEMPTS; attempt++) {
    const lists = await listLeft();
    if (lists.length === 0) return;
    for (const batch of lists.flatMap((list) => chunk(list, ITEMS_AT_ONCE))) {
      if (!(await write(batch))) continue;
      for (const { ending, names } of batch) for (const name of names) done.add(nameOf(ending, name));
    }
  }
  throw new Error('days kept changing while they were copied');
}
