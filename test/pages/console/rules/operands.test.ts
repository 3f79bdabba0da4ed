import { describe, expect, it } from 'vitest';
import { readOperand, writeOperand } from '../../../../pages/console/rules/operands.ts';

describe('what a trait is compared with', () => {
  it.each([
    ['eq', 'pro', 'pro'],
    ['eq', '10', 10],
    ['eq', ' true ', true],
    ['eq', '"10"', '10'],
    ['eq', '"true"', 'true'],
    ['gt', '-2.5', -2.5],
    ['in', 'pro, team', ['pro', 'team']],
    ['in', '1, "1", "a, b",', [1, '1', 'a, b']],
    ['eq', '', undefined],
    ['in', '  ', undefined],
    ['eq', '01a', '01a'],
  ] as const)('%s, typed as %j', (op, typed, value) => {
    expect(readOperand(op, typed)).toEqual(value);
  });

  it.each([['pro'], ['10'], ['true'], [10], [false], [''], ['a, b'], ['"quoted"'], [['pro', '10', 10]]])(
    'is read as it was written: %j',
    (value) => {
      const op = Array.isArray(value) ? 'in' : 'eq';
      expect(readOperand(op, writeOperand(value))).toEqual(value === '' ? undefined : value);
    },
  );
});
