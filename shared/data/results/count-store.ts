/**
 * Counting what the table's stream tells, into totals and results. Whole records in one transaction, each with a note of
 * its own, so that one that is delivered again counts once, however late and in whatever batch
 * (docs/decisions/0080-counting.md). Only what belongs to a survey that has its total is counted: a purge deletes that
 * first, so results of a purged survey stay gone.
 */

import type { Contribution } from '../../domain/contribution.ts';
import { DAY, SECOND } from '../../domain/duration.ts';
import { ABSENT, PRESENT } from '../table/expressions.ts';
import {
  countedRecordKey,
  type Key,
  monthAttribute,
  projectTotalKey,
  resultOrder,
  resultsPartition,
  surveyTotalKey,
  TABLE,
} from '../table/schema.ts';
import { ITEMS_PER_TRANSACTION, type Table, type Write } from '../table/table.ts';
import { isUnwritable } from '../table/unwritable.ts';
import { nameCounter } from './result-item.ts';

/** A stream keeps its records for a day; nothing is delivered again after that. */
const NOTE_LIFETIME_MS = 2 * DAY;

/** What one record of the stream adds. */
export interface CountedChange {
  /** The record's own. */
  readonly id: string;
  readonly contributions: readonly Contribution[];
}

export interface CountStore {
  /**
   * Counts each record once.
   * @param onResultsLost told when results could not be counted, but the totals beside them were
   * @throws when the table does not answer; a part may have been counted, and repeating the call counts only the rest
   */
  count(changes: readonly CountedChange[], onResultsLost: (error: unknown) => void): Promise<void>;
}

/** An item that is counted up, and the survey without whose total it is not. */
interface Counted {
  readonly key: Key;
  readonly surveyTotal: string | undefined;
  readonly set: Readonly<Record<string, string>>;
  readonly add: Map<string, number>;
}

const toName = ({ pk, sk }: Key): string => `${pk}\0${sk}`;

/** The items that changes add to, each once. */
class Additions {
  readonly items = new Map<string, Counted>();

  #item(key: Key, surveyTotal?: Key, set: Readonly<Record<string, string>> = {}): Counted {
    const name = toName(key);
    const item = this.items.get(name) ?? {
      key,
      surveyTotal: surveyTotal && toName(surveyTotal),
      set,
      add: new Map<string, number>(),
    };
    this.items.set(name, item);
    return item;
  }

  #count(item: Counted, attribute: string, by: number): void {
    item.add.set(attribute, (item.add.get(attribute) ?? 0) + by);
  }

  add({ projectId, surveyId, accepted, answered, results }: Contribution): void {
    const totalKey = surveyTotalKey(projectId, surveyId);
    const total = this.#item(totalKey);
    if (accepted !== undefined) {
      this.#count(total, 'responses', 1);
      this.#count(this.#item(projectTotalKey(projectId)), monthAttribute(accepted), 1);
    }
    this.#count(total, 'answered', answered);
    for (const { of, by } of results) {
      const sk = resultOrder(surveyId, of.day, 'segment' in of ? of.segment : undefined);
      const key = { pk: resultsPartition(projectId), sk };
      this.#count(this.#item(key, totalKey, { type: 'result' }), nameCounter(of), by);
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
  readonly write: Write;
}

/**
 * Updates, and a check of each survey's total that guards results and is not itself added to.
 * @param gone what has no total any more
 * @returns undefined when all of it is gone
 */
function listWrites(changes: readonly CountedChange[], gone: ReadonlySet<string>): NamedWrite[] | undefined {
  const items = [...addUp(changes).items].filter(
    ([name, { surveyTotal }]) => !gone.has(name) && (surveyTotal === undefined || !gone.has(surveyTotal)),
  );
  if (items.length === 0) return undefined;
  const isAdded = ([, item]: (typeof items)[number]) => Object.keys(toChange(item)).length > 0;
  const guards = new Set(items.filter(isAdded).map(([, { surveyTotal }]) => surveyTotal));
  return items.flatMap(([name, item]): NamedWrite[] => {
    const { key, set, surveyTotal } = item;
    const add = toChange(item);
    if (Object.keys(add).length === 0) {
      return guards.has(name) ? [{ name, write: { check: key, when: PRESENT } }] : [];
    }
    // Results need no condition of their own: their survey's total is in the same transaction.
    const when = surveyTotal === undefined ? { when: PRESENT } : {};
    return [{ name, write: { update: key, change: { set, add }, ...when } }];
  });
}

/** As many records as fit a transaction with their notes and what they add to, those of one survey together. */
function* cut(changes: readonly CountedChange[]): Generator<CountedChange[]> {
  const nameSurvey = ({ contributions: [first] }: CountedChange) => `${first?.projectId} ${first?.surveyId}`;
  const sorted = changes.toSorted((a, b) => (nameSurvey(a) < nameSurvey(b) ? -1 : 1));
  let part: CountedChange[] = [];
  let additions = new Additions();
  for (const change of sorted) {
    const own = [...addUp([change]).items.keys()];
    const fresh = own.filter((name) => !additions.items.has(name)).length;
    if (part.length + 1 + additions.items.size + fresh > ITEMS_PER_TRANSACTION) {
      yield part;
      part = [];
      additions = new Additions();
    }
    part.push(change);
    for (const contribution of change.contributions) additions.add(contribution);
  }
  if (part.length > 0) yield part;
}

const withoutResults = (change: CountedChange): CountedChange => ({
  ...change,
  contributions: change.contributions.map((contribution) => ({ ...contribution, answered: 0, results: [] })),
});

interface CountStoreParts {
  readonly table: Table;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export function createCountStore({ table, clock }: CountStoreParts): CountStore {
  const note = ({ id }: CountedChange): Write => ({
    put: {
      ...countedRecordKey(id),
      type: 'counted-record',
      [TABLE.timeToLive]: Math.floor((clock() + NOTE_LIFETIME_MS) / SECOND),
    },
    when: ABSENT,
  });

  /** @param gone grows by what turns out to have no total */
  async function countPart(part: readonly CountedChange[], gone: Set<string>): Promise<void> {
    for (let left = part; left.length > 0; ) {
      const writes = listWrites(left, gone);
      if (writes === undefined) return;
      const notes = left.map(note);
      const written = await table.transact([...notes, ...writes.map(({ write }) => write)]);
      if (written.done) return;
      for (const [index, { name }] of writes.entries()) {
        if (written.failed.has(notes.length + index)) gone.add(name);
      }
      left = left.filter((_, index) => !written.failed.has(index));
    }
  }

  return {
    async count(changes, onResultsLost) {
      const gone = new Set<string>();
      for (const part of cut(changes)) {
        try {
          await countPart(part, gone);
        } catch (error) {
          if (!isUnwritable(error)) throw error;
          // The totals, which quota and maximum depend on, do not wait for results that cannot be written.
          await countPart(part.map(withoutResults), gone);
          onResultsLost(error);
        }
      }
    },
  };
}
