/** The scores of four weeks in a small line; a week without answers is a gap. */

import type { OverviewReply } from '../../../../shared/contract/overview-schemas.ts';
import { formatScore, SCORE_RANGE, writeShortDay } from '../../../results/figures.ts';

type Line = OverviewReply['surveys'][number];

const SIZE = { width: 96, height: 28, edge: 4 } as const;
/** Of the range of scores: what is less apart is drawn as a line that is nearly level. */
const LEAST_SHARE = 0.1;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Points that follow on each other without a gap. */
function runsOf(points: readonly (Point | undefined)[]): readonly (readonly Point[])[] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point === undefined) runs.push([]);
    else runs.at(-1)?.push(point);
  }
  return runs.filter((run) => run.length > 0);
}

function placed(type: Line['type'], trend: Line['trend']): readonly (Point | undefined)[] {
  const values = trend.flatMap(({ score }) => (score === null ? [] : [score.value]));
  const { min, max } = SCORE_RANGE[type];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(high - low, (max - min) * LEAST_SHARE);
  const bottom = (high + low - span) / 2;
  const { width, height, edge } = SIZE;
  return trend.map(({ score }, index) =>
    score === null
      ? undefined
      : {
          x: edge + (index / Math.max(1, trend.length - 1)) * (width - 2 * edge),
          y: height - edge - ((score.value - bottom) / span) * (height - 2 * edge),
        },
  );
}

export function Spark({ type, trend }: Pick<Line, 'type' | 'trend'>) {
  const said = trend.map(
    ({ from, score }) =>
      `week from ${writeShortDay(from)}: ${score === null ? 'no answers' : formatScore(type, score.value)}`,
  );
  const points = placed(type, trend);
  const last = points.findLast((point) => point !== undefined);
  if (last === undefined) return <span class="about" aria-label="No answers in four weeks" role="img" />;
  return (
    <svg class="spark" width={SIZE.width} height={SIZE.height} role="img" aria-label={said.join(', ')}>
      {runsOf(points).map((run) => (
        <polyline key={run[0]?.x} class="line" points={run.map(({ x, y }) => `${x},${y}`).join(' ')} />
      ))}
      {points.map((point) => point && <circle key={point.x} class="dot" cx={point.x} cy={point.y} r="2.5" />)}
    </svg>
  );
}
