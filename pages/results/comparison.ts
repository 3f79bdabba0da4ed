/** A score beside that of the days before: the difference, and whether chance alone would make it. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import { addDays, countDays, type DaySpan } from '../../shared/domain/days.ts';
import type { ResultScore } from '../../shared/domain/results/score.ts';
import { type Html, html } from '../html.ts';
import { formatCount, formatScore } from './figures.ts';

/** The span of the same length that ends where this one begins. */
export function spanBefore(span: DaySpan): DaySpan {
  return { from: addDays(span.from, -countDays(span)), to: addDays(span.from, -1) };
}

export interface Difference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * One score less another of independent answers, with an interval of 95 %: the distances of both scores from the ends of
 * their own intervals, added as squares (MOVER: Zou and Donner, Statistics in Medicine 27, 2008). That somebody may be
 * in both is not allowed for.
 */
export function differenceOf(score: ResultScore, before: ResultScore): Difference {
  const value = score.value - before.value;
  return {
    value,
    low: value - Math.hypot(score.value - score.low, before.high - before.value),
    high: value + Math.hypot(score.high - score.value, before.value - before.low),
  };
}

/** The difference in words, and what the days before were. */
export function compareWords(now: ResultsReply, before: ResultsReply): Html {
  const { type } = now.survey;
  const days = countDays(now);
  const then = days === 1 ? 'the day before' : `the ${formatCount(days)} days before`;
  if (now.score === null) return html``;
  if (before.score === null) return html`<p class="about">Nobody answered in ${then}.</p>`;
  const { value, low, high } = differenceOf(now.score, before.score);
  const size = formatScore(type, Math.abs(value)).replace(/\s*%$/, ' points');
  const isSame = size === formatScore(type, 0).replace(/\s*%$/, ' points');
  const isChance = low <= 0 && 0 <= high;
  const direction = value > 0 ? 'above' : 'below';
  const said = isSame ? `The same as ${then}` : `${size} ${direction} ${then}`;
  const tone = isSame || isChance ? 'even' : value > 0 ? 'up' : 'down';
  const sign = isSame ? '=' : value > 0 ? '▲' : '▼';
  const chance = isChance ? 'within chance' : 'more than chance';
  return html`<p class="difference ${tone}"><span class="sign" aria-hidden="true">${sign}</span>${said}, ${chance}</p><p class="about">${formatScore(type, before.score.value)} then, from ${formatCount(before.responses)} ${before.responses === 1 ? 'answer' : 'answers'}</p>`;
}
