/**
 * Totals of accepted responses. They are counted from the table's stream: one transaction for up to 99 totals, which
 * also notes the batch, so that a batch delivered again counts once, however late. (DynamoDB forgets its own request
 * tokens after ten minutes, and an embedded one when it ends.)
 * Only totals that exist are counted: a purged project or survey stays gone.
 */

import { createHash } from 'node:crypto';
import { DAY, SECOND } from '../../domain/duration.ts';
import type { Increment } from '../../domain/tally.ts';
import { ABSENT, PRESENT } from '../table/expressions.ts';
import { chunk } from '../table/retry.ts';
import { countedBatchKey, monthAttribute, projectTotalKey, surveyTotalKey, TABLE } from '../table/schema.ts';
import { ITEMS_PER_TRANSACTION, type Table, type Write } from '../table/table.ts';

/** A stream keeps its records for a day; nothing is delivered again after that. */
const NOTE_LIFETIME_MS = 2 * DAY;

export interface TotalsStore {
  /**
   * Adds increments; the same `batchId` with the same increments counts once.
   * @throws when the table does not answer; a part may have been counted, and repeating the call counts only the rest
   */
  add(increments: readonly Increment[], batchId: string): Promise<void>;
}

interface TotalsParts {
  readonly table: Table;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

function partId(batchId: string, part: readonly Increment[]): string {
  return createHash('sha256').update(batchId).update(JSON.stringify(part)).digest('hex').slice(0, 32);
}

function addition(increment: Increment): Write {
  const { projectId } = increment;
  if ('surveyId' in increment) {
    const update = surveyTotalKey(projectId, increment.surveyId);
    return { update, change: { add: { responses: increment.by } }, when: PRESENT };
  }
  const months = Object.entries(increment.byMonth).map(([month, by]) => [monthAttribute(month), by]);
  return { update: projectTotalKey(projectId), change: { add: Object.fromEntries(months) }, when: PRESENT };
}

export function createTotalsStore({ table, clock }: TotalsParts): TotalsStore {
  const note = (batch: string): Write => ({
    put: {
      ...countedBatchKey(batch),
      type: 'counted-batch',
      [TABLE.timeToLive]: Math.floor((clock() + NOTE_LIFETIME_MS) / SECOND),
    },
    when: ABSENT,
  });

  async function count(part: readonly Increment[], batchId: string): Promise<void> {
    if (part.length === 0) return;
    const written = await table.transact([note(partId(batchId, part)), ...part.map(addition)]);
    if (written.done || written.failed.has(0)) return;
    // What has no total any more was purged: the rest is counted without it.
    await count(
      part.filter((_, index) => !written.failed.has(index + 1)),
      batchId,
    );
  }

  return {
    async add(increments, batchId) {
      for (const part of chunk(increments, ITEMS_PER_TRANSACTION - 1)) await count(part, batchId);
    },
  };
}
