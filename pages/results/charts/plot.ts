/**
 * Shared parts of charts. A chart is SVG that fills its container: x is in percent; y and text are in pixels, so that
 * text has the same size on every screen.
 */

import type { ResultScore } from '../../../shared/domain/results/score.ts';
import { type SurveyType, TYPES } from '../../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../../html.ts';
import { scoreRange } from '../figures.ts';

export interface ReadPoint {
  /** Horizontal position from 0 to 1. */
  readonly along: number;
  /** Pixels from the top. Only charts that draw points have it. */
  readonly height?: number | undefined;
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Reading {
  readonly direction: 'across' | 'down';
  readonly points: readonly ReadPoint[];
}

export const px = (value: number): number => Math.round(value * 10) / 10;
export const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;

interface Plot {
  readonly name: string;
  /** For screen readers. */
  readonly label: string;
  readonly height: number;
  /** At most 40 pixels wide. */
  readonly ticks?: Html;
  readonly shapes: readonly Html[];
}

export function plot({ name, label, height, ticks, shapes }: Plot): Html {
  const gutter =
    ticks && html`<svg class="ticks" width="40" height="${height}" aria-hidden="true">${ticks}</svg>`;
  return html`<div class="plot" data-chart="${name}">${gutter ?? html``}<div class="area"><svg width="100%" height="${height}" role="img" aria-label="${label}">${shapes}</svg></div></div>`;
}

export interface Axis {
  /** Ascending. */
  readonly ticks: readonly number[];
  /** The position of a value, from 0 to 1. */
  readonly place: (value: number) => number;
}

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100] as const;
const MOST_TICKS = 5;
const ROUNDING = 1e-6;

/** Covers all scores with their intervals, within the range of the type. */
export function scoreAxis(
  type: SurveyType,
  rows: readonly { readonly score: Pick<ResultScore, 'low' | 'high'> | null }[],
): Axis {
  const range = scoreRange(type);
  const values = rows.flatMap(({ score }) => (score === null ? [] : [score.low, score.high]));
  const low = Math.min(...values, range.max);
  const high = Math.max(...values, range.min);
  const [from, to] = low <= high ? [low, high] : [range.min, range.max];
  const step = STEPS.find((candidate) => (to - from) / candidate <= MOST_TICKS - 1) ?? 100;
  // A 7-point scale shows only its ends and its middle.
  if (TYPES[type].figure === 'mean' && step > 1)
    return {
      ticks: [range.min, (range.min + range.max) / 2, range.max],
      place: (value) => (value - range.min) / (range.max - range.min),
    };
  // At least one step, even if all values are equal.
  const floor = Math.floor(from / step) * step;
  const ceiling = Math.max(Math.ceil(to / step) * step, floor + step);
  const max = Math.min(range.max, ceiling);
  const min = Math.max(range.min, Math.min(floor, max - step));
  // Avoids rounding errors of tenths.
  const first = Math.ceil(min / step - ROUNDING);
  const count = Math.floor(max / step + ROUNDING) - first + 1;
  const ticks = Array.from({ length: count }, (_, index) => Number(((first + index) * step).toFixed(1)));
  return { ticks, place: (value) => (value - min) / (max - min) };
}

interface Point {
  /** Horizontal position from 0 to 1. */
  readonly along: number;
  readonly value: number;
  /** Pixels from the top. */
  readonly height: number;
  /** The point has few responses and gets no label. */
  readonly isThin?: boolean;
}

interface Name extends Point {
  /** Baseline of the label. */
  readonly y: number;
}

/** Distances of the label's baseline from the point. */
const [ABOVE, BELOW] = [9, 19] as const;
/** Height of a label in pixels, and its width as a share of a phone's chart. */
const [TALL, WIDE] = [15, 0.2] as const;
/** Free pixels between a label and a line. */
const CLEAR = 2;

/**
 * Labels the last, lowest, highest and first point, as long as there is room.
 * @param lines heights of horizontal lines that labels avoid
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
    // Avoids the side where the line comes from.
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
