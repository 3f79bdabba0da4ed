import { describe, expect, it } from 'vitest';
import { ABSENT, PRESENT } from '../../../../shared/data/table/expressions.ts';
import { chunk } from '../../../../shared/data/table/retry.ts';
import { createTable, ITEMS_PER_TRANSACTION } from '../../../../shared/data/table/table.ts';
import { anId } from '../../../support/fixtures/builders.ts';
import { createTestTable } from '../../../support/service/test-table.ts';
import { createRecordingClient } from '../../../support/stand-ins/recording-client.ts';

const { table, erasureLog, tableName, endpoint } = await createTestTable();

const aKey = (sk = 'A') => ({ pk: anId(), sk });

function recorded() {
  const { client, take } = createRecordingClient(endpoint);
  return {
    table: createTable(client, { name: tableName }),
    operations: () => take().map(({ operation }) => operation),
  };
}

describe('put and get', () => {
  it('returns an item as it was put, and nothing for an absent one', async () => {
    const item = {
      ...aKey(),
      text: 'ä',
      rating: 0,
      nested: { on: true, list: [1, 'b'], none: null },
      set: new Set(['x']),
    };
    expect(await table.put(item)).toEqual({ done: true });
    expect(await table.get(item)).toEqual(item);
    expect(await table.get(aKey())).toBeUndefined();
  });

  it('leaves out undefined attributes, including nested ones', async () => {
    const key = aKey();
    await table.put({ ...key, none: undefined, nested: { a: 1, none: undefined } });
    expect(await table.get(key)).toStrictEqual({ ...key, nested: { a: 1 } });
  });

  it('overwrites an item, unless a condition forbids it', async () => {
    const key = aKey();
    await table.put({ ...key, a: 1 });
    await table.put({ ...key, b: 2 });
    expect(await table.get(key)).toEqual({ ...key, b: 2 });
    expect(await table.put({ ...key, c: 3 }, ABSENT)).toEqual({ done: false, found: { ...key, b: 2 } });
    expect(await table.get(key)).toEqual({ ...key, b: 2 });
  });

  it('finds nothing when the condition fails for an absent item', async () => {
    const key = aKey();
    expect(await table.put(key, PRESENT)).toEqual({ done: false, found: undefined });
    expect(await table.get(key)).toBeUndefined();
  });

  it('carries out one of many puts of one key under a condition', async () => {
    const key = aKey();
    const written = await Promise.all(Array.from({ length: 20 }, (_, n) => table.put({ ...key, n }, ABSENT)));
    expect(written.filter(({ done }) => done)).toHaveLength(1);
  });
});

describe('update', () => {
  it('changes an existing item and creates an absent one', async () => {
    const key = aKey();
    expect(await table.update(key, { add: { count: 1 } })).toEqual({ done: true });
    expect(await table.update(key, { add: { count: 1 }, set: { a: 'x' } })).toEqual({ done: true });
    expect(await table.get(key)).toEqual({ ...key, count: 2, a: 'x' });
  });

  it('returns the requested image', async () => {
    const key = aKey();
    await table.put({ ...key, a: 1, b: 2 });
    const after = { done: true, row: { ...key, a: 3, b: 2 } };
    expect(await table.update(key, { set: { a: 3 } }, undefined, 'ALL_NEW')).toEqual(after);
  });

  it('changes nothing when its condition fails, and returns the existing item', async () => {
    const key = aKey();
    expect(await table.update(key, { set: { a: 1 } }, PRESENT)).toEqual({ done: false, found: undefined });
    expect(await table.get(key)).toBeUndefined();
    await table.put({ ...key, a: 1 });
    const change = { set: { a: 2 } };
    const when = { text: '#a > :least', values: { least: 1 } };
    expect(await table.update(key, change, when, 'ALL_NEW')).toEqual({
      done: false,
      found: { ...key, a: 1 },
    });
    expect(await table.update(key, change, { ...when, values: { least: 0 } })).toEqual({ done: true });
  });
});

