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
] as const)('moves %s by %i and skips hidden surveys', (slug, by, order) => {
  expect(moved(ORDER, slug, by, HIDDEN)).toEqual(order);
});

it('keeps moves when other surveys were added or removed', () => {
  expect(orderedAs(['a', 'b', 'c'], [])).toEqual(['a', 'b', 'c']);
  expect(orderedAs(['a', 'new', 'b', 'c'], ['c', 'b', 'a'])).toEqual(['c', 'new', 'b', 'a']);
  expect(orderedAs(['a', 'c'], ['c', 'b', 'a'])).toEqual(['c', 'a']);
});

it('does not overwrite another person’s order without a choice', () => {
  const base = ['a', 'b', 'c'];
  const met = meetOrder({ base, mine: ['b', 'a', 'c'] }, ['c', 'new', 'a', 'b']);
  expect(met).toEqual({ base, mine: ['b', 'a', 'c'], theirs: ['c', 'new', 'a', 'b'] });
  // Reading it again changes nothing.
  expect(meetOrder(met, ['c', 'new', 'a', 'b'])).toEqual(met);
  expect(decideOrder(met, 'theirs').mine).toEqual(['c', 'new', 'a', 'b']);
  const kept = decideOrder(met, 'mine');
  expect(kept).toEqual({ base: ['c', 'new', 'a', 'b'], mine: ['b', 'new', 'a', 'c'] });
  expect(meetOrder(kept, ['c', 'new', 'a', 'b']).theirs).toBeUndefined();
});

it('needs no choice if only one person moved anything, or both moved alike', () => {
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

it('recognizes unsaved moves and valid stored orders', () => {
  expect(isMoved({ base: ['a', 'b'], mine: ['b', 'a'] })).toBe(true);
  // An added or removed survey is not a move.
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
