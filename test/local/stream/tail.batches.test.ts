import type { DynamoDBRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { streamBatches } from '../../../local/stream/tail.ts';

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
])('%i small records make batches of %j', (count, sizes) => {
  expect([...streamBatches(records(count))].map((batch) => batch.length)).toEqual(sizes);
});

test('batches stay below Lambda’s payload quota and keep the order', () => {
  const all = records(30, 'x'.repeat(390_000));
  const batches = [...streamBatches(all)];
  expect(batches.flat()).toEqual(all);
  for (const batch of batches)
    expect(JSON.stringify({ Records: batch }).length).toBeLessThan(6 * 1024 * 1024);
  expect(batches.length).toBe(3);
});
