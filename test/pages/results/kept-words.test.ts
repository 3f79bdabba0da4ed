import { expect, it } from 'vitest';
import { keptWords } from '../../../pages/results/kept-words.ts';

it.each([
  [null, null, ''],
  [undefined, undefined, ''],
  ['35d', null, 'Answers are kept for 35 days.'],
  [
    '13mo',
    '2025-10-24',
    'Answers are kept for 13 months; those before 24 Oct 2025 are gone, their numbers stay.',
  ],
  [null, '2025-10-24', 'Answers before 24 Oct 2025 are gone, their numbers stay.'],
])('a survey that keeps its answers %s, complete from %s: %s', (keeps, completeFrom, words) => {
  expect(keptWords({ keeps, completeFrom })).toBe(words);
});
