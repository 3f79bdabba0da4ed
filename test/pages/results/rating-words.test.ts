import { expect, it } from 'vitest';
import { wordOf } from '../../../pages/results/rating-words.ts';
import { STRINGS } from '../../../shared/words/strings.ts';

it('a rating whose values have words is called what people chose, another one its number', () => {
  expect([0, 1, 2].map((rating) => wordOf('pmf', rating))).toEqual(STRINGS.pmf);
  expect([0, 1].map((rating) => wordOf('thumbs', rating))).toEqual(['Thumbs down', 'Thumbs up']);
  expect(wordOf('nps', 0)).toBe('0');
});
