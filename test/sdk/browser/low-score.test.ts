import { expect, it } from 'vitest';
import { isLowScore } from '../../../sdk/browser/low-score.ts';

it.each([
  ['nps', 6, 7],
  ['csat', 2, 3],
  ['ces', 3, 4],
  ['pmf', 0, 1],
  ['thumbs', 0, 1],
] as const)('%s: %i is low, %i is not', (type, low, high) => {
  expect([isLowScore(type, low), isLowScore(type, high)]).toEqual([true, false]);
});
