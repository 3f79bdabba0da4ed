/** The first page of a report: all surveys, contents, and people to contact first. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { hasScale } from '../../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../../html.ts';
import { TYPE_TEXTS } from '../../type-texts.ts';
import { orTooFew, sayAnswers, sayDaysBefore, sayDifference } from '../comparison.ts';
import { counted, formatCount, formatInterval, formatPoints, formatScore, roundScore } from '../figures.ts';
import { mostChosen, toneOf } from '../result-words.ts';
import { sectionId } from '../sections.ts';
import { SURVEY_STYLE } from '../style.ts';
import { coverItem, wordsFirst } from './items.ts';
import { hasRoomForPeople, type ReportedSurvey, sum, voiceIds } from './voices.ts';

function moved(results: ResultsReply): Html {
  const { survey, score, previous } = results;
  const { type } = survey;
  const then = sayDaysBefore(results);
  if (score === null && (hasScale(type) || results.responses === 0))
    return html`No responses in this period${orTooFew(results)}.`;
  if (score === null)
    return previous?.responses
      ? html`${sayAnswers(results.responses)}, ${formatCount(previous.responses)} in ${then}.`
      : html`${sayAnswers(results.responses)}. No responses in ${then}${orTooFew(results)}.`;
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
  const shown =
    score === null ? mostChosen(results.distribution) || '–' : formatScore(survey.type, score.value);
  const name = TYPE_TEXTS[survey.type].score || TYPE_TEXTS[survey.type].name;
  return html`<tr><th scope="row"><a href="#${sectionId(survey.slug)}"><bdi>${survey.question}</bdi></a><span class="about">${survey.slug} · ${name}</span><p class="moved">${moved(results)}</p></th><td data-name="${hasScale(survey.type) ? 'Score' : 'Result'}"><strong>${shown}</strong>${interval}</td><td data-name="Responses">${formatCount(responses)}</td><td data-name="Contact requests">${asked === null ? '–' : formatCount(asked)}</td></tr>`;
}

export function overview(surveys: readonly ResultsReply[]): Html {
  if (surveys.length < 2) return html``;
  return html`<div class="card overview"><table><caption>All surveys in this report</caption><thead><tr><th scope="col">Survey</th><th scope="col">${surveys.every(({ survey }) => hasScale(survey.type)) ? 'Score' : 'Result'}, 95% interval</th><th scope="col">Responses</th><th scope="col">Contact requests</th></tr></thead><tbody>${surveys.map(row)}</tbody></table></div>`;
}

const MOST = 8;

/** People with low ratings, taken from each survey in turn. */
export function callFirst(surveys: readonly ReportedSurvey[]): Html {
  const unhappy = surveys.map((survey) => {
    const { results, waiting } = survey;
    return wordsFirst(waiting.people.filter(({ rating }) => toneOf(results.survey, rating) === 'low')).map(
      (each) => coverItem(results, each, survey),
    );
  });
  const longest = Math.max(0, ...unhappy.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, place) =>
    unhappy.flatMap((list) => list[place] ?? []),
  ).flat();
  if (inTurn.length === 0) return html``;
  const first = inTurn.slice(0, MOST);
  const others = inTurn.length - first.length;
  const more = others === 0 ? '' : ` ${counted(others, 'more person is', 'more people are')} waiting.`;
  const read = surveys.flatMap(({ waiting }) => (waiting.hasMore ? [waiting.people.length] : []));
  const newest =
    read.length === 0
      ? ''
      : ` Only the newest ${formatCount(Math.max(...read))} contact requests of each survey were considered.`;
  return html`<section class="card said first"><header><h3>Contact these people first</h3><p class="about">Low ratings, taken from each survey in turn. People who left a comment come first.${more}${newest}</p></header><ol class="comments">${first}</ol></section>`;
}

/** These counts omit model-requested responses and include deleted ones. */
function askedWords(results: readonly ResultsReply[]): string {
  const asked = sum(results.map(({ followUpsRequested }) => followUpsRequested ?? 0));
  const few = results.find(({ smallestCell }) => smallestCell !== undefined);
  const isBeside = results.some(({ modelRequested }) => (modelRequested ?? 0) > 0);
  const said = `asked to be contacted in this period${isBeside ? ', not counting responses asked for by an AI assistant' : ''}`;
  if (asked === 0) return `${few === undefined ? 'No one' : 'No one, or too few people to show,'} ${said}.`;
  return few === undefined
    ? `${counted(asked, 'person', 'people')} ${said}.`
    : `At least ${counted(asked, 'person', 'people')} ${said}. Small numbers are hidden.`;
}

/** Shows how many people wait or, if contacts were not read, how many asked. */
export function waitingWords(surveys: readonly ReportedSurvey[]): string {
  if (surveys.some(({ waiting: { isRead } }) => !isRead))
    return askedWords(surveys.map(({ results }) => results));
  const waiting = sum(surveys.map(({ waiting: { people } }) => people.length));
  const hasMore = surveys.some(({ waiting }) => waiting.hasMore);
  if (waiting === 0) return 'No open contact requests from this period.';
  if (waiting === 1 && !hasMore) return '1 person asked to be contacted in this period and is still waiting.';
  return `${hasMore ? 'More than ' : ''}${formatCount(waiting)} people asked to be contacted in this period and are still waiting.`;
}

