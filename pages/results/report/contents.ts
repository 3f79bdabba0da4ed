/** What a report of several surveys has, as links for a small screen. */

import { type Html, html } from '../../html.ts';
import { formatCount } from '../figures.ts';
import { sectionId } from '../sections.ts';
import { type ReportedSurvey, voiceIds } from './voices.ts';

/** @param hasVoices whether it has people and what they wrote */
export function contents(surveys: readonly ReportedSurvey[], hasVoices: boolean): Html {
  if (surveys.length < 2) return html``;
  const rows = surveys.map(({ results: { survey }, waiting, comments }) => {
    const ids = voiceIds(survey.slug);
    const people =
      !hasVoices || waiting.people.length === 0
        ? html``
        : html` <a href="#${ids.people}" aria-label="Want to be contacted, ${survey.slug}">${formatCount(waiting.people.length)}${waiting.hasMore ? '+' : ''} to contact</a>`;
    const words =
      !hasVoices || comments.length === 0
        ? html``
        : html` <a href="#${ids.words}" aria-label="Comments, ${survey.slug}">comments</a>`;
    return html`<li><a href="#${sectionId(survey.slug)}">${survey.slug}</a>${people}${words}</li>`;
  });
  return html`<nav class="contents unprinted" aria-label="Contents"><ul>${rows}</ul></nav>`;
}
