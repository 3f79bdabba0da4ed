/** What a report of several surveys has, as links for a small screen. */

import { type Html, html } from '../../html.ts';
import { formatCount } from '../figures.ts';
import { sectionId } from '../sections.ts';
import { hasRoomForPeople, type ReportedSurvey, voiceIds } from './voices.ts';

/** @param rooms bytes for the people of each survey and what they wrote; undefined where these are left out */
export function contents(surveys: readonly ReportedSurvey[], rooms: readonly number[] | undefined): Html {
  if (surveys.length < 2) return html``;
  const rows = surveys.map((each, index) => {
    const { survey } = each.results;
    const { waiting, comments } = each;
    const ids = voiceIds(survey.slug);
    const hasPeople = hasRoomForPeople(each, rooms?.[index] ?? 0);
    const target = hasPeople ? ids.people : sectionId(survey.slug);
    const people =
      rooms === undefined || waiting.people.length === 0
        ? html``
        : html` <a href="#${target}" aria-label="Want to be contacted, ${survey.slug}">${formatCount(waiting.people.length)}${waiting.hasMore ? '+' : ''} to contact</a>`;
    const words =
      rooms === undefined || comments.length === 0
        ? html``
        : html` <a href="#${ids.words}" aria-label="Comments, ${survey.slug}">comments</a>`;
    return html`<li><a href="#${sectionId(survey.slug)}">${survey.slug}</a>${people}${words}</li>`;
  });
  return html`<nav class="contents unprinted" aria-label="Contents"><ul>${rows}</ul></nav>`;
}
