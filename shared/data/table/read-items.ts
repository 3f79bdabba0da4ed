/** Rows by their keys, strongly consistent. */

import { setTimeout } from 'node:timers/promises';
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { untilDeadline } from './deadline.ts';
import type { Item } from './item.ts';
import { type Key, TABLE } from './schema.ts';

/** DynamoDB quota: keys of one BatchGetItem. */
const KEYS_PER_BATCH = 100;
const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 20;

/** Waits before an attempt, counted from 1. */
type Pause = (attempt: number) => Promise<unknown>;

const jittered: Pause = (attempt) =>
  untilDeadline(() => setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** attempt));

/** Named as the SDK names it, so that it is answered as a dependency's bad minute. */
function throttled(): Error {
  return Object.assign(new Error('BatchGetItem left keys unprocessed'), { name: 'ThrottlingException' });
}

async function readBatch(
  client: DynamoDBDocumentClient,
  tableName: string,
  keys: readonly Key[],
  pause: Pause,
): Promise<Item[]> {
  const items: Item[] = [];
  let request = { [tableName]: { Keys: keys.map((key) => ({ ...key })), ConsistentRead: true } };
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    // A batch beyond 16 MB comes in parts too; those need no pause, but telling the two apart gains nothing.
    if (attempt > 0) await pause(attempt);
    const output = await client.send(new BatchGetCommand({ RequestItems: request }));
    items.push(...(output.Responses?.[tableName] ?? []));
    const left = output.UnprocessedKeys?.[tableName]?.Keys ?? [];
    if (left.length === 0) return items;
    request = {
      [tableName]: {
        Keys: left.map((key) => ({ pk: key[TABLE.partitionKey], sk: key[TABLE.sortKey] })),
        ConsistentRead: true,
      },
    };
  }
  throw throttled();
}

/**
 * The rows at these keys, in the keys' order; undefined where there is none. Keys must differ from one another.
 * @throws Error `ThrottlingException` when some stay unread after five attempts
 */
export async function readItems(
  client: DynamoDBDocumentClient,
  tableName: string,
  keys: readonly Key[],
  pause: Pause = jittered,
): Promise<(Item | undefined)[]> {
  const batches: Key[][] = [];
  for (let start = 0; start < keys.length; start += KEYS_PER_BATCH) {
    batches.push(keys.slice(start, start + KEYS_PER_BATCH));
  }
  const rows = await Promise.all(batches.map((batch) => readBatch(client, tableName, batch, pause)));
  const nameOf = ({ pk, sk }: Key) => `${pk}\0${sk}`;
  const byName = new Map(
    rows.flat().map((item) => [nameOf({ pk: item[TABLE.partitionKey], sk: item[TABLE.sortKey] }), item]),
  );
  return keys.map((key) => byName.get(nameOf(key)));
}
