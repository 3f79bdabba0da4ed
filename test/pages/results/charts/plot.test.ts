import { describe, expect, it } from 'vitest';
import { placeNames, scoreAxis } from '../../../../pages/results/charts/plot.ts';

const ticksOf = (low: number, high: number) => scoreAxis('ces', [{ score: { low, high } }]).ticks;

it('shows both ends of a 7-point axis, unless it is cut', () => {
  expect(ticksOf(1.4, 6.8)).toEqual([1, 4, 7]);
  expect(ticksOf(5.1, 6.8)).toEqual([5, 5.5, 6, 6.5, 7]);
  const { place } = scoreAxis('ces', [{ score: { low: 1, high: 7 } }]);
  expect([1, 4, 7].map(place)).toEqual([0, 0.5, 1]);
});

/** A line whose points have these values as heights. */
const lineOf = (...values: readonly number[]) =>
  values.map((value, index) => ({
    along: (index + 0.5) / values.length,
    value,
    height: 150 - value,
  }));
const namesOf = (...values: readonly number[]) =>
  placeNames(lineOf(...values))
    .map(({ value }) => value)
    .sort((a, b) => a - b);

describe('point labels', () => {
  it('mark the first, last, lowest and highest point', () => {
    expect(namesOf(50, 60, 20, 70, 90, 80, 55)).toEqual([20, 50, 55, 90]);
    expect(namesOf(50)).toEqual([50]);
    expect(namesOf()).toEqual([]);
  });

  it('skip points with few responses', () => {
    const line = lineOf(50, 60, 20, 70, 90, 80, 55).map((point, place) => ({
      ...point,
      isThin: place === 4,
    }));
    expect(placeNames(line).map(({ value }) => value)).not.toContain(90);
  });

  it('avoid horizontal lines', () => {
    const [above] = placeNames(lineOf(50));
    const [below] = placeNames(lineOf(50), [(above?.y ?? 0) - 5]);
    expect([above?.y, below?.y]).toEqual([91, 119]);
    expect(placeNames(lineOf(50), [86, 114])).toEqual([]);
  });

  it('are on the side away from the line', () => {
    const [last, low, high] = placeNames(lineOf(50, 10, 90, 50));
    expect([last, low, high].map((name) => (name ? Math.sign(name.y - name.height) : 0))).toEqual([1, 1, -1]);
  });

  it('never overlap, and prefer the last point', () => {
    const line = lineOf(...Array.from({ length: 30 }, (_, index) => (index === 28 ? 51 : 50)));
    const names = placeNames(line);
    expect(names[0]?.along).toBe(line.at(-1)?.along);
    for (const one of names)
      for (const other of names)
        if (one !== other)
          expect(Math.abs(one.along - other.along) >= 0.2 || Math.abs(one.y - other.y) >= 15).toBe(true);
  });
});
