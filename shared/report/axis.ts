/** A scale of a chart, cut where people would cut it. */

export interface Axis {
  readonly min: number;
  readonly max: number;
  /** From the lowest to the highest. */
  readonly ticks: readonly number[];
  /** Where a value lies, from 0 to 1. */
  readonly place: (value: number) => number;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100] as const;
const MOST_TICKS = 5;

/** An axis that shows all values, within the range that they can have. */
export function axisOf(values: readonly number[], range: Range): Axis {
  const low = Math.min(...values, range.max);
  const high = Math.max(...values, range.min);
  const [from, to] = low <= high ? [low, high] : [range.min, range.max];
  const step = STEPS.find((candidate) => (to - from) / candidate <= MOST_TICKS - 1) ?? 100;
  // One step at least, though all values be the same.
  const floor = Math.floor(from / step) * step;
  const ceiling = Math.max(Math.ceil(to / step) * step, floor + step);
  const max = Math.min(range.max, ceiling);
  const min = Math.max(range.min, Math.min(floor, max - step));
  const first = Math.ceil(min / step);
  const count = Math.floor(max / step) - first + 1;
  const ticks = Array.from({ length: count }, (_, index) => Number(((first + index) * step).toFixed(1)));
  return { min, max, ticks, place: (value) => (value - min) / (max - min) };
}
