/** Nothing else adds to totals and results (test/architecture/totals.test.ts). */

import type { Contribution } from '../../domain/results/contribution.ts';
import { all, type Condition, PRESENT } from '../table/expressions.ts';
import {
  answeredAttribute,
  type Key,
  monthAttribute,
  projectTotalKey,
  resultOrder,
  resultsPartition,
  surveyTotalKey,
} from '../table/schema.ts';
import type { Write } from '../table/table.ts';
import { nameCounter } from './result-store.ts';

export interface CountedChange {
  /** Empty for rows of a recount. */
  readonly id: string;
  readonly contributions: readonly Contribution[];
}

interface Counted {
  readonly key: Key;
  /** Without that total, this item is not written. */
  readonly surveyTotal?: string | undefined;
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Results need none: the transaction checks their survey's total. */
  readonly when?: Condition | undefined;
  readonly add: Map<string, number>;
}

/** No version counts as 0. */
export function countedBy(version: number | undefined): Condition {
  if (version === undefined) return PRESENT;
  const same =
    version === 0
      ? { text: 'attribute_not_exists(#generations)' }
      : { text: '#generations.#version = :version', values: { version } };
  return all(PRESENT, same);
}

const toName = ({ pk, sk }: Key): string => `${pk}\0${sk}`;

export class Additions {
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
      const sk = resultOrder(surveyId, of.day, 'segment' in of ? of.segment : undefined, generation);
      const key = { pk: resultsPartition(projectId), sk };
      const item = this.#item(key, { surveyTotal: toName(totalKey), set: { type: 'result' } });
      this.#count(item, nameCounter(of), by);
    }
  }
}

export function addUp(changes: readonly CountedChange[]): Additions {
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

/**
 * @param gone surveys and projects without a total
 * @returns undefined if all of them are gone
 */
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
