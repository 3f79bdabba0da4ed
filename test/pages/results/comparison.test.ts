import { describe, expect, it } from 'vitest';
import { compareWords, differenceOf, spanBefore } from '../../../pages/results/comparison.ts';
import { getResults } from '../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { computeScore, type ResultScore } from '../../../shared/domain/results/score.ts';

const example = getResults.reply as ResultsReply;
const npsOf = (promoters: number, passives: number, detractors: number): ResultScore => {
  const ratings = new Map([
    [10, promoters],
    [8, passives],
    [0, detractors],
  ]);
  const score = computeScore('nps', ratings);
  if (score === null) throw new Error('nobody answered');
  return score;
};
const repliedOf = (score: ResultScore | null, days: Partial<ResultsReply> = {}): ResultsReply => ({
  ...example,
  survey: { ...example.survey, type: 'nps' },
  from: '2026-11-01',
  to: '2026-11-30',
  score,
  ...days,
});

it('the days before are as many, and end the day before', () => {
  expect(spanBefore({ from: '2026-11-01', to: '2026-11-30' })).toEqual({
    from: '2026-10-02',
    to: '2026-10-31',
  });
  expect(spanBefore({ from: '2026-11-20', to: '2026-11-20' })).toEqual({
    from: '2026-11-19',
    to: '2026-11-19',
  });
});

describe('a difference', () => {
  it('is turned round with its scores', () => {
    const [one, other] = [npsOf(50, 30, 20), npsOf(20, 30, 50)];
    const [forth, back] = [differenceOf(one, other), differenceOf(other, one)];
    expect(forth.value).toBeCloseTo(60);
    expect([back.low, back.high]).toEqual([expect.closeTo(-forth.high), expect.closeTo(-forth.low)]);
    expect(forth.low).toBeLessThan(forth.value);
  });

  it('is wider than either interval, and narrower than both together', () => {
    const [one, other] = [npsOf(50, 30, 20), npsOf(45, 30, 25)];
    const { low, high } = differenceOf(one, other);
    const [first, second] = [one.high - one.low, other.high - other.low];
    expect(high - low).toBeGreaterThan(Math.max(first, second));
    expect(high - low).toBeLessThan(first + second);
  });
});

describe('in words', () => {
  const wordsOf = (now: ResultScore | null, before: ResultScore | null) =>
    compareWords(repliedOf(now), repliedOf(before, { responses: 120 })).text.replace(/<[^>]*>/g, '|');

  it('says how much, which way, and whether it may be chance', () => {
    expect(wordsOf(npsOf(30, 30, 40), npsOf(33, 30, 37))).toContain(
      '6.0 below the 30 days before, within chance',
    );
    expect(wordsOf(npsOf(500, 300, 200), npsOf(200, 300, 500))).toContain(
      '60.0 above the 30 days before, more than chance',
    );
    expect(wordsOf(npsOf(3, 3, 3), npsOf(3, 3, 3))).toContain('The same as the 30 days before');
    expect(wordsOf(npsOf(3, 3, 3), npsOf(3, 3, 3))).toContain('0.0 then, from 120 answers');
  });

  it('says that nobody answered before, and nothing where nobody answers now', () => {
    expect(wordsOf(npsOf(3, 3, 3), null)).toContain('Nobody answered in the 30 days before.');
    expect(wordsOf(null, npsOf(3, 3, 3))).toBe('');
  });

  it('of shares is in points', () => {
    const share = (value: number): ResultScore => ({
      metric: 'pmf',
      value,
      low: value - 5,
      high: value + 5,
      confidence: 0.95,
    });
    const asPmf = (value: number) => ({
      ...repliedOf(share(value)),
      survey: { ...example.survey, type: 'pmf' as const },
    });
    expect(compareWords(asPmf(45), asPmf(40)).text).toContain(
      '5.0 points above the 30 days before, within chance',
    );
  });
});
