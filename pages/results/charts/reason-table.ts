/** How often each reason was given: a table whose rows are the chart. */

import type { Comment, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import { formatCount } from '../figures.ts';
import { lowWords, toneOf } from '../rating-words.ts';
import { percent } from './plot.ts';

type Results = Pick<ResultsReply, 'reasons' | 'survey' | 'distribution'>;

interface Labels {
  readonly reasons: readonly { readonly code: string; readonly label: string }[] | null;
}

/** Of a survey without reasons, and of one value of a segment, there is nothing. */
/** @param drawReason a reason by its code and its label: text, or something to press */
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
  return html`<section class="card breakdown"><header><h3>Reasons<span class="about">Of ${formatCount(low)} low ${low === 1 ? 'rating' : 'ratings'} (${lowWords(survey.type)}), most common first</span></h3></header><table class="segment reasons"><caption>Reasons for low ratings</caption><thead><tr><th scope="col">Reason</th><td class="drawn" aria-hidden="true"></td><th scope="col">Responses</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

/** The reasons of one answer, by their labels where these are known. */
export function reasonsOf({ reasons: given }: Pick<Comment, 'reasons'>, { reasons }: Labels): Html {
  if (given === null) return html``;
  const labelOf = (code: string) => reasons?.find((reason) => reason.code === code)?.label ?? code;
  return html`<p class="reasons">${given.map((code) => html`<span><bdi>${labelOf(code)}</bdi></span>`)}</p>`;
}
