/**
 * Each record has a note in its transaction, so a repeated record counts once (decision 80). A purge deletes a survey's
 * total first, and nothing is counted for a survey without a total.
 */

import { DAY, SECOND } from '../../domain/duration.ts';
import type { Contribution } from '../../domain/results/contribution.ts';
import { ABSENT, all, type Condition, PRESENT } from '../table/expressions.ts';
import {
  answeredAttribute,
  countedRecordKey,
  type Key,
  monthAttribute,
  projectTotalKey,
  resultOrder,
  resultsPartition,
  surveyTotalKey,
  TABLE,
} from '../table/schema.ts';
import { ITEMS_PER_TRANSACTION, type StoreDependencies, type Write } from '../table/table.ts';
import { isRefusedForItem, isUnwritable } from '../table/unavailable.ts';
import { itemOf, nameCounter } from './result-store.ts';

export interface CountedChange {
  /** Empty for rows that a recount counts. */
  readonly id: string;
  readonly contributions: readonly Contribution[];
}

interface Counted {
  readonly key: Key;
  /** The item is written only if this total exists. */
  readonly surveyTotal?: string | undefined;
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** For results, the transaction checks their survey's total instead. */
  readonly when?: Condition | undefined;
  readonly add: Map<string, number>;
}

/** A missing version counts as 0. */
export function countedBy(version: number | undefined): Condition {
  if (version === undefined) return PRESENT;
  const same =
    version === 0
      ? { text: 'attribute_not_exists(#generations)' }
      : { text: '#generations.#version = :version', values: { version } };
  return all(PRESENT, same);
}

const toName = ({ pk, sk }: Key): string => `${pk}\0${sk}`;

class Additions {
  readonly items = new Map<string, Counted>();

  #item(key: Key, more: Omit<Counted, 'key' | 'add'>): Counted {
    const name = toName(key);
    const item = this.items.get(name) ?? { key, ...more, add: new Map<string, number>() };
    this.items.set(name, item);
    return item;
  }

  #count(item: Counted, attribute: string, by: number): void {
    item.add.set(attribute, (item.add.get(attribute) ?? 0) + by);
  }

  add({ projectId, surveyId, version, accepted, generation, answered, results }: Contribution): void {
    const totalKey = surveyTotalKey(projectId, surveyId);
    const total = this.#item(totalKey, { when: countedBy(version) });
    if (accepted !== undefined) {
      this.#count(total, 'responses', 1);
      const project = this.#item(projectTotalKey(projectId), { when: PRESENT });
      this.#count(project, monthAttribute(accepted), 1);
    }
    this.#count(total, answeredAttribute(generation), answered);
    for (const { of, by } of results) {
      const sk = resultOrder(surveyId, of.day, itemOf(of), generation);
      const key = { pk: resultsPartition(projectId), sk };
      const item = this.#item(key, { surveyTotal: toName(totalKey), set: { type: 'result' } });
      this.#count(item, nameCounter(of), by);
    }
  }
}

function addUp(changes: readonly CountedChange[]): Additions {
  const additions = new Additions();
  for (const { contributions } of changes)
    for (const contribution of contributions) additions.add(contribution);
  return additions;
}

const toChange = ({ add }: Counted): Record<string, number> =>
  Object.fromEntries([...add].filter(([, by]) => by !== 0));

interface NamedWrite {
  readonly name: string;
  readonly key: Key;
  readonly write: Write;
}

export function listWrites(
  changes: readonly CountedChange[],
  gone: ReadonlySet<string>,
): NamedWrite[] | undefined {
  const items = [...addUp(changes).items].filter(
    ([name, { surveyTotal }]) => !gone.has(name) && (surveyTotal === undefined || !gone.has(surveyTotal)),
  );
  if (items.length === 0) return undefined;
  const isAdded = ([, item]: (typeof items)[number]) => Object.keys(toChange(item)).length > 0;
  const guards = new Set(items.filter(isAdded).map(([, { surveyTotal }]) => surveyTotal));
  return items.flatMap(([name, item]): NamedWrite[] => {
    const { key, set, when } = item;
    const add = toChange(item);
    if (Object.keys(add).length === 0) {
      return guards.has(name) && when !== undefined ? [{ name, key, write: { check: key, when } }] : [];
    }
    return [{ name, key, write: { update: key, change: { set, add }, ...(when && { when }) } }];
  });
}

