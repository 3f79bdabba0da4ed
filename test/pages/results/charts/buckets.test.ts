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
    ['weeks', WEEKS, 'week', 'first (3 days), last (3 days)'],
    ['months', MONTHS, 'month', 'first (4 days), last (25 days)'],
    ['4 weeks', FOUR_WEEKS, '4 weeks', 'first (10 days), last (24 days)'],
  ])('%s of a span that begins and ends within one: both ends are parts', (_, series, words, parts) => {
    expect(bucketWords(series)).toEqual({ whole: `per ${words}`, parts });
    expect(endsOf(partialOf(series))).toEqual([true, false, true]);
  });

  it.each([
    ['days', cutSpan(QUARTER, 'day'), 'per day'],
    ['weeks', cutSpan(span('2026-08-31', '2026-11-22'), 'week'), 'per week'],
    ['months', cutSpan(span('2026-09-01', '2026-11-30'), 'month'), 'per month'],
    ['quarters', [span('2026-01-01', '2026-03-31'), span('2026-04-01', '2026-06-30')], 'per 3 months'],
    ['one bucket, which may be anything', [span('2026-11-23', '2026-11-25')], ''],
  ])('%s that are whole: none is a part', (_, series, words) => {
    expect(bucketWords(series)).toEqual({ whole: words, parts: '' });
    expect(partialOf(series)).not.toContain(true);
  });

  it('of which the span has no whole one are all parts', () => {
    const week = [span('2026-11-19', '2026-11-22'), span('2026-11-23', '2026-11-25')];
    expect(bucketWords(week).parts).toBe('first (4 days), last (3 days)');
  });

  it('one day, of which the next ones are whole, is called so', () => {
    const series = [span('2026-11-01', '2026-11-01'), span('2026-11-02', '2026-11-08')];
    expect(bucketWords(series)).toEqual({ whole: 'per week', parts: 'first (1 day)' });
  });

  it('are as wide as they have days', () => {
    const slots = slotsOf(FOUR_WEEKS);
    expect(slots.map(({ from }) => Math.round(90 * from))).toEqual([0, 10, 38, 66]);
    expect(slots.at(-1)?.to).toBe(1);
    expect(slots[1]?.middle).toBeCloseTo(24 / 90);
  });
});
