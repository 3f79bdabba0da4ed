/** Tables of segments and reasons whose rows are charts. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { IDENTITY_SEGMENT } from '../../../shared/domain/surveys/segments.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../../html.ts';
import {
  counted,
  formatCount,
  formatInterval,
  formatScore,
  formatScoreTick,
  formatWholeShare,
  shareOf,
} from '../figures.ts';
import { lowWords, partsOf, segmentName, toneOf } from '../result-words.ts';
import { type Axis, percent } from './plot.ts';

export interface Breakdown {
  readonly name: string;
  readonly rows: NonNullable<ResultsReply['segments']>;
}

/** Omits identity kinds without responses. */
export const withoutNobody = ({ name, rows }: Breakdown): Breakdown => ({
  name,
  rows: name === IDENTITY_SEGMENT ? rows.filter(({ responses }) => responses > 0) : rows,
});

interface Drawn {
  readonly type: SurveyType;
  readonly axis: Axis;
  /** Draws a value as text or as a button; null means that no value was given. */
  readonly drawValue: (value: string | null) => Html;
}

/** Shows a dash if small cells are hidden. */
function lowShare(type: SurveyType, { distribution, responses }: Breakdown['rows'][number]): string {
  const sum = (counts: Breakdown['rows'][number]['distribution']) =>
    counts.reduce((all, { count }) => all + count, 0);
  if (responses === 0 || sum(distribution) !== responses) return '–';
  const low = sum(distribution.filter(({ rating }) => toneOf(type, rating) === 'low'));
  return `${formatWholeShare(shareOf(low, responses))}%`;
}

export function segmentTable({ name, rows }: Breakdown, { type, axis, drawValue }: Drawn): Html {
  const grid = axis.ticks.map(
    (tick) =>
      html`<line class="grid" x1="${percent(axis.place(tick))}" x2="${percent(axis.place(tick))}" y1="0" y2="100%"/>`,
  );
  const ends = [axis.ticks[0], axis.ticks.at(-1)].map((tick = 0, index) => {
    const anchor = index === 0 ? '' : 'end';
    return html`<text class="${anchor}" x="${percent(axis.place(tick))}" y="12">${formatScoreTick(type, tick)}</text>`;
  });
  const hasLow = type !== 'thumbs';
  const lowHead = hasLow ? html`<th scope="col" class="lows">${partsOf(type)[0]?.name ?? ''}</th>` : html``;
  const body = rows.map((row) => {
    const { value, score, responses } = row;
    const low = hasLow ? html`<td class="lows">${lowShare(type, row)}</td>` : html``;
    const drawn =
      score === null
        ? html``
        : html`<line class="whisker" x1="${percent(axis.place(score.low))}" x2="${percent(axis.place(score.high))}" y1="50%" y2="50%"/><circle class="dot" cx="${percent(axis.place(score.value))}" cy="50%" r="5"/>`;
    const figures =
      score === null
        ? html`<td>–</td><td class="interval">–</td>`
        : html`<td><strong>${formatScore(type, score.value)}</strong></td><td class="interval">${formatInterval(type, score)}</td>`;
    return html`<tr><th scope="row">${drawValue(value)}</th><td class="drawn" aria-hidden="true"><svg width="100%" height="34">${grid}${drawn}</svg></td>${figures}${low}<td>${formatCount(responses)}</td></tr>`;
  });
  return html`<table class="segment"><caption>Score by ${segmentName(name)}</caption><thead><tr><th scope="col"><bdi>${segmentName(name)}</bdi></th><td class="drawn" aria-hidden="true"><svg width="100%" height="16">${ends}</svg></td><th scope="col">Score</th><th scope="col" class="interval">95% interval</th>${lowHead}<th scope="col">Responses</th></tr></thead><tbody>${body}</tbody></table>`;
}

type Results = Pick<ResultsReply, 'reasons' | 'survey' | 'distribution'>;

export function reasonTable(
  { reasons, survey, distribution }: Results,
  drawReason: (code: string, label: string) => Html = (_, label) => html`<bdi>${label}</bdi>`,
): Html {
  if (reasons === null || reasons.length === 0) return html``;
  const low = distribution
    .filter(({ rating }) => toneOf(survey.type, rating) === 'low')
    .reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  const rows = reasons
    .toSorted((a, b) => b.count - a.count)
    .map(
      ({ code, label, count }) =>
        html`<tr><th scope="row">${drawReason(code, label)}</th><td class="drawn" aria-hidden="true"><svg width="100%" height="34"><rect class="track" y="33%" width="100%" height="34%" rx="4"/><rect class="bar low" y="33%" width="${percent(count / most)}" height="34%" rx="4"/></svg></td><td><strong>${formatCount(count)}</strong></td></tr>`,
    );
  return html`<section class="card breakdown"><header><h3>Reasons<span class="about">From ${counted(low, 'low rating')} (${lowWords(survey.type)}), most common first</span></h3></header><table class="segment reasons"><caption>Reasons for low ratings</caption><thead><tr><th scope="col">Reason</th><td class="drawn" aria-hidden="true"></td><th scope="col">Responses</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}
