import { describe, expect, it } from 'vitest';
import { overview } from '../../../pages/results/overview.ts';
import { getResults } from '../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';

const example = getResults.reply as ResultsReply;
const days = { from: '2026-08-29', to: '2026-11-26' };

/** A satisfaction score of 60 %, beside the days before. */
function scored(value: number, low: number, high: number): ResultsReply {
  const score = { value: 60, low: 55, high: 65, parts: [] };
  return {
    ...example,
    ...days,
    survey: { ...example.survey, type: 'csat' },
    score: { ...example.score, ...score },
    previous: {
      ...days,
      responses: 100,
      score: { ...example.score, ...score, value: 60 - value },
      difference: { value, low, high },
    },
  } as ResultsReply;
}
const sentencesOf = (...surveys: readonly ResultsReply[]) =>
  [...overview(surveys).text.matchAll(/<p class="moved">(.*?)<\/p>/g)].map(([, said = '']) => said);
const wordsOf = (said: string | undefined) => said?.replace(/<[^>]*>/g, '');

describe('a report of several surveys says of each in a sentence what moved', () => {
  it('down, up, or perhaps not', () => {
    const [down, up, chance] = sentencesOf(scored(-10, -18, -2), scored(10, 2, 18), scored(-3, -9, 3));
    expect(wordsOf(down)).toBe('▼Down 10.0 points vs. the previous 90 days, very likely a real difference.');
    expect(down).toContain('class="chip down"');
    expect(wordsOf(up)).toBe('▲Up 10.0 points vs. the previous 90 days, very likely a real difference.');
    expect(up).toContain('class="chip up"');
    expect(wordsOf(chance)).toBe('▼Down 3.0 points vs. the previous 90 days, which may be due to chance.');
    expect(chance).toContain('class="chip even"');
  });

  it('nothing moved, nobody answered before, and nobody answers now', () => {
    const still = scored(0, -5, 5);
    const fresh: ResultsReply = {
      ...still,
      previous: { ...days, responses: 0, score: null, difference: null },
    } as ResultsReply;
    const [unchanged, first, silent] = sentencesOf(still, fresh, { ...still, score: null });
    expect(wordsOf(unchanged)).toBe('Unchanged from the previous 90 days.');
    expect(first).toBe('No responses in the previous 90 days.');
    expect(silent).toBe('No responses in this period.');
  });

  it('where small numbers are not shown, that nothing may be too little', () => {
    const few: ResultsReply = { ...scored(0, -5, 5), smallestCell: 5, shownTo: '2026-11-22' };
    const fresh = { ...few, previous: { ...days, responses: 0, score: null, difference: null } };
    expect(sentencesOf(fresh, { ...few, score: null })).toEqual([
      'No responses in the previous 90 days, or too few to show.',
      'No responses in this period, or too few to show.',
    ]);
  });
});
