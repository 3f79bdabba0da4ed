import { describe, expect, it } from 'vitest';
import { bucketWords, partialOf, slotsOf } from '../../../../pages/results/charts/buckets.ts';
import { cutSpan } from '../../../../shared/domain/days.ts';

const span = (from: string, to: string) => ({ from, to });
/** A quarter that begins on a Friday and ends on a Wednesday. */
const QUARTER = span('2026-08-28', '2026-11-25');
const WEEKS = cutSpan(QUARTER, 'week');
const MONTHS = cutSpan(QUARTER, 'month');
const FOUR_WEEKS = [
  span('2026-08-28', '2026-09-06'),
  span('2026-09-07', '2026-10-04'),
  span('2026-10-05', '2026-11-01'),
  span('2026-11-02', '2026-11-25'),
];
const endsOf = (partial: readonly boolean[]) => [
  partial[0],
  ...new Set(partial.slice(1, -1)),
  partial.at(-1),
];

describe('buckets of a trend', () => {
  it.each([
    ['weeks', WEEKS, 'a week', 'the first 3, the last 3'],
    ['months', MONTHS, 'a month', 'the first 4, the last 25'],
    ['4 weeks', FOUR_WEEKS, '4 weeks', 'the first 10, the last 24'],
  ])('%s of a span that begins and ends within one: both ends are parts', (_, series, words, parts) => {
    expect(bucketWords(series)).toEqual({ whole: `a point is ${words}`, parts });
    expect(endsOf(partialOf(series))).toEqual([true, false, true]);
  });

  it.each([
    ['days', cutSpan(QUARTER, 'day'), 'a point is a day'],
    ['weeks', cutSpan(span('2026-08-31', '2026-11-22'), 'week'), 'a point is a week'],
    ['months', cutSpan(span('2026-09-01', '2026-11-30'), 'month'), 'a point is a month'],
    ['quarters', [span('2026-01-01', '2026-03-31'), span('2026-04-01', '2026-06-30')], 'a point is 3 months'],
    ['one bucket, which may be anything', [span('2026-11-23', '2026-11-25')], ''],
  ])('%s that are whole: none is a part', (_, series, words) => {
    expect(bucketWords(series)).toEqual({ whole: words, parts: '' });
    expect(partialOf(series)).not.toContain(true);
  });

  it('of which the span has no whole one are all parts', () => {
    const week = [span('2026-11-19', '2026-11-22'), span('2026-11-23', '2026-11-25')];
    expect(bucketWords(week).parts).toBe('the first 4, the last 3');
  });

  it('one day, of which the next ones are whole, is called so', () => {
    const series = [span('2026-11-01', '2026-11-01'), span('2026-11-02', '2026-11-08')];
    expect(bucketWords(series)).toEqual({ whole: 'a point is a week', parts: 'the first 1' });
  });

  it('are as wide as they have days', () => {
    const slots = slotsOf(FOUR_WEEKS);
    expect(slots.map(({ from }) => Math.round(90 * from))).toEqual([0, 10, 38, 66]);
    expect(slots.at(-1)?.to).toBe(1);
    expect(slots[1]?.middle).toBeCloseTo(24 / 90);
  });
});
