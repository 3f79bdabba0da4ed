/**
 * Carrying shows over to a new generation of results: no row tells them. What comes from the stream meanwhile is added to
 * both generations in one transaction, so once a day's figure is copied they stay equal.
 */

import { equalTo } from '../table/expressions.ts';
import { chunk } from '../table/retry.ts';
import type { Row } from '../table/row.ts';
import {
  dayOfResult,
  resultOrder,
  resultPrefixes,
  resultsPartition,
  surveyTotalKey,
} from '../table/schema.ts';
import { ITEMS_PER_TRANSACTION, type Table, type Write } from '../table/table.ts';
import { countedBy } from './additions.ts';
import { RecountEnded, type RecountTarget } from './row-count.ts';

/** Of days on which a survey is shown again and again meanwhile. */
const MOST_ATTEMPTS = 20;
/** Each is looked at and written, beside the survey's total. */
const DAYS_AT_ONCE = ITEMS_PER_TRANSACTION / 2 - 1;

export async function copyShows(table: Table, target: RecountTarget): Promise<void> {
  const { projectId, surveyId, generation, counting } = target;
  const partition = resultsPartition(projectId);
  const [prefix] = resultPrefixes(surveyId, counting.generations.shown);

  function writesOf({ sk, shows }: Row): Write[] {
    const copy = resultOrder(surveyId, dayOfResult(String(sk)), undefined, generation.number);
    return [
      { check: { pk: partition, sk: String(sk) }, when: equalTo({ shows }) },
      { update: { pk: partition, sk: copy }, change: { set: { type: 'result', shows } } },
    ];
  }

  async function copyDays(rows: readonly Row[]): Promise<boolean> {
    const total = surveyTotalKey(projectId, surveyId);
    const when = countedBy(counting.generations.version);
    const written = await table.transact([{ check: total, when }, ...rows.flatMap(writesOf)]);
    if (written.done) return true;
    if (!written.failed.has(0)) return false;
    throw new RecountEnded((await table.get(total)) === undefined ? 'purged' : 'overtaken');
  }

  const copied = new Set<unknown>();
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const rows = await table.query({ partition, prefix });
    const left = rows.filter(({ sk, shows }) => shows !== undefined && !copied.has(sk));
    if (left.length === 0) return;
    for (const part of chunk(left, DAYS_AT_ONCE)) {
      if (await copyDays(part)) for (const { sk } of part) copied.add(sk);
    }
  }
  throw new Error('shows changed whenever they were copied');
}
