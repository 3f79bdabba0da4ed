import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { emulatorClientConfig, startEmbeddedDynamodb } from '../../../local/embedded-dynamodb.ts';
import {
  fileCheckpoint,
  type StreamTailOptions,
  startStreamTail,
  streamBatches,
} from '../../../local/stream/tail.ts';
import { isListening } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { createPlainTable } from '../plain-table.ts';

const keyOf = (record: DynamoDBRecord) => record.dynamodb?.Keys?.pk?.S;

async function streamedTable(endpoint = inject('dynamodbEndpoint')) {
  const tableName = `stream-${randomUUID()}`;
  const client = new DynamoDBClient(emulatorClientConfig(endpoint));
  onTestFinished(() => client.destroy());
  await createPlainTable(client, tableName);
  const put = (pk: string, more: Record<string, AttributeValue> = {}) =>
    client.send(new PutItemCommand({ TableName: tableName, Item: { pk: { S: pk }, ...more } }));
  return { endpoint, tableName, client, put };
}

/** A tail whose handler records its batches. `accept` may throw to refuse a batch. */
function tailOf(
  table: { endpoint: string; tableName: string },
  { accept, ...more }: Partial<StreamTailOptions> & { accept?: (event: DynamoDBStreamEvent) => unknown } = {},
) {
  const events: DynamoDBStreamEvent[] = [];
  const tail = startStreamTail({
    endpoint: table.endpoint,
    tableName: table.tableName,
    functionName: 'tested',
    handler: async (event) => {
      await accept?.(event);
      events.push(event);
    },
    pause: () => pause(1),
    ...more,
  });
  onTestFinished(() => tail.stop());
  const records = () => events.flatMap(({ Records }) => Records);
  return { ...tail, events, records, keys: () => records().map(keyOf) };
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `item-${n}`);