/** @param rooms bytes for the comments and people of each survey; undefined if they are left out */
export function contents(surveys: readonly ReportedSurvey[], rooms: readonly number[] | undefined): Html {
  if (surveys.length < 2) return html``;
  const rows = surveys.map((each, index) => {
    const { survey } = each.results;
    const { waiting, comments } = each;
    const ids = voiceIds(survey.slug);
    const count = waiting.people.length;
    const requests = waiting.hasMore
      ? `${formatCount(count)}+ contact requests`
      : counted(count, 'contact request');
    const hasPeople = hasRoomForPeople(each, rooms?.[index] ?? 0);
    const target = hasPeople ? ids.people : sectionId(survey.slug);
    const people =
      rooms === undefined || count === 0
        ? html``
        : html` <a href="#${target}" aria-label="Contact requests, ${survey.slug}">${requests}</a>`;
    const words =
      rooms === undefined || comments.length === 0
        ? html``
        : html` <a href="#${ids.words}" aria-label="Comments, ${survey.slug}">comments</a>`;
    return html`<li><a href="#${sectionId(survey.slug)}">${survey.slug}</a>${people}${words}</li>`;
  });
  return html`<nav class="contents unprinted" aria-label="Contents"><ul>${rows}</ul></nav>`;
}

export const SENT_STYLE = `${SURVEY_STYLE}
.overview td { white-space: nowrap; } .overview .up { color: var(--high-text); } .overview .down { color: var(--low-text); } .overview .about { display: block; } .overview a { color: var(--mark); font-weight: 500; } .overview + .about, .card + .survey { margin-top: 1rem; }
@media (max-width: 40rem) { .overview thead { position: absolute; clip-path: inset(50%); } .overview tr { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; padding: .75rem 0; border-bottom: 1px solid var(--rule); } .overview tr > * { padding: 0; text-align: start; border: 0; } .overview th { grid-column: 1 / -1; } .overview td { white-space: normal; } .overview td::before { display: block; color: var(--quiet); content: attr(data-name); } }
.cover { margin-bottom: 1rem; } .cover h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em; } .cover a, .person a { color: var(--mark); } .person { margin-top: .25rem; font-size: .8125rem; }
.overview .moved { margin-top: .25rem; }
@media print, (min-width: 40.01rem) { .overview th:first-child { width: 64%; } .contents ul { display: flex; flex-wrap: wrap; gap: 0 2rem; } }
.overview thead th { vertical-align: bottom; } .overview .chip { padding: 0 .375rem; } .overview .sign { margin-inline-end: .25rem; font-size: .75em; } .contents { margin-top: .5rem; font-size: .8125rem; } .contents li { display: flex; flex-wrap: wrap; gap: 0 .75rem; } .contents a { display: inline-block; padding: .25rem 0; } .rated b { color: var(--text); font-weight: 600; }
@media (max-width: 40rem) { .overview tr { grid-template-columns: auto auto auto; gap: .25rem .5rem; } .overview tbody tr:last-child { border: 0; padding-bottom: 0; } .overview tbody tr:first-child { padding-top: 0; } .overview .moved { margin-top: .375rem; } }
.overview + .said { margin-top: 1rem; } .voices { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; } .fact { padding: 0 .5rem; background: var(--track); border-radius: .25rem; }
.more summary { width: max-content; padding: .25rem 0; color: var(--mark); font-size: .8125rem; cursor: pointer; } .more[open] summary { margin-bottom: .625rem; }
h4 { padding-bottom: .375rem; margin: 1.25rem 0 .625rem; font-size: .8125rem; line-height: 1.4; font-weight: 600; border-bottom: 1px solid var(--rule); } header + h4 { margin-top: 0; }
.said .comments li { padding: 0 0 .625rem; margin-bottom: .625rem; border-top: 0; border-bottom: 1px solid var(--rule); break-inside: avoid; }
@media screen and (min-width: 60rem) { .said .comments { columns: 2; column-gap: 3rem; } .breakdowns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .breakdowns > :last-child:nth-child(odd) { grid-column: 1 / -1; } .breakdown:not(:last-child:nth-child(odd)) .interval { display: none; } }
@media print { .cover { margin-bottom: 6pt; } .cover h1 { font-size: 11pt; } .cover:has(~ .overview) h1 { font-size: 18pt; } .cover:not(:has(~ .overview)) p { display: inline; } h4 { padding-bottom: 2pt; margin: 6pt 0 4pt; font-size: 8.5pt; break-after: avoid; }
  .survey + .survey, .cover:has(~ .overview) ~ .survey { break-before: page; } .survey + .survey, .card + .survey { padding: 0; margin: 0; border: 0; }
  .voices { display: block; } .voices > * + * { margin-top: 7pt; } .said { display: block; } .said > header { display: flex; } .said > .comments, .survey .comments { display: block; columns: 2; column-gap: 18pt; }
  .said .comments li { padding: 0 0 4pt; margin-bottom: 4pt; } .person { font-size: 8pt; margin-top: 1pt; } .words { margin-top: 2pt; } .said .reasons { margin-top: 1pt; } .key { gap: 0 8pt; line-height: 1.3; } .headline .figure .about { line-height: 1.3; } }
`;
