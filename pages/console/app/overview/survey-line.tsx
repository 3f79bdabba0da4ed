import type { OverviewReply } from '../../../../shared/contract/overview-schemas.ts';
import { hasScale } from '../../../../shared/domain/surveys/survey.ts';
import {
  formatCount,
  formatInterval,
  formatScore,
  scoreRange,
  writeShortDay,
} from '../../../results/figures.ts';
import { mostChosen } from '../../../results/result-words.ts';
import { TYPE_TEXTS } from '../../../type-texts.ts';
import { keepsDraft } from '../session/tab.ts';
import { Status } from '../shell/notice.tsx';
import { hrefOf } from '../shell/route.ts';

type Line = OverviewReply['surveys'][number];

const SIZE = { width: 96, height: 28, edge: 4 } as const;
/** Share of the range of scores, so that small differences look small. */
const LEAST_SHARE = 0.1;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Splits the points at weeks without a score. */
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
  const { min, max } = scoreRange(type);
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

function Spark({ type, trend }: Pick<Line, 'type' | 'trend'>) {
  const said = trend.map(
    ({ from, score }) =>
      `Week of ${writeShortDay(from)}: ${score === null ? 'no responses' : formatScore(type, score.value)}`,
  );
  const points = placed(type, trend);
  const last = points.findLast((point) => point !== undefined);
  if (last === undefined) return <span class="about" aria-label="No responses in four weeks" role="img" />;
  return (
    <svg class="spark" width={SIZE.width} height={SIZE.height} role="img" aria-label={said.join(', ')}>
      {runsOf(points).map((run) => (
        <polyline key={run[0]?.x} class="line" points={run.map(({ x, y }) => `${x},${y}`).join(' ')} />
      ))}
      {points.map((point) => point && <circle key={point.x} class="dot" cx={point.x} cy={point.y} r="2.5" />)}
    </svg>
  );
}

export function SurveyLine({ survey }: { readonly survey: Line }) {
  const { slug, type, question, status, score, responses, openContacts, trend, distribution = [] } = survey;
  return (
    <li class="line">
      <div class="which">
        <a href={hrefOf({ screen: 'survey', slug })}>
          <bdi>{question}</bdi>
        </a>
        <span class="about">
          {slug} · {hasScale(type) ? TYPE_TEXTS[type].score : TYPE_TEXTS[type].name}
          {keepsDraft(slug) && ' · unsaved changes'}
        </span>
      </div>
      <div>
        <Status of={status} />
      </div>
      <div class="number">
        <span class="head">{hasScale(type) ? 'Score' : 'Result'}</span>
        {score === null ? (
          <span class="about">{mostChosen(distribution) || (hasScale(type) ? 'No responses' : 'None')}</span>
        ) : (
          <>
            <strong>{formatScore(type, score.value)}</strong>
            <span class="about interval">{formatInterval(type, score)}</span>
          </>
        )}
      </div>
      <div class="trend">{hasScale(type) && <Spark type={type} trend={trend} />}</div>
      <div class="number">
        <span class="head">Responses</span>
        <strong>{formatCount(responses)}</strong>
      </div>
      <div class="number">
        <span class="head">Open contact requests</span>
        {openContacts === 0 ? (
          <span class="about">0</span>
        ) : (
          <strong class="waits">{formatCount(openContacts)}</strong>
        )}
      </div>
    </li>
  );
}
