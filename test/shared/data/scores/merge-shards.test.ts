import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeShards } from '../../../../shared/data/scores/merge-shards.ts';
import type { IndexEntry, IndexQuery, ReadIndex } from '../../../../shared/data/table/index-reader.ts';

function indexOf(partitions: Readonly<Record<string, readonly string[]>>) {
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
          expect(await take(mergeShards(indexOf(partitions).read, walk))).toEqual(wanted);
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
    const { read, queries } = indexOf(partitions);
    await take(mergeShards(read, walkOf(partitions, 51)), 51);
    expect(queries).toHaveLength(16);
    expect(Math.max(...queries.map(({ limit }) => limit))).toBeLessThan(12);
  });
});
