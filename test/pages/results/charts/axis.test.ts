import { expect, it } from 'vitest';
import { scoreAxis } from '../../../../pages/results/charts/axis.ts';

const ticksOf = (low: number, high: number) => scoreAxis('ces', [{ score: { low, high } }]).ticks;

it('of a scale from 1 to 7 shows its ends, unless it is cut', () => {
  expect(ticksOf(1.4, 6.8)).toEqual([1, 4, 7]);
  expect(ticksOf(5.1, 6.8)).toEqual([5, 5.5, 6, 6.5, 7]);
  const { place } = scoreAxis('ces', [{ score: { low: 1, high: 7 } }]);
  expect([1, 4, 7].map(place)).toEqual([0, 0.5, 1]);
});
