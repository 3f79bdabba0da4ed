import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createIndexReader,
  eachPage,
  type IndexEntry,
  type IndexPage,
  type IndexQuery,
  mergeShards,
  type ReadIndex,
} from '../../../../shared/data/table/index-reader.ts';
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

  it('starts after a given order, within a prefix, or both', async () => {
    expect(await ordersOf({ after: 'a#2' })).toEqual(['a#3', 'b#1', 'b#2']);
    expect(await ordersOf({ prefix: 'a#' })).toEqual(['a#1', 'a#2', 'a#3']);
    expect(await ordersOf({ prefix: 'a#', after: 'a#1' })).toEqual(['a#2', 'a#3']);
    expect(await ordersOf({ prefix: 'b#', after: 'a#1' })).toEqual(['b#1', 'b#2']);
    expect(await ordersOf({ prefix: 'a#', after: 'a#3' })).toEqual([]);
  });
});

const THREE = { index: 'byProject', partition: 'p', limit: 3 } as const;

describe('each page', () => {
  const page = (more: boolean, ...orders: string[]): IndexPage => ({
    entries: orders.map((order) => ({ key: { pk: 'k', sk: order }, order })),
    more,
  });

  function anIndex(...pages: readonly IndexPage[]) {
    const queries: IndexQuery[] = [];
    const readIndex = async (query: IndexQuery) => {
      queries.push(query);
      return pages[queries.length - 1] ?? page(false);
    };
    return { queries, readIndex };
  }

  it('reads to the end, and yields an entry once that a page repeats', async () => {
    const { queries, readIndex } = anIndex(page(true, 'a', 'b', 'b'), page(false, 'c'));
    const pages = [];
    for await (const { keys, more } of eachPage(readIndex, THREE))
      pages.push([keys.map(({ sk }) => sk), more]);
    expect(pages).toEqual([
      [['a', 'b'], true],
      [['c'], false],
    ]);
    expect(queries).toEqual([
      { ...THREE, after: undefined },
      { ...THREE, after: 'b' },
    ]);
  });

  it('does not read a page that nobody asks for', async () => {
    const { queries, readIndex } = anIndex(page(true, 'a'), page(false, 'b'));
    for await (const { more } of eachPage(readIndex, THREE)) {
      expect(more).toBe(true);
      break;
    }
    expect(queries).toHaveLength(1);
  });
});

function sharded(partitions: Readonly<Record<string, readonly string[]>>) {
  const queries: IndexQuery[] = [];
  const read: ReadIndex = async (query) => {
    queries.push(query);
    const matching = (partitions[query.partition] ?? []).filter(
      (order) => query.after === undefined || order > query.after,
    );
    const entries = matching.slice(0, query.limit).map((order) => ({ order, key: { pk: 'p', sk: order } }));
    return { entries, more: matching.length > entries.length };
  };
  return { read, queries };
}

const walkOf = (partitions: object, expected = 10) => ({
  index: 'byScoreState' as const,
  partitions: Object.keys(partitions),
  expected,
});

async function take(entries: AsyncIterable<IndexEntry>, count = Number.POSITIVE_INFINITY): Promise<string[]> {
  const taken: string[] = [];
  for await (const { order } of entries) {
    taken.push(order);
    if (taken.length >= count) break;
  }
  return taken;
}

const orders = fc
  .uniqueArray(fc.stringMatching(/^[a-c]{1,4}$/), { maxLength: 40 })
  .map((list) => list.toSorted());

describe('merging the shards of an index', () => {
  it('yields every order behind the start once, ascending, however shards overlap and however small the reads are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(orders, { minLength: 1, maxLength: 5 }),
        fc.option(fc.stringMatching(/^[a-c]{1,4}$/), { nil: undefined }),
        fc.integer({ min: 1, max: 20 }),
        async (lists, after, expected) => {
          const partitions = Object.fromEntries(lists.map((list, index) => [`s${index}`, list]));
          const walk = { ...walkOf(partitions, expected), ...(after !== undefined && { after }) };
          const wanted = [...new Set(lists.flat())]
            .toSorted()
            .filter((order) => !(after !== undefined && order <= after));
          expect(await take(mergeShards(sharded(partitions).read, walk))).toEqual(wanted);
        },
      ),
    );
  });

  it('reads each partition once for an evenly spread page', async () => {
    const partitions = Object.fromEntries(
      Array.from({ length: 16 }, (_, shard) => [
        `s${shard}`,
        Array.from({ length: 50 }, (_, index) => `${String(index).padStart(3, '0')}-${shard}`),
      ]),
    );
    const { read, queries } = sharded(partitions);
    await take(mergeShards(read, walkOf(partitions, 51)), 51);
    expect(queries).toHaveLength(16);
    expect(Math.max(...queries.map(({ limit }) => limit))).toBeLessThan(12);
  });
});
