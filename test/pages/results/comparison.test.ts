import { describe, expect, it } from 'vitest';
import { compareWords } from '../../../pages/results/comparison.ts';
import { getResults } from '../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { computeScore } from '../../../shared/domain/results/score.ts';

const example = getResults.reply as ResultsReply;
const { previous: _, ...plain } = example;
const score = computeScore('nps', new Map([[10, 3]]));
const differing = (value: number, low: number, high: number) => ({ value, low, high });

const reply = (more: Partial<ResultsReply>): ResultsReply => ({
  ...plain,
  survey: { ...plain.survey, type: 'nps' },
  from: '2026-11-01',
  to: '2026-11-30',
  score,
  ...more,
});
const wordsOf = (more: Partial<ResultsReply>) => compareWords(reply(more)).text.replace(/<[^>]*>/g, '|');
const before = { from: '2026-10-02', to: '2026-10-31', responses: 120, score };

describe('a comparison with the preceding days', () => {
  it.each([
    [differing(-6, -9, 2), '|−6.0| vs. the previous 30 days, possibly due to chance'],
    [differing(60, 50, 70), '|+60.0| vs. the previous 30 days, very likely a real difference'],
    [differing(0.04, 0.01, 0.07), '|No difference| from the previous 30 days|'],
  ])('states size, direction and chance: %j', (difference, words) => {
    expect(wordsOf({ previous: { ...before, difference } })).toContain(words);
  });

  it('states the earlier score', () => {
    const difference = differing(3, -1, 7);
    expect(wordsOf({ previous: { ...before, difference } })).toContain(
      'Previously: 100.0 (120 responses). 95% interval of the difference: −1.0 to 7.0.|',
    );
    expect(wordsOf({ previous: { ...before, responses: 1, difference } })).toContain('(1 response).');
  });

  it('states that there were no responses before, and is empty if there are none now', () => {
    const nobody = { ...before, responses: 0, score: null, difference: null };
    expect(wordsOf({ previous: nobody })).toContain('No responses in the previous 30 days.');
    expect(wordsOf({ score: null, previous: { ...before, difference: null } })).toBe('');
    expect(wordsOf({})).toBe('');
  });

  it('is in points for shares, and in units for the effort score', () => {
    const previous = { ...before, difference: differing(5, -1, 11) };
    const of = (type: 'pmf' | 'ces') => wordsOf({ survey: { ...plain.survey, type }, previous });
    expect(of('pmf')).toContain('|+5.0 points|');
    expect(of('ces')).toContain('|+5.00|');
  });
});

describe('a comparison with another value', () => {
  const against = { value: '<b>free</b>', responses: 12, score, difference: differing(-4, -9, 1) };

  it('escapes the value', () => {
    const { text } = compareWords(reply({ against }));
    expect(text).toContain('−4.0</span> vs. <bdi>&lt;b&gt;free&lt;/b&gt;</bdi>, possibly due to chance');
    expect(text).toContain('<bdi>&lt;b&gt;free&lt;/b&gt;</bdi>: 100.0 (12 responses).');
  });

  it('states that the other value has no responses', () => {
    const none = { ...against, value: null, responses: 0, score: null, difference: null };
    expect(wordsOf({ against: none })).toContain('No responses for |not given|.');
  });
});
