/** The score of each bucket of days with its interval, and under it how many answers it rests on. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
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
import { dayWords, isByMonth, partialOf, type Slot, slotsOf } from './buckets.ts';
import { percent, plot, px, type Reading } from './plot.ts';

type Results = Pick<ResultsReply, 'survey' | 'series'> & Partial<Pick<ResultsReply, 'previous'>>;
type Point = ResultsReply['series'][number];

const SCORES = { top: 10, bottom: 150 } as const;
const COUNTS = { top: 182, bottom: 214 } as const;
const HEIGHT = 238;
/** Of a line that is stretched to the width of its room. */
const UNITS = 1_000;
const MOST_DOTS = 45;
/** Points that may have their score beside them. */
const MOST_NAMED = 8;
/** Of a name from its point, above it or below. */
const [ABOVE, BELOW] = [9, 18] as const;
/** Between the beginnings of words under the chart: on a phone, and where there is more room. */
const GAPS = { day: { narrow: 0.19, wide: 0.13 }, month: { narrow: 0.25, wide: 0.17 } } as const;
/** A score of fewer answers says little. */
export const FEW = 5;
const CAP = 4;
/** Of its width, that a column leaves free at each side. */
const SIDE = 0.1;

const heightOf = (axis: Axis, value: number): number =>
  px(SCORES.bottom - axis.place(value) * (SCORES.bottom - SCORES.top));

interface Placed {
  /** From 0 to 1. */
  readonly along: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly isThin: boolean;
  /** Of fewer days than others. */
  readonly isPart: boolean;
}