test('delivers inserts, changes and removals in order, as Lambda does', async () => {
  const table = await streamedTable();
  await table.put('a', {
    n: { N: '1' },
    bytes: { B: new Uint8Array([1, 2, 255]) },
    deep: { M: { l: { L: [{ BOOL: true }, { NULL: true }] } } },
  });
  await table.put('a', { ids: { SS: ['x', 'y'] } });
  await table.client.send(new DeleteItemCommand({ TableName: table.tableName, Key: { pk: { S: 'a' } } }));
  const tail = tailOf(table);
  await until(() => tail.records().length === 3);

  const [insert, modify, remove] = tail.records();
  expect(insert).toMatchObject({
    eventName: 'INSERT',
    eventSource: 'aws:dynamodb',
    eventSourceARN: expect.stringContaining(table.tableName),
    eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
    dynamodb: {
      Keys: { pk: { S: 'a' } },
      NewImage: {
        n: { N: '1' },
        bytes: { B: 'AQL/' },
        deep: { M: { l: { L: [{ BOOL: true }, { NULL: true }] } } },
      },
      ApproximateCreationDateTime: expect.any(Number),
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  });
  expect(insert?.dynamodb).not.toHaveProperty('OldImage');
  expect(modify).toMatchObject({
    eventName: 'MODIFY',
    dynamodb: { OldImage: { n: { N: '1' } }, NewImage: { ids: { SS: ['x', 'y'] } } },
  });
  expect(remove).toMatchObject({ eventName: 'REMOVE', dynamodb: { OldImage: { pk: { S: 'a' } } } });
  expect(remove?.dynamodb).not.toHaveProperty('NewImage');
  expect(JSON.parse(JSON.stringify(tail.events))).toEqual(tail.events);
});

test('delivers what is written while it runs', async () => {
  const table = await streamedTable();
  const tail = tailOf(table);
  for (const pk of names(5)) {
    await table.put(pk);
    await until(() => tail.keys().includes(pk));
  }
  expect(tail.keys()).toEqual(names(5));
});

test('delivers several pages completely, in batches of at most 100', async () => {
  const table = await streamedTable();
  const all = names(1_250);
  for (let i = 0; i < all.length; i += 25) {
    const puts = all.slice(i, i + 25).map((pk) => ({ PutRequest: { Item: { pk: { S: pk } } } }));
    await table.client.send(new BatchWriteItemCommand({ RequestItems: { [table.tableName]: puts } }));
  }
  const tail = tailOf(table);
  await until(() => tail.records().length >= all.length);
  expect(tail.keys()).toEqual(all);
  expect(Math.max(...tail.events.map(({ Records }) => Records.length))).toBe(100);
  expect(new Set(tail.records().map(({ eventID }) => eventID)).size).toBe(all.length);
});

test('retries a failed batch unchanged, before any later one', async () => {
  const table = await streamedTable();
  for (const pk of names(150)) await table.put(pk);
  const attempts: string[] = [];
  const onFailure = vi.fn();
  const tail = tailOf(table, {
    onFailure,
    accept: (event) => {
      attempts.push(JSON.stringify(event));
      if (attempts.length <= 3) throw new Error('not yet');
    },
  });
  await until(() => tail.records().length >= 150);
  expect(new Set(attempts.slice(0, 4)).size).toBe(1);
  expect(attempts).toHaveLength(5);
  expect(tail.keys()).toEqual(names(150));
  expect(onFailure).toHaveBeenCalledTimes(3);
});

test('continues at its checkpoint, and does not skip an unhandled batch', async () => {
  const table = await streamedTable();
  const file = join(temporaryFolder(), 'stream.json');
  await table.put('handled');
  const first = tailOf(table, { checkpoint: fileCheckpoint(file) });
  await until(() => first.keys().length === 1);
  await first.stop();
  await table.put('written while stopped');

  const refusing = vi.fn(() => {
    throw new Error('refused');
  });
  const second = tailOf(table, { checkpoint: fileCheckpoint(file), accept: refusing });
  await until(() => refusing.mock.calls.length > 0);
  await second.stop();

  const third = tailOf(table, { checkpoint: fileCheckpoint(file) });
  await until(() => third.keys().length > 0);
  expect(third.keys()).toEqual(['written while stopped']);
});

test('delivers the same batch again if the process ended during it', async () => {
  const table = await streamedTable();
  const checkpoint = fileCheckpoint(join(temporaryFolder(), 'stream.json'));
  for (const pk of names(3)) await table.put(pk);
  let attempted = '';
  const refusing = tailOf(table, {
    checkpoint,
    accept: (event) => {
      attempted = JSON.stringify(event);
      throw new Error('killed before it could say that it was done');
    },
  });
  await until(() => attempted !== '');
  await refusing.stop();
  for (const pk of ['later', 'latest']) await table.put(pk);

  const tail = tailOf(table, { checkpoint });
  await until(() => tail.records().length >= 5);
  expect(JSON.stringify(tail.events[0])).toBe(attempted);
  expect(tail.keys()).toEqual([...names(3), 'later', 'latest']);
});

test('handles pending records and saves its position when it stops', async () => {
  const table = await streamedTable();
  const checkpoint = fileCheckpoint(join(temporaryFolder(), 'stream.json'));
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const tail = tailOf(table, {
    checkpoint,
    accept: async () => {
      enter();
      await released;
    },
  });
  await table.put('under way');
  await entered;
  await table.put('written meanwhile');
  const stopped = tail.stop();
  expect(checkpoint.load()?.sequenceNumber).toBeUndefined();
  release();
  await stopped;
  expect(tail.keys()).toEqual(['under way', 'written meanwhile']);
  expect(checkpoint.load()).toMatchObject({ sequenceNumber: '2' });
});

test('reports the last handled record, and when there are no new ones', async () => {
  const table = await streamedTable();
  const checkpoint = fileCheckpoint(join(temporaryFolder(), 'stream.json'));
  const told: [string, boolean][] = [];
  const onHandled = (...handled: [string, boolean]) => void told.push(handled);
  const tail = tailOf(table, { checkpoint, onHandled });
  for (const pk of names(3)) await table.put(pk);
  await until(() => told.some(([sequenceNumber, isResting]) => sequenceNumber === '3' && isResting));
  expect(told.find(([sequenceNumber]) => sequenceNumber === '3')).toEqual(['3', false]);
  await tail.stop();

  told.length = 0;
  const next = tailOf(table, { checkpoint, onHandled });
  await next.stop();
  expect(told.at(-1)).toEqual(['3', true]);
});

test('loses and repeats nothing when the emulator restarts', async () => {
  const dataFolder = temporaryFolder();
  const checkpoint = fileCheckpoint(join(dataFolder, 'stream.json'));
  const before = await startEmbeddedDynamodb({ dataFolder });
  const table = await streamedTable(before.endpoint);
  await table.put('before');
  const first = tailOf(table, { checkpoint });
  await until(() => first.keys().length === 1);
  await first.stop();
  await table.put('unseen');
  await before.stop();

  const after = await startEmbeddedDynamodb({ dataFolder });
  onTestFinished(() => after.stop());
  const client = new DynamoDBClient(emulatorClientConfig(after.endpoint));
  await client.send(new PutItemCommand({ TableName: table.tableName, Item: { pk: { S: 'after' } } }));
  client.destroy();
  const second = tailOf({ ...table, endpoint: after.endpoint }, { checkpoint });
  await until(() => second.keys().length >= 2);
  expect(second.keys()).toEqual(['unseen', 'after']);
});

test('delivers every acknowledged write after a SIGKILL, which also ends the emulator', async () => {
  const dataFolder = temporaryFolder();
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./stream-child.ts', import.meta.url)), dataFolder],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const seenFile = join(dataFolder, 'seen');
  const acknowledged: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(line);
    if (acknowledged.length >= 100 && existsSync(seenFile)) child.kill('SIGKILL');
  }
  const endpoint = acknowledged.shift() ?? '';
  await until(async () => !(await isListening(endpoint)));
  const seen = readFileSync(seenFile, 'utf8').trim().split('\n');

  const dynamodb = await startEmbeddedDynamodb({ dataFolder });
  onTestFinished(() => dynamodb.stop());
  const checkpoint = fileCheckpoint(join(dataFolder, 'stream.json'));
  const tail = tailOf({ endpoint: dynamodb.endpoint, tableName: 'items' }, { checkpoint });
  const missing = () => acknowledged.filter((key) => !seen.includes(key) && !tail.keys().includes(key));
  await until(() => missing().length === 0);
  expect(tail.keys()).not.toContain('0');
});

