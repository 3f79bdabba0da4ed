/** The score of each bucket with its interval, above its number of responses. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { hasScale } from '../../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../../html.ts';
import { TYPE_TEXTS } from '../../type-texts.ts';
import { sayAnswers, sayDaysBefore } from '../comparison.ts';
import {
  formatInterval,
  formatScore,
  formatScoreTick,
  formatShare,
  formatShortCount,
  scoreRange,
  shareOf,
  writeMonth,
  writeShortDay,
  writeSpan,
} from '../figures.ts';
import { bucketWords, dayWords, isByMonth, partialOf, type Slot, slotsOf } from './buckets.ts';
import { type Axis, percent, placeNames, plot, px, type Reading, scoreAxis } from './plot.ts';

type Results = Pick<ResultsReply, 'survey' | 'series'> & Partial<Pick<ResultsReply, 'previous'>>;
type Point = ResultsReply['series'][number];

const SCORES = { top: 20, bottom: 148 } as const;
const COUNTS = { top: 186, bottom: 214 } as const;
const HEIGHT = 238;
/** Width of stretched shapes. */
const UNITS = 1_000;
const MOST_DOTS = 45;
/** Columns have labels if there are at most this many. */
const MOST_COUNTED = 8;
/** The minimum distance between labels, as a share of the width. */
const GAPS = { day: { narrow: 0.19, wide: 0.13 }, month: { narrow: 0.25, wide: 0.17 } } as const;
/** Scores of fewer responses are marked, and are ranked last. */
export const FEW = 5;
/** The lengths of months differ by up to this share. */
const SLACK = 0.1;
const CAP = 4;
/** Gap on each side of a column, as a share of its width. */
const SIDE = 0.1;

/** The axis covers at least this share of the score range, so that small differences look small. */
const LEAST_SHOWN = 0.2;

function axisOf({ survey: { type }, series, previous }: Results): Axis {
  const lone = (value: number) => ({ low: value, high: value });
  const drawn = [
    ...series.flatMap(({ score }) => score ?? []),
    ...(previous?.score ? [lone(previous.score.value)] : []),
  ];
  const range = scoreRange(type);
  const [low, high] = [
    Math.min(...drawn.map((each) => each.low)),
    Math.max(...drawn.map((each) => each.high)),
  ];
  const around = ((range.max - range.min) * LEAST_SHOWN) / 2;
  const middle = (low + high) / 2;
  const clamp = (value: number) => Math.min(range.max, Math.max(range.min, value));
  const least = { low: clamp(middle - around), high: clamp(middle + around) };
  return scoreAxis(type, drawn.length === 0 ? [] : [...drawn, least].map((score) => ({ score })));
}

const heightOf = (axis: Axis, value: number): number =>
  px(SCORES.bottom - axis.place(value) * (SCORES.bottom - SCORES.top));

interface Placed {
  /** Horizontal position from 0 to 1. */
  readonly along: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly isThin: boolean;
  /** An incomplete bucket. */
  readonly isPart: boolean;
}

/** Buckets without responses interrupt the line. */
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
  // Buckets with few responses are left out, because their intervals would fill the chart.
  const bands: Placed[][] = [[]];
  for (const each of run)
    if (each.isThin) bands.push([]);
    else bands.at(-1)?.push(each);
  const whiskers = bands.flatMap(([only, ...more]) =>
    only === undefined || more.length > 0
      ? []
      : html`<svg x="${percent(only.along)}"><path class="lone" d="M0 ${only.low}V${only.high}M-${CAP} ${only.low}H${CAP}M-${CAP} ${only.high}H${CAP}"/></svg>`,
  );
  const [first] = run;
  if (run.length === 1) return html`${whiskers}${dots}`;
  const band = bands
    .filter(({ length }) => length > 1)
    .map((part) => {
      const upper = part.map(({ along, high }) => [along, high] as const);
      const lower = part.map(({ along, low }) => [along, low] as const).reverse();
      return `${pathOf([...upper, ...lower])}Z`;
    });
  // Only the first and last bucket can be incomplete.
  const points = run.map(({ along, value }) => [along, value] as const);
  const [head, tail] = [first?.isPart ? 1 : 0, run.at(-1)?.isPart ? 1 : 0];
  const whole = points.slice(head, run.length - tail);
  const line = whole.length < 2 ? '' : pathOf(whole);
  const dashed = `${head ? pathOf(points.slice(0, 2)) : ''}${tail ? pathOf(points.slice(-2)) : ''}`;
  const shape = stretched(
    html`<path class="band" d="${band.join('')}"/><path class="line" d="${line}"/><path class="line part" d="${dashed}"/>`,
  );
  return html`${shape}${whiskers}${hasDots ? dots : []}`;
}

