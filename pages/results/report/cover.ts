/** The first page of a report: all surveys, contents, and people to contact first. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import { TYPE_TEXTS } from '../../type-texts.ts';
import { orTooFew, sayDaysBefore, sayDifference } from '../comparison.ts';
import { formatCount, formatInterval, formatPoints, formatScore, roundScore } from '../figures.ts';
import { toneOf } from '../result-words.ts';
import { sectionId } from '../sections.ts';
import { coverItem, wordsFirst } from './items.ts';
import { hasRoomForPeople, type ReportedSurvey, voiceIds } from './voices.ts';

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

const moreWaiting = (count: number): string =>
  ` ${formatCount(count)} more ${count === 1 ? 'person is' : 'people are'} waiting.`;

const MOST = 8;

/** People with low ratings, from each survey in turn. */
export function callFirst(surveys: readonly ReportedSurvey[]): Html {
  const unhappy = surveys.map((survey) => {
    const { results, waiting } = survey;
    return wordsFirst(
      waiting.people.filter(({ rating }) => toneOf(results.survey.type, rating) === 'low'),
    ).map((each) => coverItem(results, each, survey));
  });
  const longest = Math.max(0, ...unhappy.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, place) =>
    unhappy.flatMap((list) => list[place] ?? []),
  ).flat();
  if (inTurn.length === 0) return html``;
  const first = inTurn.slice(0, MOST);
  const others = inTurn.length - first.length;
  const more = others === 0 ? '' : moreWaiting(others);
  const read = surveys.flatMap(({ waiting }) => (waiting.hasMore ? [waiting.people.length] : []));
  const newest =
    read.length === 0
      ? ''
      : ` Only the newest ${formatCount(Math.max(...read))} people of a survey are considered.`;
  return html`<section class="card said first"><header><h3>Contact first</h3><p class="about">Low ratings from each survey in turn, comments first.${more}${newest}</p></header><ol class="comments">${first}</ol></section>`;
}

const people = (count: number): string => (count === 1 ? '1 person' : `${formatCount(count)} people`);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Counts omit responses requested by a model and include deleted ones. */
function askedWords(results: readonly ResultsReply[]): string {
  const asked = sum(results.map(({ followUpsRequested }) => followUpsRequested ?? 0));
  const few = results.find(({ smallestCell }) => smallestCell !== undefined);
  const isBeside = results.some(({ modelRequested }) => (modelRequested ?? 0) > 0);
  const said = `asked to be contacted in this period${isBeside ? ', not counting responses requested by a model' : ''}`;
  if (asked === 0) return `No one ${said}${few === undefined ? '' : orTooFew(few)}.`;
  return few === undefined
    ? `${people(asked)} ${said}. See the results page.`
    : `At least ${people(asked)} ${said}. Small numbers are hidden. See the results page.`;
}

/** How many people wait; if contacts were not read, how many asked. */
export function waitingWords(surveys: readonly ReportedSurvey[]): string {
  if (surveys.some(({ waiting: { isRead } }) => !isRead))
    return askedWords(surveys.map(({ results }) => results));
  const waiting = sum(surveys.map(({ waiting: { people } }) => people.length));
  const hasMore = surveys.some(({ waiting }) => waiting.hasMore);
  if (waiting === 0) return 'No one who asked to be contacted in this period is still waiting.';
  if (waiting === 1 && !hasMore) return '1 person asked to be contacted in this period and is still waiting.';
  return `${formatCount(waiting)}${hasMore ? '+' : ''} people asked to be contacted in this period and are still waiting.`;
}

/** @param rooms bytes for each survey's comments and people; undefined if they are left out */
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
