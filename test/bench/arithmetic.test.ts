/** The arithmetic of the figures. */

import { expect, it } from 'vitest';
import { figure, median, medianRatio, quantile, tableText } from '../../bench/figures.ts';
import { partsOf } from '../../bench/money.ts';

it.each([
  [[1, 2, 3, 4], 0.5, 2],
  [[4, 1, 3, 2], 0.99, 4],
  [[7], 0, 7],
])('takes from %j the quantile %d, which is %d', (samples, share, expected) => {
  expect(quantile(samples, share)).toBe(expected);
});

it('compares samples of the same index', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(medianRatio([2, 9, 40], [1, 3, 10])).toBe(3);
});

it.each([
  [0.012345, '0.0123'],
  [1.5, '1.50'],
  [2, '2'],
  [1_234.5, '1,235'],
  [Number.NaN, '–'],
])('prints %d as %s', (value, text) => {
  expect(figure(value)).toBe(text);
});

it('aligns a table', () => {
  expect(tableText([{ what: 'floor', 'p50 ms': 1.5 }])).toBe(
    '| what  | p50 ms |\n| ----- | ------ |\n| floor | 1.50   |',
  );
});

it('prices a million requests, and a reply of more than 512 KB as several requests', () => {
  const use = { billedMs: 10, readUnits: 1, writeUnits: 0, logBytes: 1_000, replyBytes: 1_000 };
  const { gateway, lambda, dynamodb, logs, transfer } = partsOf(use);
  expect([gateway, lambda, dynamodb, logs, transfer].map((part) => part.toFixed(3))).toEqual([
    '1.000',
    '0.333',
    '0.125',
    '0.500',
    '0.090',
  ]);
  expect(partsOf({ ...use, replyBytes: 512 * 1_024 }).gateway).toBeCloseTo(1);
  expect(partsOf({ ...use, replyBytes: 512 * 1_024 + 1 }).gateway).toBeCloseTo(2);
});
