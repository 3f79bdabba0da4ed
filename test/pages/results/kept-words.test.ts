import { expect, it } from 'vitest';
import { keptWords } from '../../../pages/results/kept-words.ts';

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
])('a survey that keeps its answers %s, complete from %s: %s', (keeps, completeFrom, words) => {
  expect(keptWords({ keeps, completeFrom })).toBe(words);
});
