import { describe, expect, it } from 'vitest';
import { coarsen } from '../../../../pages/results/charts/coarse-series.ts';
import { getResults } from '../../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../../shared/contract/results-schemas.ts';
import { type Bucket, cutSpan } from '../../../../shared/domain/days.ts';
import { computeScore } from '../../../../shared/domain/results/score.ts';

const example = getResults.reply as ResultsReply;
const SPAN = { from: '2026-08-28', to: '2026-11-25' };

/** Of each bucket one promoter and, where there are more, detractors. */
function replyOf(by: Bucket, each: number, span = SPAN): ResultsReply {
  const distribution = Array.from({ length: 11 }, (_, rating) => ({
    rating,
    count: rating === 10 ? Math.min(1, each) : rating === 0 ? Math.max(0, each - 1) : 0,
  }));
  const score = computeScore('nps', new Map(distribution.map(({ rating, count }) => [rating, count])));
  const bar = { responses: each, distribution, score, dismissals: 1, shows: null };
  const series = cutSpan(span, by).map((bucket) => ({ ...bucket, ...bar }));
  return { ...example, survey: { ...example.survey, type: 'nps' }, series, responses: each * series.length };
}

describe('the points of a trend', () => {
  it.each([
    ['week', 20, 14],
    ['week', 10, 7],
    ['week', 4, 4],
    ['day', 20, 90],
    ['day', 3, 13],
    ['month', 1, 4],
  ] as const)('by %s with %i answers each: %i', (by, each, count) => {
    expect(coarsen(replyOf(by, each))).toHaveLength(count);
  });

  it('stay three at least, though nobody answered', () => {
    const week = { from: '2026-11-19', to: '2026-11-25' };
    expect(coarsen(replyOf('day', 0, week))).toHaveLength(7);
  });

  it('cover the same days without gaps, and count the same answers', () => {
    const reply = replyOf('week', 5);
    const points = coarsen(reply);
    expect([points[0]?.from, points.at(-1)?.to]).toEqual([SPAN.from, SPAN.to]);
    expect(points.map(({ responses }) => responses)).toEqual([10, 20, 20, 20]);
    expect(points.at(-1)).toMatchObject({
      dismissals: 4,
      shows: null,
      score: { promoters: 4, detractors: 16 },
    });
  });
});
