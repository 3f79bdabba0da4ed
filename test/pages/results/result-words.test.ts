import { expect, it } from 'vitest';
import { keptWords, wordOf } from '../../../pages/results/result-words.ts';
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
