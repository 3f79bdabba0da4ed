/** Deleting rows by their keys, in batches. */

import { setTimeout } from 'node:timers/promises';
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { untilDeadline } from './deadline.ts';
import { inFlight } from './in-flight.ts';
import type { Key } from './schema.ts';

/** DynamoDB quota: requests of one BatchWriteItem. */
const KEYS_PER_BATCH = 25;
const BATCHES_IN_FLIGHT = 4;
const MOST_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 25;

/** Waits before an attempt, counted from 1. */
type Pause = (attempt: number) => Promise<unknown>;

const jittered: Pause = (attempt) =>
  untilDeadline(() => setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** attempt));

/** Named as the SDK names it, so that whoever retries throttling retries this. */
function throttled(): Error {
  return Object.assign(new Error('BatchWriteItem left items unprocessed'), { name: 'ThrottlingException' });
}

/**
 * Deletes the rows at these keys, whether or not they are there. Keys must differ from one another.
 * @throws Error `ThrottlingException` when some stay unprocessed after eight attempts
 */
export async function deleteItems(
  client: DynamoDBDocumentClient,
  tableName: string,
  keys: readonly Key[],
  pause: Pause = jittered,
): Promise<void> {
  async function deleteBatch(batch: readonly Key[]): Promise<void> {
    let requests = batch.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      if (attempt > 0) await pause(attempt);
      const output = await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
      requests = (output.UnprocessedItems?.[tableName] ?? []).flatMap(({ DeleteRequest }) => {
        const { pk, sk } = DeleteRequest?.Key ?? {};
        return [{ DeleteRequest: { Key: { pk, sk } } }];
      });
      if (requests.length === 0) return;
    }
    throw throttled();
  }

  const batches: Key[][] = [];
  for (let start = 0; start < keys.length; start += KEYS_PER_BATCH) {
    batches.push(keys.slice(start, start + KEYS_PER_BATCH));
  }
  await inFlight(batches, BATCHES_IN_FLIGHT, deleteBatch);
}
