import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  ABSENT,
  all,
  CHANGEABLE,
  type Change,
  type Condition,
  conditionExpression,
  PRESENT,
  queryExpression,
  updateExpression,
} from '../../../../shared/data/table/expressions.ts';
import type { Row } from '../../../../shared/data/table/row.ts';
import { anId } from '../../../support/fixtures/builders.ts';
import { createTestTable } from '../../../support/service/test-table.ts';

const { client, table, tableName } = await createTestTable();

async function changed(before: Row, change: Change): Promise<Row> {
  const key = { pk: anId(), sk: 'A' };
  await table.put({ ...before, ...key });
  const Key = marshall(key);
  await client.send(new UpdateItemCommand({ TableName: tableName, Key, ...updateExpression(change) }));
  const { pk: _pk, sk: _sk, ...after } = (await table.get(key)) ?? {};
  return after;
}

describe('a change', () => {
  it.each<[string, Row, Change, Row]>([
    ['sets attributes', { a: 1, b: 2 }, { set: { a: 'x', c: [1] } }, { a: 'x', b: 2, c: [1] }],
    [
      'leaves undefined attributes unchanged',
      { a: 1, b: 2 },
      { set: { a: undefined, b: 3 } },
      { a: 1, b: 3 },
    ],
    ['removes attributes set to null', { a: 1, b: 2 }, { set: { a: null, b: 3 } }, { b: 3 }],
    [
      'sets empty text, zero and false',
      { a: 1 },
      { set: { a: '', b: 0, c: false } },
      { a: '', b: 0, c: false },
    ],
    ['sets an absent attribute once', { a: 1 }, { setOnce: { a: 2, b: 3 } }, { a: 1, b: 3 }],
    ['removes attributes', { a: 1, b: 2 }, { remove: ['a', 'missing'] }, { b: 2 }],
    ['adds to numbers', { a: 1 }, { add: { a: 2, b: -3 } }, { a: 3, b: -3 }],
    [
      'adds to sets',
      { a: new Set(['x']) },
      { add: { a: new Set(['x', 'y']), b: new Set(['z']) } },
      { a: new Set(['x', 'y']), b: new Set(['z']) },
    ],
    [
      'removes elements from sets, and a set with its last element',
      { a: new Set(['x', 'y']), b: new Set(['z']) },
      { take: { a: new Set(['y', 'w']), b: new Set(['z']), c: new Set(['v']) } },
      { a: new Set(['x']) },
    ],
    [
      'follows a path',
      { limits: { quiet: 1, cap: 2, quota: 3 } },
      { set: { 'limits.cap': 4, 'limits.quota': null }, setOnce: { 'limits.quiet': 9, 'limits.more': 5 } },
      { limits: { quiet: 1, cap: 4, more: 5 } },
    ],
    [
      'accepts names that expressions do not allow',
      { 'month:2026-11': 1 },
      { add: { 'month:2026-11': 2, 'month:2026-12': 1 } },
      { 'month:2026-11': 3, 'month:2026-12': 1 },
    ],
    [
      'accepts reserved words',
      { name: 'x', year: 1 },
      { set: { name: 'y', status: 'z' }, add: { year: 1 } },
      { name: 'y', status: 'z', year: 2 },
    ],
    [
      'does all of these at once',
      { a: 1, b: 2, c: 3, d: new Set(['x', 'y']) },
      {
        set: { a: 9 },
        setOnce: { e: 5 },
        remove: ['b'],
        add: { c: 1 },
        take: { d: new Set(['x']) },
      },
      { a: 9, c: 4, d: new Set(['y']), e: 5 },
    ],
  ])('%s', async (_, before, change, after) => {
    expect(await changed(before, change)).toEqual(after);
  });

  it('binds no values when it only removes, because DynamoDB accepts no empty map', () => {
    expect(updateExpression({ remove: ['a'] }).ExpressionAttributeValues).toBeUndefined();
  });
});

describe('a condition', () => {
  async function holds(item: Row | undefined, when: Condition): Promise<boolean> {
    const key = { pk: anId(), sk: 'A' };
    if (item !== undefined) await table.put({ ...item, ...key });
    return (await table.update(key, { set: { touched: true } }, when)).done;
  }
  const isOpen: Condition = { text: '#state = :state', values: { state: 'open' } };
  const isOld: Condition = { text: '#at < :limit', values: { limit: 10 } };

  it.each<[string, Condition, Row | undefined, boolean]>([
    ['of absence holds without an item', ABSENT, undefined, true],
    ['of absence fails for an item', ABSENT, {}, false],
    ['of presence fails without an item', PRESENT, undefined, false],
    ['of presence holds for an item', PRESENT, {}, true],
    ['of change fails without an item', CHANGEABLE, undefined, false],
    ['of change holds for an item', CHANGEABLE, {}, true],
    ['of change fails for an item that is being purged', CHANGEABLE, { purgedAt: 'now' }, false],
    ['on values holds for equal ones', isOpen, { state: 'open' }, true],
    ['on values fails for others', isOpen, { state: 'done' }, false],
    ['of all holds when each does', all(isOpen, isOld), { state: 'open', at: 9 }, true],
    ['of all fails when only the first holds', all(isOpen, isOld), { state: 'open', at: 10 }, false],
    ['of all fails when only the second holds', all(isOpen, isOld), { state: 'done', at: 9 }, false],
    [
      'of all keeps alternatives together',
      all({ text: '#state = :state OR #state = :state', values: isOpen.values }, isOld),
      { state: 'open', at: 10 },
      false,
    ],
  ])('%s', async (_, when, item, expected) => {
    expect(await holds(item, when)).toBe(expected);
  });

  it('keeps its values apart from those of the change, which may have the same names', async () => {
    const key = { pk: anId(), sk: 'A' };
    await table.put({ ...key, state: 'open' });
    expect(await table.update(key, { set: { state: 'done' } }, isOpen)).toMatchObject({ done: true });
    expect(await table.get(key)).toEqual({ ...key, state: 'done' });
  });

  it('is empty when there is none', () => {
    expect(conditionExpression(undefined)).toEqual({});
    expect(conditionExpression(ABSENT).ExpressionAttributeValues).toBeUndefined();
  });
});

describe('a query', () => {
  const keys = { partitionKey: 'month', sortKey: 'order' };

  it.each([
    [{}, ''],
    [{ from: 'a' }, ' AND #sort >= :from'],
    [{ to: 'b' }, ' AND #sort <= :to'],
    [{ from: 'a', to: 'b' }, ' AND #sort BETWEEN :from AND :to'],
    [{ prefix: 'c' }, ' AND begins_with(#sort, :prefix)'],
  ])('translates the range %j', (range, text) => {
    expect(queryExpression(keys, 'p', range, undefined)).toEqual({
      KeyConditionExpression: `#partition = :partition${text}`,
      ProjectionExpression: undefined,
      ExpressionAttributeNames: { '#partition': 'month', ...(text !== '' && { '#sort': 'order' }) },
      ExpressionAttributeValues: Object.fromEntries(
        Object.entries({ partition: 'p', ...range }).map(([name, S]) => [`:${name}`, { S }]),
      ),
    });
  });

  it('names the attributes to return', () => {
    const { ProjectionExpression, ExpressionAttributeNames } = queryExpression(keys, 'p', {}, ['sk', 'type']);
    expect(ProjectionExpression).toBe('#sk, #type');
    expect(ExpressionAttributeNames).toEqual({ '#partition': 'month', '#sk': 'sk', '#type': 'type' });
  });
});
