/** The score of each value of a segment with its interval: a table whose rows are the chart. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { IDENTITY_SEGMENT } from '../../../shared/domain/surveys/segments.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../../html.ts';
import {
  formatCount,
  formatInterval,
  formatScore,
  formatScoreTick,
  formatWholeShare,
  shareOf,
} from '../figures.ts';
import { partsOf, toneOf } from '../rating-words.ts';
import { segmentName } from '../segment-words.ts';
import type { Axis } from './axis.ts';
import { percent } from './plot.ts';

export interface Breakdown {
  readonly name: string;
  readonly rows: NonNullable<ResultsReply['segments']>;
}

/** Without the ways of knowing people that the survey has nobody of; values that it declares say so themselves. */
export const withoutNobody = ({ name, rows }: Breakdown): Breakdown => ({
  name,
  rows: name === IDENTITY_SEGMENT ? rows.filter(({ responses }) => responses > 0) : rows,
});

interface Drawn {
  readonly type: SurveyType;
  readonly axis: Axis;
  /** A value of the segment, null for none: text, or something to press. */
  readonly drawValue: (value: string | null) => Html;
}

/** The share of ratings that are low; a dash where the distribution does not tell all of them. */
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