/** Labels of buckets at regular distances. Phones hide the `spare` ones. An incomplete first bucket has no label. */
function dayLabels(series: readonly Point[], slots: readonly Slot[]): Html[] {
  const [gaps, write] = isByMonth(series) ? [GAPS.month, writeMonth] : [GAPS.day, writeShortDay];
  const widthOf = (slot: Slot | undefined) => (slot === undefined ? 1 : slot.to - slot.from);
  const [width, begin] = [widthOf(slots[1] ?? slots[0]), slots.length > 2 && partialOf(series)[0] ? 1 : 0];
  const every = Math.ceil(gaps.wide / width - SLACK);
  const narrow = every * Math.ceil(gaps.narrow / (every * width) - SLACK);
  return slots.flatMap(({ from: at }, index) => {
    const place = index - begin;
    if (place < 0 || place % every > 0 || 1 - at < gaps.wide) return [];
    const isSpare = place % narrow > 0 || 1 - at < gaps.narrow;
    return html`<g class="${isSpare ? 'spare' : ''}"><line class="grid" x1="${percent(at)}" x2="${percent(at)}" y1="${COUNTS.bottom}" y2="${COUNTS.bottom + 6}"/><text x="${percent(at)}" y="${HEIGHT - 4}">${write(series[index]?.from ?? '')}</text></g>`;
  });
}

function scoreLabels(type: Results['survey']['type'], series: readonly Point[], axis: Axis): Html[] {
  if (series.length > MOST_DOTS) return [];
  const slots = slotsOf(series);
  const points = series.flatMap(({ score, responses }, index) =>
    score === null
      ? []
      : [
          {
            along: slots[index]?.middle ?? 0,
            value: score.value,
            height: heightOf(axis, score.value),
            isThin: responses < FEW,
          },
        ],
  );
  const zero = axis.ticks.filter((tick) => tick === 0).map((tick) => heightOf(axis, tick));
  return placeNames(points, zero).map(({ along, value, y }) => {
    const anchor = along < 0.07 ? '' : along > 0.93 ? 'end' : 'middle';
    return html`<text class="strong ${anchor}" x="${percent(along)}" y="${px(y)}">${formatScore(type, value)}</text>`;
  });
}

const hasBefore = ({ previous }: Partial<Pick<ResultsReply, 'previous'>>): boolean =>
  previous !== undefined && previous.score !== null;

