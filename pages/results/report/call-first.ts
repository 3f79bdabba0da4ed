/** Who is to be called first, of all surveys of a report. */

import { type Html, html } from '../../html.ts';
import { formatCount } from '../figures.ts';
import { PRINTED_PAGE } from '../printed-room.ts';
import { toneOf } from '../rating-words.ts';
import { coverItem, heightOf, type Item } from './items.ts';
import { wordsFirst } from './order-people.ts';
import type { ReportedSurvey } from './voices.ts';

/** Pixels of a first page on paper: its head with the edges of its cards, and a row of the table of all surveys. */
const [HEAD, ROW] = [195, 68];
/** Pixels of a further line of a question, and characters of one. */
const [QUESTION_LINE, PER_LINE] = [16, 66];
/** Pixels by which one of two balanced columns may be longer than the other. */
const UNBALANCED = 40;
/** So many at least, where many surveys need that page. */
const LEAST = 6;

/** How many have room below the table of all surveys. */
function countOnCover(questions: readonly string[], items: readonly Pick<Item, 'parts'>[]): number {
  const rows = questions.reduce(
    (sum, { length }) => sum + ROW + QUESTION_LINE * (Math.ceil(length / PER_LINE) - 1),
    0,
  );
  const highest = Math.max(0, ...items.map(heightOf));
  let left = 2 * (PRINTED_PAGE - HEAD - rows) - Math.max(0, highest - UNBALANCED);
  const over = items.findIndex((item) => {
    left -= heightOf(item);
    return left < 0;
  });
  return Math.max(LEAST, over < 0 ? items.length : over);
}

/** Unhappy people of each survey in turn, those first who said why; nothing where nobody who waits is unhappy. */
export function callFirst(surveys: readonly ReportedSurvey[]): Html {
  const unhappy = surveys.map(({ results, waiting, told }) =>
    wordsFirst(waiting.people.filter(({ rating }) => toneOf(results.survey.type, rating) === 'low')).map(
      (each) => coverItem(results, each, told),
    ),
  );
  const longest = Math.max(0, ...unhappy.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, place) =>
    unhappy.flatMap((list) => list[place] ?? []),
  ).flat();
  if (inTurn.length === 0) return html``;
  const questions = surveys.map(({ results: { survey } }) => survey.question);
  const first = inTurn.slice(0, countOnCover(questions, inTurn));
  const others = inTurn.length - first.length;
  const more = others === 0 ? '' : `; ${formatCount(others)} more below`;
  return html`<section class="card said first"><header><h3>Whom to call first</h3><p class="about">Low ratings of each survey in turn, those with words first${more}.</p></header><ol class="comments">${first.map(({ content }) => content)}</ol></section>`;
}

/** How many wait, of all surveys. */
export function waitingWords(surveys: readonly ReportedSurvey[]): string {
  const asked = surveys.reduce((sum, { results }) => sum + (results.followUpsRequested ?? 0), 0);
  if (asked === 0) return 'Nobody asked to be contacted.';
  const said = `${formatCount(asked)} asked to be contacted in these days`;
  const waiting = surveys.reduce((sum, { waiting: { people } }) => sum + people.length, 0);
  if (waiting === 0) return `${said}: see the results page.`;
  const hasMore = surveys.some(({ waiting: { hasMore } }) => hasMore);
  if (waiting === asked) return `${said}, and all of them still wait.`;
  return `${said}, ${formatCount(waiting)}${hasMore ? '+' : ''} of them still wait.`;
}
