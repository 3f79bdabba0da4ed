/** The score of each bucket of days with its interval, and under it how many answers it rests on. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { countDays } from '../../../shared/domain/days.ts';
import { type Html, html } from '../../html.ts';
import {
  formatCount,
  formatInterval,
  formatScore,
  formatScoreTick,
  formatShortCount,
  SCORE_NAMES,
  writeMonth,
  writeShortDay,
  writeSpan,
} from '../figures.ts';
import { type Axis, wholeAxis } from './axis.ts';
import { percent, plot, px, type Reading } from './plot.ts';

type Results = Pick<ResultsReply, 'survey' | 'series'>;
type Point = ResultsReply['series'][number];

const SCORES = { top: 10, bottom: 150 } as const;
const COUNTS = { top: 182, bottom: 214 } as const;
const HEIGHT = 238;
/** Of a line that is stretched to the width of its room. */
const UNITS = 1_000;
const MOST_DOTS = 45;
const MOST_LABELS = 5;
/** So many have room for their words. */
const WIDE_BUCKETS = 6;
const FULL_FEBRUARY = 28;
/** A score of fewer answers says little. */
export const FEW = 5;
const CAP = 4;

const heightOf = (axis: Axis, value: number): number =>
  px(SCORES.bottom - axis.place(value) * (SCORES.bottom - SCORES.top));

interface Placed {
  /** From 0 to 1. */
  readonly along: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly isThin: boolean;
}

/** Points that follow one another without a bucket that has no answers between. */
function runsOf(series: readonly Point[], axis: Axis): Placed[][] {
  const runs: Placed[][] = [[]];
  for (const [index, { score, responses }] of series.entries()) {
    const along = (index + 0.5) / series.length;
    if (score === null) runs.push([]);
    else {
      const [value, low, high] = [score.value, score.low, score.high].map((each) => heightOf(axis, each));
      runs.at(-1)?.push({
        along,
        value: value ?? 0,
        low: low ?? 0,
        high: high ?? 0,
        isThin: responses < FEW,
      });
    }
  }
  return runs.filter((run) => run.length > 0);
}

const pathOf = (points: readonly (readonly [along: number, height: number])[]): string =>
  `M${points.map(([along, height]) => `${px(along * UNITS)} ${height}`).join('L')}`;

const stretched = (shapes: Html): Html =>
  html`<svg width="100%" height="${HEIGHT}" viewBox="0 0 ${UNITS} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${shapes}</svg>`;

function drawRun(run: readonly Placed[], hasDots: boolean): Html {
  const dots = run.map(
    ({ along, value, isThin }) =>
      html`<circle class="dot${isThin ? ' thin' : ''}" cx="${percent(along)}" cy="${value}" r="3.5"/>`,
  );
  const [only, ...more] = run;
  if (only !== undefined && more.length === 0)
    return html`<svg x="${percent(only.along)}"><path class="lone" d="M0 ${only.low}V${only.high}M-${CAP} ${only.low}H${CAP}M-${CAP} ${only.high}H${CAP}"/></svg>${dots}`;
  const upper = run.map(({ along, high }) => [along, high] as const);
  const lower = run.map(({ along, low }) => [along, low] as const).reverse();
  const line = pathOf(run.map(({ along, value }) => [along, value] as const));
  const shape = stretched(
    html`<path class="band" d="${pathOf([...upper, ...lower])}Z"/><path class="line" d="${line}"/>`,
  );
  return html`${shape}${hasDots ? dots : []}`;
}

/** The first, the last, and some between that are left out where there is little room. */
function dayLabels(series: readonly Point[]): Html[] {
  const count = Math.min(MOST_LABELS, series.length);
  const isByMonth =
    series.some((point) => countDays(point) >= FULL_FEBRUARY) &&
    series.slice(1).every((point) => point.from.endsWith('-01'));
  return Array.from({ length: count }, (_, place) => {
    const index = count === 1 ? 0 : Math.round((place * (series.length - 1)) / (count - 1));
    const from = series[index]?.from ?? '';
    const isSpare = place % 2 === 1;
    const words = isByMonth ? writeMonth(from) : writeShortDay(from);
    // Where buckets are narrow, the words of the first and the last would reach beyond them.
    const isNarrow = series.length > WIDE_BUCKETS;
    const [anchor, along] =
      isNarrow && place === 0
        ? (['', 0] as const)
        : isNarrow && place === count - 1
          ? (['end', 1] as const)
          : (['middle', (index + 0.5) / series.length] as const);
    return html`<text class="${anchor}${isSpare ? ' spare' : ''}" x="${percent(along)}" y="${HEIGHT - 4}">${words}</text>`;
  });
}

