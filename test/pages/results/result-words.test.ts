import { describe, expect, it } from 'vitest';
import { counted } from '../../../pages/results/figures.ts';
import { keptWords, silenceWords, wordOf } from '../../../pages/results/result-words.ts';
import { STRINGS } from '../../../shared/words/strings.ts';

it('names a rating by its word, or by its number if it has none', () => {
  expect([0, 1, 2].map((rating) => wordOf('pmf', rating))).toEqual(STRINGS.pmf);
  expect([0, 1].map((rating) => wordOf('thumbs', rating))).toEqual(['Thumbs down', 'Thumbs up']);
  expect(wordOf('nps', 0)).toBe('0');
});

it.each([
  [null, null, ''],
  [undefined, undefined, ''],
  ['35d', null, 'Responses are kept for 35 days.'],
  [
    '13mo',
    '2025-10-24',
    'Responses are kept for 13 months. Those before Oct 24, 2025 were deleted, but the numbers include them.',
  ],
  [null, '2025-10-24', 'Responses before Oct 24, 2025 were deleted, but the numbers include them.'],
])('describes retention of %s with deletion before %s as: %s', (keeps, completeFrom, words) => {
  expect(keptWords({ keeps, completeFrom })).toBe(words);
});

it.each([
  [0, '0 responses', '0 people are'],
  [1, '1 response', '1 person is'],
  [1_240, '1,240 responses', '1,240 people are'],
])('counts %i in the singular or the plural: %s, %s', (count, responses, people) => {
  expect(counted(count, 'response')).toBe(responses);
  expect(counted(count, 'person is', 'people are')).toBe(people);
});

describe('a period without responses', () => {
  const unseen = { shows: null, dismissals: null };

  it.each([
    [undefined, unseen, 'The survey is not active, so people do not see it.'],
    [{ status: 'draft' }, unseen, 'The survey is a draft. People see it after it is published.'],
    [{ status: 'paused' }, unseen, 'The survey is paused, so people do not see it.'],
    [{ status: 'active' }, unseen, 'The survey is active. Responses appear here within seconds.'],
    [{ status: 'active', responses: 1 }, unseen, 'There is 1 response outside this period.'],
    [{ status: 'active', responses: 1_240 }, unseen, 'There are 1,240 responses outside this period.'],
  ])('of %j is described by status and other responses', (survey, counts, words) => {
    expect(silenceWords(survey, counts)).toBe(words);
  });

  it.each([
    [null, 3, 'The survey is active'],
    [0, 0, 'The survey had 0 impressions and 0 dismissals. The survey is active'],
    [1, 1, 'The survey had 1 impression and 1 dismissal. The survey is active'],
    [1_240, 12, 'The survey had 1,240 impressions and 12 dismissals. The survey is active'],
  ])('mentions %s impressions and %s dismissals', (shows, dismissals, words) => {
    expect(silenceWords({ status: 'active' }, { shows, dismissals })).toMatch(new RegExp(`^${words}`));
  });
});
