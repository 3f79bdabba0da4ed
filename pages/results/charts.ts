/** Charts of results as SVG: plain shapes with classes, so that they need no script and the page's style colours them. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import type { SurveyType } from '../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../html.ts';
import { formatCount, formatDays, formatScore, formatValue, SCORE_NAMES, SCORE_RANGE } from './figures.ts';

const WIDTH = 420;
const LEFT = 44;
const RIGHT = WIDTH - 10;

/** Coordinates need no more digits. */
const at = (value: number): number => Math.round(value * 10) / 10;

function svg(height: number, label: string, shapes: readonly Html[]): Html {
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}">${shapes}</svg>`;
}

/** A scale of a chart, cut where people would cut it. */
interface Axis {
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
function axisOf(values: readonly number[], range: Range): Axis {
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

/** From where on ratings are middling, and good. */
const TONES: Readonly<Record<SurveyType, { readonly middle: number; readonly high: number }>> = {
  nps: { middle: 7, high: 9 },
  csat: { middle: 3, high: 4 },
  ces: { middle: 4, high: 5 },
  pmf: { middle: 1, high: 2 },
  thumbs: { middle: 1, high: 1 },
};

/** How a rating counts towards the score. */
function toneOf(type: SurveyType, rating: number): 'low' | 'middle' | 'high' {
  const { middle, high } = TONES[type];
  if (rating >= high) return 'high';
  return rating >= middle ? 'middle' : 'low';
}

export function distributionChart({ survey, distribution, responses }: ResultsReply): Html {
  const [top, bottom] = [22, 142];
  const most = Math.max(1, ...distribution.map(({ count }) => count));
  const slot = (RIGHT - 10) / distribution.length;
  const shapes = distribution.map(({ rating, count }, index) => {
    const height = ((bottom - top) * count) / most;
    const middle = at(10 + (index + 0.5) * slot);
    const width = at(slot * 0.72);
    return html`<rect class="bar ${toneOf(survey.type, rating)}" x="${at(middle - width / 2)}" y="${at(bottom - height)}" width="${width}" height="${at(height)}"/><text class="middle" x="${middle}" y="${at(bottom - height - 5)}">${formatCount(count)}</text><text class="middle strong" x="${middle}" y="${bottom + 16}">${rating}</text>`;
  });
  const line = html`<line class="axis" x1="10" x2="${RIGHT}" y1="${bottom}" y2="${bottom}"/>`;
  const counts = distribution.map(({ rating, count }) => `${rating}: ${formatCount(count)}`).join(', ');
  return svg(164, `Distribution of ${formatCount(responses)} responses by rating. ${counts}`, [
    line,
    ...shapes,
  ]);
}

type Point = ResultsReply['series'][number];

interface Placed {
  readonly x: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Points that follow one another without a bucket that has no answers between. */
function runsOf(
  series: readonly Point[],
  xOf: (index: number) => number,
  yOf: (value: number) => number,
): Placed[][] {
  const runs: Placed[][] = [[]];
  for (const [index, { score }] of series.entries()) {
    if (score === null) runs.push([]);
    else
      runs.at(-1)?.push({
        x: at(xOf(index)),
        value: at(yOf(score.value)),
        low: at(yOf(score.low)),
        high: at(yOf(score.high)),
      });
  }
  return runs.filter((run) => run.length > 0);
}

function drawRun(run: readonly Placed[]): Html {
  const dots = run.map(({ x, value }) => html`<circle class="dot" cx="${x}" cy="${value}" r="2.5"/>`);
  const [only, ...more] = run;
  if (only !== undefined && more.length === 0)
    return html`<line class="whisker" x1="${only.x}" x2="${only.x}" y1="${only.low}" y2="${only.high}"/>${dots}`;
  const pathOf = (points: readonly string[]) => `M${points.join('L')}`;
  const band = [
    ...run.map(({ x, high }) => `${x} ${high}`),
    ...[...run].reverse().map(({ x, low }) => `${x} ${low}`),
  ];
  return html`<path class="band" d="${pathOf(band)}Z"/><path class="line" d="${pathOf(run.map(({ x, value }) => `${x} ${value}`))}"/>${dots}`;
}

const scoresOf = (rows: readonly Pick<Point, 'score'>[]): number[] =>
  rows.flatMap(({ score }) => (score === null ? [] : [score.low, score.high]));

/** The score of each bucket with its interval, and under it how many answers it rests on. */
export function trendChart({ survey: { type }, series }: ResultsReply): Html {
  const [top, bottom, barTop, barBottom] = [10, 130, 146, 176];
  const axis = axisOf(scoresOf(series), SCORE_RANGE[type]);
  const slot = (RIGHT - LEFT) / series.length;
  const xOf = (index: number) => LEFT + (index + 0.5) * slot;
  const yOf = (value: number) => bottom - axis.place(value) * (bottom - top);
  const grid = axis.ticks.map(
    (tick) =>
      html`<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${at(yOf(tick))}" y2="${at(yOf(tick))}"/><text class="end" x="${LEFT - 6}" y="${at(yOf(tick) + 4)}">${tick}</text>`,
  );
  const most = Math.max(1, ...series.map(({ responses }) => responses));
  const bars = series.map(({ responses }, index) => {
    const height = at(((barBottom - barTop) * responses) / most);
    return html`<rect class="count" x="${at(xOf(index) - slot * 0.4)}" y="${at(barBottom - height)}" width="${at(slot * 0.8)}" height="${height}"/>`;
  });
  const [first, last] = [series[0], series.at(-1)];
  const days = html`<text x="${LEFT}" y="194">${first?.from ?? ''}</text><text class="end" x="${RIGHT}" y="194">${last?.to ?? ''}</text>`;
  const count = html`<text class="end" x="${LEFT - 6}" y="${barBottom}">n ≤ ${formatCount(most)}</text>`;
  const known = series.filter(({ score }) => score !== null);
  const ends = [known[0], known.at(-1)].map((point) =>
    point?.score == null ? '' : `${formatScore(type, point.score.value)} in ${formatDays(point)}`,
  );
  const label = known.length === 0 ? 'no answers' : `from ${ends[0]} to ${ends[1]}, with intervals of 95 %`;
  return svg(200, `Trend of ${SCORE_NAMES[type]}: ${label}`, [
    ...grid,
    ...runsOf(series, xOf, yOf).map(drawRun),
    ...bars,
    count,
    days,
  ]);
}

const LABEL_CHARACTERS = 18;
const ROW = 24;

const shorten = (text: string): string => {
  const characters = [...text];
  return characters.length <= LABEL_CHARACTERS
    ? text
    : `${characters.slice(0, LABEL_CHARACTERS - 1).join('')}…`;
};

/** The score of each value of a segment, with its interval. */
export function segmentChart(
  type: SurveyType,
  name: string,
  segments: NonNullable<ResultsReply['segments']>,
): Html {
  const left = 130;
  const bottom = 6 + segments.length * ROW;
  const axis: Axis = axisOf(scoresOf(segments), SCORE_RANGE[type]);
  const xOf = (value: number) => at(left + axis.place(value) * (RIGHT - left));
  const grid = axis.ticks.map(
    (tick) =>
      html`<line class="grid" x1="${xOf(tick)}" x2="${xOf(tick)}" y1="4" y2="${bottom}"/><text class="middle" x="${xOf(tick)}" y="${bottom + 15}">${tick}</text>`,
  );
  const rows = segments.map(({ value, score }, index) => {
    const y = at(4 + (index + 0.5) * ROW);
    const label = html`<text class="end" x="${left - 10}" y="${y + 4}">${shorten(formatValue(value))}</text>`;
    if (score === null) return label;
    return html`${label}<line class="whisker" x1="${xOf(score.low)}" x2="${xOf(score.high)}" y1="${y}" y2="${y}"/><circle class="dot" cx="${xOf(score.value)}" cy="${y}" r="4"/>`;
  });
  return svg(bottom + 22, `${SCORE_NAMES[type]} by ${name}, with intervals of 95 %`, [...grid, ...rows]);
}