function labelOf({ survey: { type }, series }: Results): string {
  const known = series.filter(({ score }) => score !== null);
  const ends = [known[0], known.at(-1)].map((point) =>
    point?.score == null ? '' : `${formatScore(type, point.score.value)} in ${writeSpan(point)}`,
  );
  const label = known.length === 0 ? 'no answers' : `from ${ends[0]} to ${ends[1]}, with intervals of 95 %`;
  return `Trend of ${SCORE_NAMES[type]}: ${label}`;
}

const mostOf = (series: readonly Point[]): number => Math.max(1, ...series.map(({ responses }) => responses));

/** Above the tallest column: what its height says. */
function mostLabel(series: readonly Point[]): Html {
  const most = mostOf(series);
  const index = series.findIndex(({ responses }) => responses === most);
  if (index < 0) return html``;
  const along = (index + 0.5) / series.length;
  const anchor = along < 0.15 ? '' : along > 0.85 ? 'end' : 'middle';
  const x = anchor === '' ? index / series.length : anchor === 'end' ? (index + 1) / series.length : along;
  const words = `${formatShortCount(most)} ${most === 1 ? 'response' : 'responses'}`;
  return html`<text class="${anchor}" x="${percent(x)}" y="${COUNTS.top - 5}">${words}</text>`;
}

export function trendChart(results: Results): Html {
  const { survey, series } = results;
  const axis = wholeAxis(survey.type);
  const slot = 1 / series.length;
  const most = mostOf(series);
  const grid = axis.ticks.map(
    (tick) =>
      html`<line class="grid${tick === 0 ? ' zero' : ''}" x1="0" x2="100%" y1="${heightOf(axis, tick)}" y2="${heightOf(axis, tick)}"/>`,
  );
  const bars = series.map(({ responses }, index) => {
    const tall = px(((COUNTS.bottom - COUNTS.top) * responses) / most);
    return html`<rect class="count" x="${percent((index + 0.14) * slot)}" y="${px(COUNTS.bottom - tall)}" width="${percent(slot * 0.72)}" height="${tall}" rx="1.5"/>`;
  });
  const floor = html`<line class="grid" x1="0" x2="100%" y1="${COUNTS.bottom}" y2="${COUNTS.bottom}"/>`;
  const scores = axis.ticks.map(
    (tick) =>
      html`<text class="end" x="36" y="${heightOf(axis, tick) + 4}">${formatScoreTick(survey.type, tick)}</text>`,
  );
  const ticks = html`${scores}<text class="end" x="36" y="${COUNTS.bottom + 4}">0</text>`;
  const runs = runsOf(series, axis).map((run) => drawRun(run, series.length <= MOST_DOTS));
  const shapes = [...grid, floor, ...bars, mostLabel(series), ...runs, ...dayLabels(series)];
  return plot({ name: 'trend', label: labelOf(results), height: HEIGHT, ticks, shapes });
}

export function readTrend({ survey: { type }, series }: Results): Reading {
  const axis = wholeAxis(type);
  const points = series.map((point, index) => {
    const { score, responses } = point;
    const counted = `${formatCount(responses)} ${responses === 1 ? 'response' : 'responses'}`;
    return {
      along: (index + 0.5) / series.length,
      height: score === null ? undefined : heightOf(axis, score.value),
      title: writeSpan(point),
      lines:
        score === null
          ? ['No answers']
          : [formatScore(type, score.value), `95 % interval ${formatInterval(type, score)}`, counted],
    };
  });
  return { direction: 'across', points };
}
