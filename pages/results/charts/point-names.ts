/** Which points of a line have their value beside them, and where: none on another one, and away from the line. */

interface Point {
  /** From 0 to 1. */
  readonly along: number;
  readonly value: number;
  /** Pixels from the top. */
  readonly height: number;
  /** Of too few answers to be named. */
  readonly isThin?: boolean;
}

interface Name extends Point {
  /** Where its letters stand. */
  readonly y: number;
}

/** Of letters from their point, above it and below. */
const [ABOVE, BELOW] = [9, 19] as const;
/** Of letters: their height, and their width on a phone as a share of the chart. */
const [TALL, WIDE] = [15, 0.2] as const;
/** Pixels that are free between letters and a line across. */
const CLEAR = 2;

/**
 * The last, the lowest, the highest and the first one, as far as they have room.
 * @param lines heights of lines across on which no letters stand
 */
export function placeNames(points: readonly Point[], lines: readonly number[] = []): readonly Name[] {
  const places = [...points.keys()].filter((place) => !points[place]?.isThin);
  const byValue = (sign: 1 | -1) =>
    places.toSorted((a, b) => sign * ((points[a]?.value ?? 0) - (points[b]?.value ?? 0)))[0];
  const wanted = new Set([places.at(-1), byValue(1), byValue(-1), places[0]]);
  const placed: Name[] = [];
  for (const place of wanted) {
    const point = place === undefined ? undefined : points[place];
    if (point === undefined || place === undefined) continue;
    const beside = [points[place - 1], points[place + 1]].filter((other) => other !== undefined);
    // The line comes from where its neighbours are.
    const rise = beside.reduce((sum, { height }) => sum + height - point.height, 0);
    const sides = rise < 0 ? [BELOW, -ABOVE] : [-ABOVE, BELOW];
    const y = sides
      .map((side) => point.height + side)
      .find(
        (at) =>
          lines.every((line) => line < at + CLEAR - TALL || at + CLEAR < line) &&
          placed.every(
            (other) => Math.abs(other.along - point.along) >= WIDE || Math.abs(other.y - at) >= TALL,
          ),
      );
    if (y !== undefined) placed.push({ ...point, y });
  }
  return placed;
}
