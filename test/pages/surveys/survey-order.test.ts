import { expect, it } from 'vitest';
import { moved, orderedAs } from '../../../pages/surveys/survey-order.ts';

const ORDER = ['a', 'b', 'hidden', 'c'];
const HIDDEN = new Set(['hidden']);

it.each([
  ['b', -1, ['b', 'a', 'hidden', 'c']],
  ['b', 1, ['a', 'hidden', 'c', 'b']],
  ['c', -1, ['a', 'c', 'b', 'hidden']],
  ['a', -1, ORDER],
  ['c', 1, ORDER],
  ['gone', 1, ORDER],
] as const)('%s moved by %i, past what nobody sees', (slug, by, order) => {
  expect(moved(ORDER, slug, by, HIDDEN)).toEqual(order);
});

it('what somebody has moved stays so, whatever else came or went meanwhile', () => {
  expect(orderedAs(['a', 'b', 'c'], [])).toEqual(['a', 'b', 'c']);
  expect(orderedAs(['a', 'new', 'b', 'c'], ['c', 'b', 'a'])).toEqual(['c', 'new', 'b', 'a']);
  expect(orderedAs(['a', 'c'], ['c', 'b', 'a'])).toEqual(['c', 'a']);
});
