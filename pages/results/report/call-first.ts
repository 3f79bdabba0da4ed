/** Who is to be called first, of all surveys of a report. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import { orTooFew } from '../comparison.ts';
import { formatCount } from '../figures.ts';
import { toneOf } from '../rating-words.ts';
import { coverItem } from './items.ts';
import { wordsFirst } from './order-people.ts';
import type { ReportedSurvey } from './voices.ts';

const moreWaiting = (count: number): string =>
  ` ${formatCount(count)} more ${count === 1 ? 'person is' : 'people are'} waiting.`;

/** People on the first page. */
const MOST = 8;

/** Unhappy people of each survey in turn, those first who said why; nothing where nobody who waits is unhappy. */
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
      : ` From surveys with more, only the newest ${formatCount(Math.max(...read))} people are considered.`;
  return html`<section class="card said first"><header><h3>Contact first</h3><p class="about">Low ratings from each survey in turn, comments first.${more}${newest}</p></header><ol class="comments">${first}</ol></section>`;
}

const people = (count: number): string => (count === 1 ? '1 person' : `${formatCount(count)} people`);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Of the numbers, which leave out answers that a model asked for, and have those that are no longer kept. */
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

/** How many wait, of all surveys; where nobody was looked for, how many asked. */
export function waitingWords(surveys: readonly ReportedSurvey[]): string {
  if (surveys.some(({ waiting: { isRead } }) => !isRead))
    return askedWords(surveys.map(({ results }) => results));
  const waiting = sum(surveys.map(({ waiting: { people } }) => people.length));
  const hasMore = surveys.some(({ waiting }) => waiting.hasMore);
  if (waiting === 0) return 'No one who asked to be contacted in this period is still waiting.';
  if (waiting === 1 && !hasMore) return '1 person asked to be contacted in this period and is still waiting.';
  return `${formatCount(waiting)}${hasMore ? '+' : ''} people asked to be contacted in this period and are still waiting.`;
}
