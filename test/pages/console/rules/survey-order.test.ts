import { expect, it } from 'vitest';
import {
  decideOrder,
  isMoved,
  isOrdering,
  meetOrder,
  moved,
  orderedAs,
} from '../../../../pages/console/rules/survey-order.ts';

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

it('an order that somebody else has stored is not overwritten unseen: theirs or mine, as is decided', () => {
  const base = ['a', 'b', 'c'];
  const met = meetOrder({ base, mine: ['b', 'a', 'c'] }, ['c', 'new', 'a', 'b']);
  expect(met).toEqual({ base, mine: ['b', 'a', 'c'], theirs: ['c', 'new', 'a', 'b'] });
  // And it stays so when it is read once more.
  expect(meetOrder(met, ['c', 'new', 'a', 'b'])).toEqual(met);
  expect(decideOrder(met, 'theirs').mine).toEqual(['c', 'new', 'a', 'b']);
  const kept = decideOrder(met, 'mine');
  expect(kept).toEqual({ base: ['c', 'new', 'a', 'b'], mine: ['b', 'new', 'a', 'c'] });
  expect(meetOrder(kept, ['c', 'new', 'a', 'b']).theirs).toBeUndefined();
});

it('nobody is asked where only one of the two has moved anything, or both have moved alike', () => {
  const base = ['a', 'b', 'c'];
  expect(meetOrder({ base, mine: base }, ['c', 'a', 'b'])).toEqual({
    base: ['c', 'a', 'b'],
    mine: ['c', 'a', 'b'],
  });
  expect(meetOrder({ base, mine: ['b', 'a', 'c'] }, ['a', 'c', 'new'])).toEqual({
    base: ['a', 'c', 'new'],
    mine: ['a', 'c', 'new'],
  });
  expect(meetOrder({ base, mine: ['b', 'a', 'c'] }, ['b', 'a', 'c']).theirs).toBeUndefined();
});

it('is kept while it is not stored, and of a shape that is known', () => {
  expect(isMoved({ base: ['a', 'b'], mine: ['b', 'a'] })).toBe(true);
  // What came or went is nobody's move.
  expect(isMoved({ base: ['a', 'b'], mine: ['a', 'new'] })).toBe(false);
  expect(isOrdering({ base: ['a'], mine: ['a'] })).toBe(true);
  for (const other of [
    null,
    ['a'],
    { base: ['a'] },
    { base: ['a'], mine: [1] },
    { base: [], mine: [], theirs: '' },
  ])
    expect(isOrdering(other)).toBe(false);
});
