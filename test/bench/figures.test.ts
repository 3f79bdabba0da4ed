/** The arithmetic under the report. */

import { describe, expect, it } from 'vitest';
import { exponentsOf } from '../../bench/growth/series.ts';
import { costOf, mixOf } from '../../bench/money/costs.ts';
import { platformLogBytes } from '../../bench/money/platform-lines.ts';
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

describe('growth', () => {
  const series = (points: [number, number][]) => ({
    what: 'something',
    points: points.map(([size, units]) => ({ size, ms: 1, readUnits: units, writeUnits: 0, calls: '' })),
  });

  it('between the last two points is not flattened by what is fixed', () => {
    const { whole, last } = exponentsOf(
      series([
        [0, 1],
        [1, 1],
        [10, 1],
        [100, 10],
        [1_000, 1_000],
      ]),
      'units',
    );
    expect(last).toBeCloseTo(2);
    expect(whole).toBeLessThan(1.1);
  });

  it('of one point is not known', () => {
    expect(exponentsOf(series([[10, 3]]), 'units').last).toBeNaN();
  });
});

describe('money', () => {
  const use = {
    route: 'bootstrap',
    billedMs: 10,
    readUnits: 1,
    writeUnits: 0,
    logBytes: 1_000,
    replyBytes: 1_000,
  };

  it('a million bootstraps cost what their parts cost', () => {
    const cost = costOf(use);
    expect(cost.gateway).toBeCloseTo(1);
    expect(cost.lambda).toBeCloseTo(0.2 + 0.1333334);
    expect(cost.dynamodb).toBeCloseTo(0.125);
    expect(cost.logs).toBeCloseTo(0.5);
    expect(cost.transfer).toBeCloseTo(0.09);
    expect(cost.dominant.part).toBe('gateway');
    expect(cost.dominant.share).toBeCloseTo(1 / cost.total);
    expect(mixOf([cost], { bootstrap: 2 }).total).toBeCloseTo(cost.total);
  });

  it.each([
    [0, 1],
    [512 * 1_024, 1],
    [512 * 1_024 + 1, 2],
    [5_000_000, 10],
  ])('a reply of %d bytes is %d requests to the gateway', (replyBytes, requests) => {
    expect(costOf({ ...use, replyBytes }).gateway).toBeCloseTo(requests);
  });

  it('of a mix is not known while the cost of a part is not', () => {
    expect(() => mixOf([costOf(use)], { bootstrap: 1, response: 1 })).toThrow('response');
  });

  it('the platform logs about three quarters of a kilobyte a request beside our line', () => {
    expect(platformLogBytes()).toBeGreaterThan(500);
    expect(platformLogBytes()).toBeLessThan(800);
  });
});
