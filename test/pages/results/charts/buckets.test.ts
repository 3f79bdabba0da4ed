import { describe, expect, it } from 'vitest';
import { bucketWords, coarsen, partialOf, slotsOf } from '../../../../pages/results/charts/buckets.ts';
import { getResults } from '../../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../../shared/contract/results-schemas.ts';
import { type Bucket, cutSpan } from '../../../../shared/domain/days.ts';
import { computeScore } from '../../../../shared/domain/results/score.ts';

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
  ])('mark both ends as incomplete: %s', (_, series, words, parts) => {
    expect(bucketWords(series)).toEqual({ whole: `per ${words}`, parts });
    expect(endsOf(partialOf(series))).toEqual([true, false, true]);
  });

  it.each([
    ['days', cutSpan(QUARTER, 'day'), 'per day'],
    ['weeks', cutSpan(span('2026-08-31', '2026-11-22'), 'week'), 'per week'],
    ['months', cutSpan(span('2026-09-01', '2026-11-30'), 'month'), 'per month'],
    ['quarters', [span('2026-01-01', '2026-03-31'), span('2026-04-01', '2026-06-30')], 'per 3 months'],
    ['one bucket, which may be anything', [span('2026-11-23', '2026-11-25')], ''],
  ])('mark none as incomplete: %s', (_, series, words) => {
    expect(bucketWords(series)).toEqual({ whole: words, parts: '' });
    expect(partialOf(series)).not.toContain(true);
  });

  it('are all incomplete if the period contains no complete one', () => {
    const week = [span('2026-11-19', '2026-11-22'), span('2026-11-23', '2026-11-25')];
    expect(bucketWords(week).parts).toBe('first (4 days), last (3 days)');
  });

  it('call a single day incomplete if the next bucket is a week', () => {
    const series = [span('2026-11-01', '2026-11-01'), span('2026-11-02', '2026-11-08')];
    expect(bucketWords(series)).toEqual({ whole: 'per week', parts: 'first (1 day)' });
  });

  it('are as wide as their number of days', () => {
    const slots = slotsOf(FOUR_WEEKS);
    expect(slots.map(({ from }) => Math.round(90 * from))).toEqual([0, 10, 38, 66]);
    expect(slots.at(-1)?.to).toBe(1);
    expect(slots[1]?.middle).toBeCloseTo(24 / 90);
  });
});

const example = getResults.reply as ResultsReply;

function replyOf(by: Bucket, each: number, covered = QUARTER): ResultsReply {
  const distribution = Array.from({ length: 11 }, (_, rating) => ({
    rating,
    count: rating === 10 ? Math.min(1, each) : rating === 0 ? Math.max(0, each - 1) : 0,
  }));
  const score = computeScore('nps', new Map(distribution.map(({ rating, count }) => [rating, count])));
  const bar = { responses: each, distribution, score, dismissals: 1, shows: null };
  const series = cutSpan(covered, by).map((bucket) => ({ ...bucket, ...bar }));
  return { ...example, survey: { ...example.survey, type: 'nps' }, series, responses: each * series.length };
}

describe('combined buckets', () => {
  it.each([
    ['week', 20, 14],
    ['week', 10, 7],
    ['week', 4, 4],
    ['day', 20, 90],
    ['day', 3, 13],
    ['month', 1, 4],
  ] as const)('of a series by %s with %i responses each are %i', (by, each, count) => {
    expect(coarsen(replyOf(by, each))).toHaveLength(count);
  });

  it('are at least three, even without responses', () => {
    const week = { from: '2026-11-19', to: '2026-11-25' };
    expect(coarsen(replyOf('day', 0, week))).toHaveLength(7);
  });

  it('cover the same days and responses without gaps', () => {
    const reply = replyOf('week', 5);
    const points = coarsen(reply);
    expect([points[0]?.from, points.at(-1)?.to]).toEqual([QUARTER.from, QUARTER.to]);
    expect(points.map(({ responses }) => responses)).toEqual([10, 20, 20, 20]);
    expect(points.at(-1)).toMatchObject({
      dismissals: 4,
      shows: null,
      score: { promoters: 4, detractors: 16 },
    });
  });
});