function drawBefore({ previous }: Results, axis: Axis): Html {
  if (previous == null || previous.score === null) return html``;
  const y = heightOf(axis, previous.score.value);
  return html`<line class="before" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
}

function labelOf({ survey: { type }, series }: Results): string {
  if (!hasScale(type)) return `Responses over time, at most ${mostOf(series)} at once`;
  const known = series.filter(({ score }) => score !== null);
  const ends = [known[0], known.at(-1)].map((point) =>
    point?.score == null ? '' : `${formatScore(type, point.score.value)} in ${writeSpan(point)}`,
  );
  const label = known.length === 0 ? 'no responses' : `from ${ends[0]} to ${ends[1]}, with 95% intervals`;
  return `Trend of ${TYPE_TEXTS[type].score}: ${label}`;
}

const mostOf = (series: readonly Point[]): number => Math.max(1, ...series.map(({ responses }) => responses));

/** With many columns, only the tallest is labeled. */
function countLabels(series: readonly Point[], slots: readonly Slot[], top: number): Html[] {
  const most = mostOf(series);
  const tallest = series.findIndex(({ responses }) => responses === most);
  return series.flatMap(({ responses }, index) => {
    const slot = slots[index];
    if (slot === undefined || responses === 0) return [];
    if (series.length > MOST_COUNTED && index !== tallest) return [];
    const tall = ((COUNTS.bottom - top) * responses) / most;
    const anchor = slot.middle < 0.04 ? '' : slot.middle > 0.96 ? 'end' : 'middle';
    return html`<text class="${anchor}" x="${percent(slot.middle)}" y="${px(COUNTS.bottom - tall - 5)}">${formatShortCount(responses)}</text>`;
  });
}

const swatch = (shape: Html): Html => html`<svg width="20" height="12" aria-hidden="true">${shape}</svg>`;

/** The legend. */
export function trendKey(results: Results): Html {
  const { survey, series, previous } = results;
  const { whole, parts } = bucketWords(series);
  const hasFew = series.some(({ responses }) => 0 < responses && responses < FEW);
  const isScored = hasScale(survey.type);
  const scores: readonly (readonly [shape: Html, words: string])[] = [
    [
      html`<path class="line" d="M0 6H20"/><circle class="dot" cx="10" cy="6" r="3.5"/>`,
      `Score${whole === '' ? '' : ` ${whole}`}`,
    ],
    [html`<rect class="band" width="20" height="12" rx="2"/>`, '95% interval'],
  ];
  const items: readonly (readonly [shape: Html, words: string])[] = [
    ...(isScored ? scores : []),
    ...(hasBefore(results) && previous?.score
      ? [
          [
            html`<path class="before" d="M0 6H20"/>`,
            `${formatScore(survey.type, previous.score.value)} in ${sayDaysBefore(previous)}`,
          ] as const,
        ]
      : []),
    [
      html`<rect class="count" x="3" width="14" height="12" rx="1.5"/>`,
      isScored ? 'Responses' : `Responses ${whole}`,
    ],
    ...(parts === ''
      ? []
      : [
          [
            html`<rect class="count part" x="3" y=".5" width="14" height="11" rx="1.5"/>`,
            `Incomplete periods: ${parts}`,
          ] as const,
        ]),
    ...(hasFew && isScored
      ? [[html`<circle class="dot thin" cx="10" cy="6" r="3.5"/>`, `Fewer than ${FEW} responses`] as const]
      : []),
  ];
  return html`<ul class="key about">${items.map(([shape, words]) => html`<li>${swatch(shape)}${words}</li>`)}</ul>`;
}

export function trendChart(results: Results): Html {
  const { survey, series } = results;
  const axis = hasScale(survey.type) ? axisOf(results) : { ticks: [], place: () => 0 };
  const top = hasScale(survey.type) ? COUNTS.top : SCORES.top;
  const [slots, partial] = [slotsOf(series), partialOf(series)];
  const most = mostOf(series);
  const grid = axis.ticks.map(
    (tick) =>
      html`<line class="grid${tick === 0 ? ' zero' : ''}" x1="0" x2="100%" y1="${heightOf(axis, tick)}" y2="${heightOf(axis, tick)}"/>`,
  );
  const bars = series.map(({ responses }, index) => {
    const tall = px(((COUNTS.bottom - top) * responses) / most);
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
  const counts = [...bars, ...countLabels(series, slots, top)];
  const shapes = [...grid, floor, ...counts, before, ...runs, ...names, ...dayLabels(series, slots)];
  return plot({ name: 'trend', label: labelOf(results), height: HEIGHT, ticks, shapes });
}

export function readTrend(results: Results): Reading {
  const { survey, series } = results;
  const [axis, { type }] = [axisOf(results), survey];
  const [slots, partial] = [slotsOf(series), partialOf(series)];
  const points = series.map((point, index) => {
    const { score, responses } = point;
    const counted = sayAnswers(responses);
    const chosen = point.distribution.flatMap(({ label, count }) =>
      label === undefined || count === 0 ? [] : [`${label}: ${formatShare(shareOf(count, responses))}`],
    );
    const nobody = point.withheld ? 'Too few responses to show' : 'No responses';
    return {
      along: slots[index]?.middle ?? 0,
      height: score === null ? undefined : heightOf(axis, score.value),
      title: partial[index] ? `${writeSpan(point)}, only ${dayWords(point)}` : writeSpan(point),
      lines:
        score === null
          ? responses === 0
            ? [nobody]
            : [counted, ...chosen]
          : [formatScore(type, score.value), `95% interval ${formatInterval(type, score)}`, counted],
    };
  });
  return { direction: 'across', points };
}
