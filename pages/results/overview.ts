/** What a report of several surveys begins with: a row of each, which leads to its section. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import { type Html, html } from '../html.ts';
import { sayDaysBefore, sayDifference } from './comparison.ts';
import {
  formatCount,
  formatInterval,
  formatPoints,
  formatScore,
  roundScore,
  SCORE_NAMES,
} from './figures.ts';
import { sectionId } from './sections.ts';

/** How far the score is from that of the days before; the words for it are in the survey's section. */
function change({ survey: { type }, score, previous }: ResultsReply): Html {
  if (score === null || previous?.score == null || previous.difference === null) return html`–`;
  const { tone, sign, chance } = sayDifference(type, previous.difference, score.value);
  if (sign === '') return html`unchanged`;
  const size = Math.abs(roundScore(type, score.value) - roundScore(type, previous.score.value));
  const way = sign === '▲' ? '+' : '−';
  return html`<strong class="${tone}">${way}${formatPoints(type, size)}</strong><span class="about">${chance.replace(/^, /, '')}</span>`;
}

function row(results: ResultsReply, then: string): Html {
  const { survey, score, responses, followUpsRequested: asked } = results;
  const interval =
    score === null ? html`` : html`<span class="about">${formatInterval(survey.type, score)}</span>`;
  const shown = score === null ? '–' : formatScore(survey.type, score.value);
  return html`<tr><th scope="row"><a href="#${sectionId(survey.slug)}"><bdi>${survey.question}</bdi></a><span class="about">${survey.slug} · ${SCORE_NAMES[survey.type]}</span></th><td data-name="Score"><strong>${shown}</strong>${interval}</td><td data-name="Against ${then}">${change(results)}</td><td data-name="Responses">${formatCount(responses)}</td><td data-name="Asked to be contacted">${asked === null ? '–' : formatCount(asked)}</td></tr>`;
}

export function overview(surveys: readonly ResultsReply[]): Html {
  const [first] = surveys;
  if (first === undefined || surveys.length < 2) return html``;
  const then = sayDaysBefore(first);
  return html`<div class="card overview"><table><caption>All surveys of this report</caption><thead><tr><th scope="col">Survey</th><th scope="col">Score, 95 % interval</th><th scope="col">Against ${then}</th><th scope="col">Responses</th><th scope="col">Asked to be contacted</th></tr></thead><tbody>${surveys.map((each) => row(each, then))}</tbody></table></div>`;
}
