/**
 * Totals of accepted responses. They are counted from the table's stream: one transaction for up to 99 totals, which
 * also notes the batch, so that one delivered again counts once however late that is. (DynamoDB's own request tokens are
 * forgotten after ten minutes, and by an embedded one when it ends.)
 * Only totals that exist are counted: a purged project or survey stays gone.
 */

import { createHash } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { DAY, SECOND } from '../../domain/duration.ts';
import type { Increment } from '../../domain/tally.ts';
import { countedBatchKey, monthAttribute, projectTotalKey, surveyTotalKey, TABLE } from '../table/schema.ts';

/** A transaction takes 100 items (DynamoDB quota): the note of the batch, and these. */
const TOTALS_AT_ONCE = 99;

/** A stream keeps its records for a day; nothing is delivered again after that. */
const NOTE_LIFETIME_MS = 2 * DAY;

/** Two transactions that meet on one total: one of them is cancelled and tries again. */
const MOST_CONFLICTS = 8;
const CONFLICT_PAUSE_MS = 25;

export interface TotalsStore {
  /**
   * Adds increments; the same `batchId` with the same increments counts once.
   * @throws when the table does not answer, or when conflicts do not end; a part may have been counted, and repeating
   * the call counts only the rest
   */
  add(increments: readonly Increment[], batchId: string): Promise<void>;
}

interface TotalsOptions {
  readonly tableName: string;
  /** Waits so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** From 0 to 1. */
  readonly jitter: () => number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

function partId(batchId: string, part: readonly Increment[]): string {
  return createHash('sha256').update(batchId).update(JSON.stringify(part)).digest('hex').slice(0, 32);
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

export function createTotalsStore(
  client: DynamoDBDocumentClient,
  { tableName, pause, jitter, clock }: TotalsOptions,
): TotalsStore {
  function updateOf(increment: Increment) {
    const { projectId } = increment;
    const isSurvey = 'surveyId' in increment;
    const counts = isSurvey
      ? [['responses', increment.by] as const]
      : Object.entries(increment.byMonth).map(([month, by]) => [monthAttribute(month), by] as const);
    return {
      Update: {
        TableName: tableName,
        Key: isSurvey ? surveyTotalKey(projectId, increment.surveyId) : projectTotalKey(projectId),
        UpdateExpression: `ADD ${counts.map((_, index) => `#n${index} :n${index}`).join(', ')}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: Object.fromEntries(counts.map(([name], index) => [`#n${index}`, name])),
        ExpressionAttributeValues: Object.fromEntries(counts.map(([, by], index) => [`:n${index}`, by])),
      },
    };
  }

  const noteOf = (batch: string) => ({
    Put: {
      TableName: tableName,
      Item: {
        ...countedBatchKey(batch),
        type: 'counted-batch',
        [TABLE.timeToLive]: Math.floor((clock() + NOTE_LIFETIME_MS) / SECOND),
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  });

  async function attempt(part: readonly Increment[], batchId: string, conflicts = 0): Promise<void> {
    if (part.length === 0) return;
    const batch = partId(batchId, part);
    try {
      await client.send(new TransactWriteCommand({ TransactItems: [noteOf(batch), ...part.map(updateOf)] }));
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const [note, ...reasons] = error.CancellationReasons ?? [];
      if (note?.Code === 'ConditionalCheckFailed') return;
      const existing = part.filter((_, index) => reasons[index]?.Code !== 'ConditionalCheckFailed');
      if (existing.length < part.length) return attempt(existing, batchId, conflicts);
      const isConflict = [note, ...reasons].some((reason) => reason?.Code === 'TransactionConflict');
      if (!isConflict || conflicts >= MOST_CONFLICTS) throw error;
      await pause(CONFLICT_PAUSE_MS * 2 ** conflicts * jitter());
      return attempt(part, batchId, conflicts + 1);
    }
  }

  return {
    async add(increments, batchId) {
      for (const part of chunk(increments, TOTALS_AT_ONCE)) await attempt(part, batchId);
    },
  };
}