test('retries an emulator that does not respond', async () => {
  const dataFolder = temporaryFolder();
  const dynamodb = await startEmbeddedDynamodb({ dataFolder });
  const table = await streamedTable(dynamodb.endpoint);
  await dynamodb.stop();
  const onFailure = vi.fn();
  const tail = tailOf(table, { onFailure });
  await until(() => onFailure.mock.calls.length > 1);
  await tail.stop();
  expect(tail.events).toEqual([]);
});

test('starts from the beginning if the checkpoint belongs to another stream', async () => {
  const table = await streamedTable();
  await table.put('a');
  const checkpoint = fileCheckpoint(join(temporaryFolder(), 'stream.json'));
  checkpoint.save({ streamArn: 'arn:of:another', shardId: 'shardId-1', sequenceNumber: '99' });
  const tail = tailOf(table, { checkpoint });
  await until(() => tail.keys().length === 1);
});

test.each(['', '{', '{"streamArn":"a"}'])('refuses a checkpoint file that contains %j', async (content) => {
  const file = join(temporaryFolder(), 'stream.json');
  writeFileSync(file, content);
  const start = () =>
    tailOf({ endpoint: inject('dynamodbEndpoint'), tableName: 'none' }, { checkpoint: fileCheckpoint(file) });
  expect(start).toThrow(
    expect.objectContaining({ code: 'checkpoint_unusable', message: expect.stringContaining(file) }),
  );
  expect(readFileSync(file, 'utf8')).toBe(content);
});

const records = (count: number, text = ''): DynamoDBRecord[] =>
  Array.from({ length: count }, (_, n) => ({
    eventID: String(n),
    dynamodb: { NewImage: { text: { S: text } } },
  }));

test.each([
  [0, []],
  [1, [1]],
  [100, [100]],
  [201, [100, 100, 1]],
])('cuts %i small records into batches of %j', (count, sizes) => {
  expect([...streamBatches(records(count))].map((batch) => batch.length)).toEqual(sizes);
});

test('keeps batches below Lambda’s payload quota and in order', () => {
  const all = records(30, 'x'.repeat(390_000));
  const batches = [...streamBatches(all)];
  expect(batches.flat()).toEqual(all);
  for (const batch of batches)
    expect(JSON.stringify({ Records: batch }).length).toBeLessThan(6 * 1024 * 1024);
  expect(batches.length).toBe(3);
});
