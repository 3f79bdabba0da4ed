/** What a report of several surveys begins with: a row of each, which leads to its section. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import { type Html, html } from '../html.ts';
import { TYPE_TEXTS } from '../type-texts.ts';
import { orTooFew, sayDaysBefore, sayDifference } from './comparison.ts';
import { formatCount, formatInterval, formatPoints, formatScore, roundScore } from './figures.ts';
import { sectionId } from './sections.ts';

/** What moved, in a sentence: how far the score is from that of the days before. */
function moved(results: ResultsReply): Html {
  const { survey, score, previous } = results;
  const { type } = survey;
  const then = sayDaysBefore(results);
  if (score === null) return html`No responses in this period${orTooFew(results)}.`;
  if (previous?.score == null || previous.difference === null)
    return html`No responses in ${then}${orTooFew(results)}.`;
  const { tone, sign, chance } = sayDifference(type, previous.difference, score.value);
  if (sign === '') return html`<span class="chip even">Unchanged</span> from ${then}.`;
  const size = Math.abs(roundScore(type, score.value) - roundScore(type, previous.score.value));
  const way = sign === '▲' ? 'Up' : 'Down';
  return html`<span class="chip ${tone}"><span class="sign" aria-hidden="true">${sign}</span>${way} ${formatPoints(type, size)}</span> vs. ${then}${chance}.`;
}

function row(results: ResultsReply): Html {
  const { survey, score, responses, followUpsRequested: asked } = results;
  const interval =
    score === null ? html`` : html`<span class="about">${formatInterval(survey.type, score)}</span>`;
  const shown = score === null ? '–' : formatScore(survey.type, score.value);
  return html`<tr><th scope="row"><a href="#${sectionId(survey.slug)}"><bdi>${survey.question}</bdi></a><span class="about">${survey.slug} · ${TYPE_TEXTS[survey.type].score}</span><p class="moved">${moved(results)}</p></th><td data-name="Score"><strong>${shown}</strong>${interval}</td><td data-name="Responses">${formatCount(responses)}</td><td data-name="Contacts">${asked === null ? '–' : formatCount(asked)}</td></tr>`;
}

export function overview(surveys: readonly ResultsReply[]): Html {
  if (surveys.length < 2) return html``;
  return html`<div class="card overview"><table><caption>All surveys in this report</caption><thead><tr><th scope="col">Survey</th><th scope="col">Score, 95% interval</th><th scope="col">Responses</th><th scope="col">Asked to be contacted</th></tr></thead><tbody>${surveys.map(row)}</tbody></table></div>`;
}
