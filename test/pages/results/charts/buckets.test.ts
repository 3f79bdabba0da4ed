import { describe, expect, it } from 'vitest';
import { bucketWords, partialOf, slotsOf } from '../../../../pages/results/charts/buckets.ts';
import { trendChart } from '../../../../pages/results/charts/trend-chart.ts';
import { getResults } from '../../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../../shared/contract/results-schemas.ts';
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
    ['weeks', WEEKS, 'A point is a week; dashed: 3 days.'],
    ['months', MONTHS, 'A point is a month; dashed: 4 and 25 days.'],
    ['4 weeks', FOUR_WEEKS, 'A point is 4 weeks; dashed: 10 and 24 days.'],
  ])('%s of a span that begins and ends within one: both ends are parts', (_, series, words) => {
    expect(bucketWords(series)).toBe(words);
    expect(endsOf(partialOf(series))).toEqual([true, false, true]);
  });

  it.each([
    ['days', cutSpan(QUARTER, 'day'), 'A point is a day.'],
    ['weeks', cutSpan(span('2026-08-31', '2026-11-22'), 'week'), 'A point is a week.'],
    ['months', cutSpan(span('2026-09-01', '2026-11-30'), 'month'), 'A point is a month.'],
    [
      'quarters',
      [span('2026-01-01', '2026-03-31'), span('2026-04-01', '2026-06-30')],
      'A point is 3 months.',
    ],
    ['one bucket, which may be anything', [span('2026-11-23', '2026-11-25')], ''],
  ])('%s that are whole: none is a part', (_, series, words) => {
    expect(bucketWords(series)).toBe(words);
    expect(partialOf(series)).not.toContain(true);
  });

  it('of which the span has no whole one are all parts', () => {
    const week = [span('2026-11-19', '2026-11-22'), span('2026-11-23', '2026-11-25')];
    expect(bucketWords(week)).toContain('dashed: 4 and 3 days');
  });

  it('one day, of which the next ones are whole, is called so', () => {
    const series = [span('2026-11-01', '2026-11-01'), span('2026-11-02', '2026-11-08')];
    expect(bucketWords(series)).toBe('A point is a week; dashed: 1 day.');
  });

  it('are as wide as they have days', () => {
    const slots = slotsOf(FOUR_WEEKS);
    expect(slots.map(({ from }) => Math.round(90 * from))).toEqual([0, 10, 38, 66]);
    expect(slots.at(-1)?.to).toBe(1);
    expect(slots[1]?.middle).toBeCloseTo(24 / 90);
  });
});

describe('the chart of the trend', () => {
  const example = getResults.reply as ResultsReply;
  const [point] = example.series;
  const chartOf = (days: readonly { from: string; to: string }[]) =>
    trendChart({ ...example, series: point ? days.map((each) => ({ ...point, ...each })) : [] }).text;
  const wordsIn = (text: string) => [...text.matchAll(/y="234">([^<]*)</g)].map(([, words]) => words);

  it('draws the columns of parts dashed, and the line that leads to them', () => {
    const text = chartOf(FOUR_WEEKS);
    expect(text.match(/class="count part"/g)).toHaveLength(2);
    expect(/class="line part" d="([^"]*)"/.exec(text)?.[1]?.match(/M/g)).toHaveLength(2);
    expect(chartOf(cutSpan(QUARTER, 'day'))).not.toContain('count part');
  });

  it('names first days where buckets begin, as many as have room', () => {
    expect(wordsIn(chartOf(FOUR_WEEKS))).toEqual(['28 Aug', '5 Oct', '2 Nov']);
    expect(wordsIn(chartOf(MONTHS))).toEqual(['Aug 2026', 'Oct 2026', 'Nov 2026']);
    const days = wordsIn(chartOf(cutSpan(QUARTER, 'day')));
    expect([days[0], days.length]).toEqual(['28 Aug', 5]);
  });
});
