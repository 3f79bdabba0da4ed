/** Who is to be called first, of all surveys of a report. */

import { type Html, html } from '../../html.ts';
import { formatCount } from '../figures.ts';
import { toneOf } from '../rating-words.ts';
import { contactItem } from './items.ts';
import type { ReportedSurvey } from './voices.ts';

const MOST = 12;

/** The unhappiest of each survey in turn, the newest first; nothing where nobody who waits is unhappy. */
export function callFirst(surveys: readonly ReportedSurvey[]): Html {
  const unhappy = surveys.map(({ results, waiting, told }) =>
    waiting.people
      .filter(({ rating }) => toneOf(results.survey.type, rating) === 'low')
      .map((each) => contactItem(results, each, [...told]).content),
  );
  const longest = Math.max(0, ...unhappy.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, place) =>
    unhappy.flatMap((list) => list[place] ?? []),
  ).flat();
  if (inTurn.length === 0) return html``;
  const first = inTurn.slice(0, MOST);
  const more =
    inTurn.length > MOST ? `, ${formatCount(inTurn.length - MOST)} more in the lists of the surveys` : '';
  return html`<section class="card said first"><header><h3>Whom to call first</h3><p class="about">Low ratings, of each survey in turn${more}.</p></header><ol class="comments">${first}</ol></section>`;
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
