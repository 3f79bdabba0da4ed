import { describe, expect, it } from 'vitest';
import type { Row } from '../../../../shared/data/table/row.ts';
import { createTable } from '../../../../shared/data/table/table.ts';
import { anId } from '../../../support/fixtures/builders.ts';
import { createTestClient, createTestTable } from '../../../support/service/test-table.ts';

const { table, tableName, endpoint } = await createTestTable();

interface Input {
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: Readonly<Record<string, { readonly ConsistentRead?: boolean }>>;
}

function watched() {
  const client = createTestClient(endpoint);
  const inputs: Input[] = [];
  client.middlewareStack.add(
    (next) => async (args) => {
      inputs.push(args.input as Input);
      return next(args);
    },
    { step: 'initialize' },
  );
  return { table: createTable(client, { name: tableName }), inputs };
}

async function aPartition(sortKeys: readonly string[], more: Row = {}): Promise<string> {
  const pk = anId();
  for (const sk of sortKeys) await table.put({ pk, sk, ...more });
  return pk;
}

const sortKeysOf = (rows: readonly Row[]) => rows.map(({ sk }) => sk);

describe('page and query', () => {
  const SORT_KEYS = ['A1', 'A2', 'B1', 'B2', 'C1'];

  it('reads a partition in order, or a range of it', async () => {
    const partition = await aPartition(SORT_KEYS);
    const read = async (range: object) => sortKeysOf(await table.query({ partition, ...range }));
    expect(await read({})).toEqual(SORT_KEYS);
    expect(await read({ from: 'A2' })).toEqual(['A2', 'B1', 'B2', 'C1']);
    expect(await read({ to: 'B1' })).toEqual(['A1', 'A2', 'B1']);
    expect(await read({ from: 'A2', to: 'B1' })).toEqual(['A2', 'B1']);
    expect(await read({ prefix: 'B' })).toEqual(['B1', 'B2']);
    expect(await table.query({ partition: anId() })).toEqual([]);
  });

  it('returns only the requested attributes', async () => {
    const partition = await aPartition(['A'], { type: 'thing', status: 'long', name: 'x' });
    const rows = await table.query({ partition, attributes: ['sk', 'name', 'status', 'missing'] });
    expect(rows).toEqual([{ sk: 'A', name: 'x', status: 'long' }]);
  });

  it('returns where a page ends, and nothing when there is no more', async () => {
    const partition = await aPartition(SORT_KEYS);
    const first = await table.page({ partition, limit: 2 });
    expect([sortKeysOf(first.rows), first.last]).toEqual([['A1', 'A2'], 'A2']);
    const next = await table.page({ partition, limit: 2, after: first.last });
    expect([sortKeysOf(next.rows), next.last]).toEqual([['B1', 'B2'], 'B2']);
    const last = await table.page({ partition, limit: 2, after: next.last });
    expect([sortKeysOf(last.rows), last.last]).toEqual([['C1'], undefined]);
  });

  it('continues in the order of the page, also downwards', async () => {
    const partition = await aPartition(SORT_KEYS);
    const first = await table.page({ partition, limit: 2, descending: true });
    expect([sortKeysOf(first.rows), first.last]).toEqual([['C1', 'B2'], 'B2']);
    const rest = await table.page({ partition, after: first.last, descending: true });
    expect([sortKeysOf(rest.rows), rest.last]).toEqual([['B1', 'A2', 'A1'], undefined]);
  });

  it('pages within a range even if the attributes leave out the key', async () => {
    const partition = await aPartition(SORT_KEYS, { n: 1 });
    const first = await table.page({ partition, prefix: 'B', limit: 1, attributes: ['n'] });
    expect(first).toEqual({ rows: [{ n: 1 }], last: 'B1', units: 1 });
    const next = await table.page({ partition, prefix: 'B', after: 'B1' });
    expect(sortKeysOf(next.rows)).toEqual(['B2']);
  });

  it('reads over pages of 1 MB', async () => {
    const sortKeys = Array.from({ length: 8 }, (_, index) => `S${index}`);
    const partition = await aPartition(sortKeys, { text: 'x'.repeat(300_000) });
    const { table: own, inputs } = watched();
    expect(sortKeysOf(await own.query({ partition }))).toEqual(sortKeys);
    expect(inputs.length).toBeGreaterThan(1);
  });
});

it('reads strongly consistently every time', async () => {
  const { table: own, inputs } = watched();
  const key = { pk: anId(), sk: 'A' };
  await own.get(key);
  await own.getMany([key]);
  await own.page({ partition: key.pk });
  await own.query({ partition: key.pk });
  const consistent = inputs.map(({ RequestItems, ...input }) =>
    RequestItems === undefined ? input.ConsistentRead : RequestItems[tableName]?.ConsistentRead,
  );
  expect(consistent).toEqual([true, true, true, true]);
});
