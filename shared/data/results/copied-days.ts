/**
 * Copies days whose rows may be deleted to the new generation of a recount. Records of the stream add the same to both
 * generations by then (`copyGeneration`), so the difference of a counter stays constant until it is copied.
 */

import { equalTo } from '../table/expressions.ts';
import { chunk } from '../table/retry.ts';
import type { Row } from '../table/row.ts';
import {
  answeredAttribute,
  dayOfResult,
  resultPrefixes,
  resultsPartition,
  surveyTotalKey,
} from '../table/schema.ts';
import { ITEMS_PER_TRANSACTION, type Table, type Write } from '../table/table.ts';
import { countedBy } from './additions.ts';
import { isOfRating } from './result-store.ts';
import { RecountEnded, type RecountTarget } from './row-count.ts';

const MOST_ATTEMPTS = 20;
/** A condition has at most 300 operators (AWS: quotas of DynamoDB, expression parameters). */
const COUNTERS_AT_ONCE = 100;
/** A check in one generation and a write in the other, beside the survey's total. */
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
 * @param day earlier days are copied
 * @throws RecountEnded when the survey is purged or another recount has begun
 */
export async function copyDays(
  table: Table,
  { projectId, surveyId, generation, counting }: RecountTarget,
  day: string,
  version: number,
): Promise<void> {
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

  /** Each list contains an item at most once. */
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
  async function write(part: readonly CopiedCounters[]): Promise<boolean> {
    const responses = part.reduce((sum, each) => sum + addedResponses(each), 0);
    const when = countedBy(version);
    const change = { add: { [answeredAttribute(generation.number)]: responses } };
    const ofTotal: Write = responses === 0 ? { check: total, when } : { update: total, change, when };
    const written = await table.transact([ofTotal, ...part.flatMap(writesOf)]);
    if (written.done) return true;
    if (!written.failed.has(0)) return false;
    throw new RecountEnded((await table.get(total)) === undefined ? 'purged' : 'overtaken');
  }

  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const lists = await listLeft();
    if (lists.length === 0) return;
    for (const part of lists.flatMap((list) => chunk(list, ITEMS_AT_ONCE))) {
      if (!(await write(part))) continue;
      for (const { ending, names } of part) for (const name of names) done.add(nameOf(ending, name));
    }
  }
  throw new Error('days kept changing while they were copied');
}