/** A stream keeps its records for a day. */
const NOTE_LIFETIME_MS = 2 * DAY;

export interface Uncountable {
  readonly projectId: string | undefined;
  readonly records: number;
  readonly lost: 'totals' | 'results';
  readonly error: unknown;
}

const bySurvey = (changes: readonly CountedChange[]): readonly CountedChange[][] => [
  ...Map.groupBy(changes, ({ contributions: [of] }) => `${of?.projectId} ${of?.surveyId}`).values(),
];

function* batchesOf(changes: readonly CountedChange[]): Generator<CountedChange[]> {
  const sorted = bySurvey(changes).flat();
  let batch: CountedChange[] = [];
  let additions = new Additions();
  for (const change of sorted) {
    const own = [...addUp([change]).items.keys()];
    const fresh = own.filter((name) => !additions.items.has(name)).length;
    if (batch.length + 1 + additions.items.size + fresh > ITEMS_PER_TRANSACTION) {
      yield batch;
      batch = [];
      additions = new Additions();
    }
    batch.push(change);
    for (const contribution of change.contributions) additions.add(contribution);
  }
  if (batch.length > 0) yield batch;
}

const withoutResults = (change: CountedChange): CountedChange => ({
  ...change,
  contributions: change.contributions.map((contribution) => ({ ...contribution, answered: 0, results: [] })),
});

export function createCountStore({ table, clock }: Pick<StoreDependencies, 'table' | 'clock'>) {
  const note = ({ id }: CountedChange): Write => ({
    put: {
      ...countedRecordKey(id),
      type: 'counted-record',
      [TABLE.timeToLive]: Math.floor((clock() + NOTE_LIFETIME_MS) / SECOND),
    },
    when: ABSENT,
  });

  /** @returns records that were not counted */
  async function countBatch(
    batch: readonly CountedChange[],
    gone: Set<string>,
  ): Promise<readonly CountedChange[]> {
    for (let left = batch; left.length > 0; ) {
      const writes = listWrites(left, gone);
      if (writes === undefined) return [];
      const notes = left.map(note);
      const written = await table.transact([...notes, ...writes.map(({ write }) => write)]);
      if (written.done) return [];
      const refused = writes.filter((_, index) => written.failed.has(notes.length + index));
      for (const { name, key } of refused) {
        if ((await table.get(key)) === undefined) gone.add(name);
        else return left;
      }
      left = left.filter((_, index) => !written.failed.has(index));
    }
    return [];
  }

  /** Quotas and maxima depend on totals, so totals are written even if results cannot be. */
  async function countSurvey(
    batch: readonly CountedChange[],
    gone: Set<string>,
    onUncountable: (lost: Uncountable) => void,
  ): Promise<readonly CountedChange[]> {
    const report = (lost: Uncountable['lost'], error: unknown) =>
      onUncountable({ projectId: batch[0]?.contributions[0]?.projectId, records: batch.length, lost, error });
    try {
      return await countBatch(batch, gone);
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      try {
        const left = await countBatch(batch.map(withoutResults), gone);
        report('results', error);
        return left;
      } catch (again) {
        // A fault of the request itself would affect every survey, so no survey is given up.
        if (!isRefusedForItem(again)) throw again;
        report('totals', again);
        return [];
      }
    }
  }

  return {
    /**
     * @param onUncountable called with records that the table refuses permanently
     * @returns records that were not counted, because their survey's generations have changed
     * @throws if the table does not answer; repeating the call counts only what was not counted
     */
    async count(
      changes: readonly CountedChange[],
      onUncountable: (lost: Uncountable) => void,
    ): Promise<readonly CountedChange[]> {
      const gone = new Set<string>();
      const left: CountedChange[] = [];
      for (const batch of batchesOf(changes)) {
        try {
          left.push(...(await countBatch(batch, gone)));
        } catch (error) {
          if (!isUnwritable(error)) throw error;
          // One survey can cause a transaction of several to fail, so each survey is then counted separately.
          for (const own of bySurvey(batch)) left.push(...(await countSurvey(own, gone, onUncountable)));
        }
      }
      return left;
    },
  };
}
