import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { createIndexReader, type ReadIndex } from '../../../../shared/data/table/index-reader.ts';
import { TABLE } from '../../../../shared/data/table/schema.ts';
import { createTestTable } from '../../../support/service/test-table.ts';

const ORDERS = ['a#1', 'a#2', 'a#3', 'b#1', 'b#2'];
const QUERY = { index: 'byProject', partition: 'P#p#0', limit: 100 } as const;

describe('reading an index partition', () => {
  let read: ReadIndex;
  beforeAll(async () => {
    const { client, tableName } = await createTestTable();
    read = createIndexReader(client, tableName);
    const { partitionKey, sortKey } = TABLE.indexes.byProject;
    for (const order of ORDERS) {
      const Item = { pk: 'row', sk: order, [partitionKey]: QUERY.partition, [sortKey]: order, text: 'long' };
      await client.send(new PutCommand({ TableName: tableName, Item }));
    }
  });
  const ordersOf = async (more: object) =>
    (await read({ ...QUERY, ...more })).entries.map(({ order }) => order);

  it('returns keys in order, and whether there may be more', async () => {
    const first = await read({ ...QUERY, limit: 2 });
    expect(first).toEqual({
      entries: [
        { key: { pk: 'row', sk: 'a#1' }, order: 'a#1' },
        { key: { pk: 'row', sk: 'a#2' }, order: 'a#2' },
      ],
      more: true,
    });
    expect((await read(QUERY)).more).toBe(false);
    expect(await read({ ...QUERY, partition: 'P#p#1' })).toEqual({ entries: [], more: false });
  });

  it('starts behind an order, within a prefix, or both', async () => {
    expect(await ordersOf({ after: 'a#2' })).toEqual(['a#3', 'b#1', 'b#2']);
    expect(await ordersOf({ prefix: 'a#' })).toEqual(['a#1', 'a#2', 'a#3']);
    expect(await ordersOf({ prefix: 'a#', after: 'a#1' })).toEqual(['a#2', 'a#3']);
    expect(await ordersOf({ prefix: 'b#', after: 'a#1' })).toEqual(['b#1', 'b#2']);
    expect(await ordersOf({ prefix: 'a#', after: 'a#3' })).toEqual([]);
  });
});
