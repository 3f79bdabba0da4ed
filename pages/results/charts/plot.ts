/**
 * What charts of results have in common. A chart is SVG that is as wide as its room: across it is measured in percent,
 * downwards and in letters in pixels, so that words have their size on every screen. It needs no script, and the page's
 * style colors it.
 */

import { type Html, html } from '../../html.ts';

/** A point of a chart as somebody reads it who points at it, or goes along with the arrow keys. */
export interface ReadPoint {
  /** Where it is, from 0 to 1 along the chart. */
  readonly along: number;
  /** Pixels from the top, of a chart that has points. */
  readonly height?: number | undefined;
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Reading {
  /** Whether points lie beside each other, or below each other. */
  readonly direction: 'across' | 'down';
  readonly points: readonly ReadPoint[];
}

/** Coordinates need no more digits. */
export const px = (value: number): number => Math.round(value * 10) / 10;
export const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;

interface Plot {
  /** By which the page finds what there is to read. */
  readonly name: string;
  /** What the chart shows, for people who do not see it. */
  readonly label: string;
  /** Pixels. */
  readonly height: number;
  /** Left of it, at most 40 pixels wide. */
  readonly ticks?: Html;
  readonly shapes: readonly Html[];
}

export function plot({ name, label, height, ticks, shapes }: Plot): Html {
  const gutter =
    ticks && html`<svg class="ticks" width="40" height="${height}" aria-hidden="true">${ticks}</svg>`;
  return html`<div class="plot" data-chart="${name}">${gutter ?? html``}<div class="area"><svg width="100%" height="${height}" role="img" aria-label="${label}">${shapes}</svg></div></div>`;
}