/** Points that follow one another without a bucket that has no answers between. */
function runsOf(series: readonly Point[], axis: Axis): Placed[][] {
  const runs: Placed[][] = [[]];
  const [slots, partial] = [slotsOf(series), partialOf(series)];
  for (const [index, { score, responses }] of series.entries()) {
    const along = slots[index]?.middle ?? 0;
    if (score === null) runs.push([]);
    else {
      const [value, low, high] = [score.value, score.low, score.high].map((each) => heightOf(axis, each));
      runs.at(-1)?.push({
        along,
        value: value ?? 0,
        low: low ?? 0,
        high: high ?? 0,
        isThin: responses < FEW,
        isPart: partial[index] ?? false,
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
  // At its ends alone a point may be of fewer days.
  const points = run.map(({ along, value }) => [along, value] as const);
  const [head, tail] = [only?.isPart ? 1 : 0, run.at(-1)?.isPart ? 1 : 0];
  const whole = points.slice(head, run.length - tail);
  const line = whole.length < 2 ? '' : pathOf(whole);
  const dashed = `${head ? pathOf(points.slice(0, 2)) : ''}${tail ? pathOf(points.slice(-2)) : ''}`;
  const shape = stretched(
    html`<path class="band" d="${pathOf([...upper, ...lower])}Z"/><path class="line" d="${line}"/><path class="line part" d="${dashed}"/>`,
  );
  return html`${shape}${hasDots ? dots : []}`;
}

/** Of places from 0 to 1, as many from the first on as are so far from each other, from those there are and from the end. */
function placesApart(
  places: readonly number[],
  gap: number,
  taken: readonly number[] = [],
  end = 1,
): number[] {
  const kept: number[] = [];
  for (const at of places)
    if ([...taken, ...kept, end].every((other) => Math.abs(at - other) >= gap)) kept.push(at);
  return kept;
}

/** The first day of buckets, where it begins; some only where there is room. */
function dayLabels(series: readonly Point[], slots: readonly Slot[]): Html[] {
  const [gaps, write] = isByMonth(series) ? [GAPS.month, writeMonth] : [GAPS.day, writeShortDay];
  const places = slots.map(({ from }) => from);
  const always = placesApart(places, gaps.narrow);
  const spare = placesApart(places, gaps.wide, always);
  return slots.flatMap(({ from: at }, index) => {
    if (!always.includes(at) && !spare.includes(at)) return [];
    return html`<g class="${spare.includes(at) ? 'spare' : ''}"><line class="grid" x1="${percent(at)}" x2="${percent(at)}" y1="${COUNTS.bottom}" y2="${COUNTS.bottom + 6}"/><text x="${percent(at)}" y="${HEIGHT - 4}">${write(series[index]?.from ?? '')}</text></g>`;
  });
}

/** The score beside its point, where there are few points. */
function scoreLabels(type: Results['survey']['type'], series: readonly Point[], axis: Axis): Html[] {
  if (series.length > MOST_NAMED) return [];
  const named = slotsOf(series).flatMap(({ middle: at }, index) => {
    const score = series[index]?.score;
    return score == null ? [] : [{ at, value: score.value }];
  });
  const places = named.map(({ at }) => at);
  const always = placesApart(places, GAPS.day.narrow, [], Number.POSITIVE_INFINITY);
  const spare = placesApart(places, GAPS.day.wide, always, Number.POSITIVE_INFINITY);
  return named.flatMap(({ at, value }) => {
    if (!always.includes(at) && !spare.includes(at)) return [];
    const height = heightOf(axis, value);
    const y = px(height - ABOVE < SCORES.top + ABOVE ? height + BELOW : height - ABOVE);
    const anchor = at < 0.07 ? '' : at > 0.93 ? 'end' : 'middle';
    const kind = `strong ${anchor}${always.includes(at) ? '' : ' spare'}`;
    return [html`<text class="${kind}" x="${percent(at)}" y="${y}">${formatScore(type, value)}</text>`];
  });
}

/** Whether the days before have a score, which is a line across. */
export const hasBefore = ({ previous }: Partial<Pick<ResultsReply, 'previous'>>): boolean =>
  previous !== undefined && previous.score !== null;

function drawBefore({ previous }: Results, axis: Axis): Html {
  if (previous == null || previous.score === null) return html``;
  const y = heightOf(axis, previous.score.value);
  return html`<line class="before" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
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
function mostLabel(series: readonly Point[], slots: readonly Slot[]): Html {
  const most = mostOf(series);
  const slot = slots[series.findIndex(({ responses }) => responses === most)];
  if (slot === undefined) return html``;
  const anchor = slot.middle < 0.15 ? '' : slot.middle > 0.85 ? 'end' : 'middle';
  const x = anchor === '' ? slot.from : anchor === 'end' ? slot.to : slot.middle;
  const words = `${formatShortCount(most)} ${most === 1 ? 'response' : 'responses'}`;
  return html`<text class="${anchor}" x="${percent(x)}" y="${COUNTS.top - 5}">${words}</text>`;
}

export function trendChart(results: Results): Html {
  const { survey, series } = results;
  const axis = wholeAxis(survey.type);
  const [slots, partial] = [slotsOf(series), partialOf(series)];
  const most = mostOf(series);
  const grid = axis.ticks.map(
    (tick) =>
      html`<line class="grid${tick === 0 ? ' zero' : ''}" x1="0" x2="100%" y1="${heightOf(axis, tick)}" y2="${heightOf(axis, tick)}"/>`,
  );
  const bars = series.map(({ responses }, index) => {
    const tall = px(((COUNTS.bottom - COUNTS.top) * responses) / most);
    const { from, to } = slots[index] ?? { from: 0, to: 0 };
    const side = (to - from) * SIDE;
    return html`<rect class="count${partial[index] ? ' part' : ''}" x="${percent(from + side)}" y="${px(COUNTS.bottom - tall)}" width="${percent(to - from - 2 * side)}" height="${tall}" rx="1.5"/>`;
  });
  const floor = html`<line class="grid" x1="0" x2="100%" y1="${COUNTS.bottom}" y2="${COUNTS.bottom}"/>`;
  const scores = axis.ticks.map(
    (tick) =>
      html`<text class="end" x="36" y="${heightOf(axis, tick) + 4}">${formatScoreTick(survey.type, tick)}</text>`,
  );
  const ticks = html`${scores}<text class="end" x="36" y="${COUNTS.bottom + 4}">0</text>`;
  const runs = runsOf(series, axis).map((run) => drawRun(run, series.length <= MOST_DOTS));
  const names = scoreLabels(survey.type, series, axis);
  const before = drawBefore(results, axis);
  const counts = [...bars, mostLabel(series, slots)];
  const shapes = [...grid, floor, ...counts, before, ...runs, ...names, ...dayLabels(series, slots)];
  return plot({ name: 'trend', label: labelOf(results), height: HEIGHT, ticks, shapes });
}

export function readTrend({ survey: { type }, series }: Results): Reading {
  const axis = wholeAxis(type);
  const [slots, partial] = [slotsOf(series), partialOf(series)];
  const points = series.map((point, index) => {
    const { score, responses } = point;
    const counted = `${formatCount(responses)} ${responses === 1 ? 'response' : 'responses'}`;
    return {
      along: slots[index]?.middle ?? 0,
      height: score === null ? undefined : heightOf(axis, score.value),
      title: partial[index] ? `${writeSpan(point)}, only ${dayWords(point)}` : writeSpan(point),
      lines:
        score === null
          ? [point.withheld ? 'No answers that are shown' : 'No answers']
          : [formatScore(type, score.value), `95 % interval ${formatInterval(type, score)}`, counted],
    };
  });
  return { direction: 'across', points };
}
