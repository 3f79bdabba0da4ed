import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readRow } from '../../../../shared/data/table/row.ts';

const schema = () => z.object({ at: z.string(), limits: z.object({ monthlyCap: z.number() }) });

it('reads the attributes of the schema and leaves out the rest', () => {
  const row = { pk: 'P', sk: 'S', type: 'thing', at: 'now', limits: { monthlyCap: 3, other: 1 } };
  expect(readRow(schema, row)).toEqual({ at: 'now', limits: { monthlyCap: 3 } });
});

it('refuses a malformed row, naming its type and attributes without quoting values', () => {
  const row = { pk: 'ann@example.org', type: 'thing', at: 4711, limits: { monthlyCap: 'ben@example.org' } };
  const read = () => readRow(schema, row);
  expect(read).toThrow(new Error('a row of type thing is malformed: at, limits.monthlyCap'));
});

it('names missing attributes', () => {
  expect(() => readRow(schema, {})).toThrow('a row of type undefined is malformed: at, limits');
});
