import { expect, it } from 'vitest';
import { eachPage, type IndexPage, type IndexQuery } from '../../../../shared/data/table/index-reader.ts';

const QUERY = { index: 'byProject', partition: 'p', limit: 3 } as const;

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
  for await (const { keys, more } of eachPage(readIndex, QUERY)) {
    pages.push([keys.map(({ sk }) => sk), more]);
  }
  expect(pages).toEqual([
    [['a', 'b'], true],
    [['c'], false],
  ]);
  expect(queries).toEqual([
    { ...QUERY, after: undefined },
    { ...QUERY, after: 'b' },
  ]);
});

it('does not read a page that nobody asks for', async () => {
  const { queries, readIndex } = anIndex(page(true, 'a'), page(false, 'b'));
  for await (const { more } of eachPage(readIndex, QUERY)) {
    expect(more).toBe(true);
    break;
  }
  expect(queries).toHaveLength(1);
});