describe('delete and deleteMany', () => {
  it('deletes an existing item, and ignores an absent one', async () => {
    const key = aKey();
    await table.put(key);
    await table.delete(key);
    expect(await table.get(key)).toBeUndefined();
    await table.delete(key);
  });

  it('deletes many items, 25 per call, and no others', async () => {
    const sortKeys = Array.from({ length: 60 }, (_, index) => `S${index}`);
    const pk = anId();
    for (const sk of [...sortKeys, 'other']) await table.put({ pk, sk });
    const { table: own, operations } = recorded();
    await own.deleteMany([...sortKeys, 'missing'].map((sk) => ({ pk, sk })));
    expect(operations()).toEqual(Array.from({ length: 3 }, () => 'BatchWriteItem'));
    expect(await table.query({ partition: pk })).toEqual([{ pk, sk: 'other' }]);
  });

  it('calls nothing without items', async () => {
    const { table: own, operations } = recorded();
    await own.deleteMany([]);
    expect(await own.getMany([])).toEqual([]);
    expect(operations()).toEqual([]);
  });
});

describe('getMany', () => {
  it('returns rows in the order of the keys, undefined for absent ones, 100 per call', async () => {
    const keys = Array.from({ length: 230 }, (_, index) => aKey(`S${index}`));
    const isThere = (index: number) => index % 3 !== 0;
    const stored = keys.filter((_, index) => isThere(index));
    for (const some of chunk(stored, ITEMS_PER_TRANSACTION))
      await table.transact(some.map((put) => ({ put })));
    const { table: own, operations } = recorded();
    expect(await own.getMany(keys)).toEqual(keys.map((key, index) => (isThere(index) ? key : undefined)));
    expect(operations()).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
  });
});

describe('transact', () => {
  it('carries out puts, updates and checks together', async () => {
    const [made, counted, known] = [aKey(), aKey(), aKey()];
    await table.put({ ...known, state: 'open' });
    const written = await table.transact([
      { put: { ...made, none: undefined }, when: ABSENT },
      { update: counted, change: { add: { n: 2 } } },
      { check: known, when: { text: '#state = :state', values: { state: 'open' } } },
    ]);
    expect(written).toEqual({ done: true });
    expect(await table.getMany([made, counted, known])).toEqual([
      made,
      { ...counted, n: 2 },
      { ...known, state: 'open' },
    ]);
  });

  it('takes as many items as DynamoDB', async () => {
    const keys = Array.from({ length: ITEMS_PER_TRANSACTION }, () => aKey());
    expect(await table.transact(keys.map((put) => ({ put, when: ABSENT })))).toEqual({ done: true });
    expect(await table.getMany(keys)).toEqual(keys);
  });

  it('changes nothing when some conditions fail, and returns which', async () => {
    const [known, missing, other, third] = [aKey(), aKey(), aKey(), aKey()];
    await table.put(known);
    await table.put(third);
    const written = await table.transact([
      { put: { ...known, again: true }, when: ABSENT },
      { put: other, when: ABSENT },
      { update: missing, change: { set: { a: 1 } }, when: PRESENT },
      { check: third, when: PRESENT },
      { check: { ...missing, sk: 'B' }, when: PRESENT },
    ]);
    expect(written).toEqual({ done: false, failed: new Set([0, 2, 4]) });
    expect(await table.getMany([known, other, missing])).toEqual([known, undefined, undefined]);
  });
});

describe('a table with its own key names', () => {
  it('uses them in every operation', async () => {
    const month = `month-${anId()}`;
    const keyOf = (order: string) => ({ pk: month, sk: order });
    for (const order of ['1', '2', '3', '4']) await erasureLog.put({ month, order, at: order });
    expect(await erasureLog.get(keyOf('1'))).toEqual({ month, order: '1', at: '1' });
    expect(await erasureLog.getMany([keyOf('9'), keyOf('2')])).toEqual([
      undefined,
      { month, order: '2', at: '2' },
    ]);
    expect(await erasureLog.page({ partition: month, limit: 1, from: '2' })).toEqual({
      rows: [{ month, order: '2', at: '2' }],
      last: '2',
      units: 1,
    });
    expect(await erasureLog.page({ partition: month, after: '3' })).toEqual({
      rows: [{ month, order: '4', at: '4' }],
      last: undefined,
      units: 1,
    });
    await erasureLog.update(keyOf('1'), { set: { at: 'new' } });
    await erasureLog.transact([{ update: keyOf('2'), change: { set: { at: 'new' } } }]);
    await erasureLog.delete(keyOf('3'));
    await erasureLog.deleteMany([keyOf('4')]);
    expect(await erasureLog.query({ partition: month })).toEqual([
      { month, order: '1', at: 'new' },
      { month, order: '2', at: 'new' },
    ]);
    expect(await table.query({ partition: month })).toEqual([]);
  });
});
