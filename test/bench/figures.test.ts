/** The arithmetic under the report. */

import { expect, it } from 'vitest';
import { costOf, mixOf } from '../../bench/money/costs.ts';
import { figure } from '../../bench/report/section.ts';
import { growthExponent, quantile } from '../../bench/statistics.ts';

it.each([
  [[1, 2, 3, 4], 0.5, 2],
  [[4, 1, 3, 2], 0.99, 4],
  [[7], 0, 7],
])('the quantile of %j at %d is %d', (samples, share, expected) => {
  expect(quantile(samples, share)).toBe(expected);
});

it.each([0, 1, 2])('a power law of exponent %d is recognised', (exponent) => {
  const points = [1, 10, 1_000].map((x): [number, number] => [x, 3 * x ** exponent]);
  expect(growthExponent(points)).toBeCloseTo(exponent);
});

it.each([
  [0.012345, '0.0123'],
  [1.5, '1.50'],
  [1_234.5, '1,235'],
  [Number.NaN, '–'],
])('%d is written %s', (value, text) => {
  expect(figure(value)).toBe(text);
});

it('a million bootstraps cost what their parts cost', () => {
  const cost = costOf({
    route: 'bootstrap',
    billedMs: 10,
    readUnits: 1,
    writeUnits: 0,
    logBytes: 1_000,
    replyBytes: 1_000,
  });
  expect(cost.gateway).toBeCloseTo(1);
  expect(cost.lambda).toBeCloseTo(0.2 + 0.1333334);
  expect(cost.dynamodb).toBeCloseTo(0.125);
  expect(cost.logs).toBeCloseTo(0.5);
  expect(cost.transfer).toBeCloseTo(0.09);
  expect(mixOf([cost], { bootstrap: 2 }).total).toBeCloseTo(cost.total);
});
