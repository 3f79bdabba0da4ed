/** What people of a survey wrote, and who of them waits to be contacted: as much as there is room for, and how much that is. */

import type { Contact } from '../../../shared/contract/contact-schemas.ts';
import type { Comment, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import type { Breakdown } from '../charts/segment-table.ts';
import { formatCount, writeDay } from '../figures.ts';
import { fillsOnePage, PRINTED_PAGE, printedCount, printedRoom } from '../printed-room.ts';
import { PARTS, toneOf } from '../rating-words.ts';
import { foldComments } from './fold-comments.ts';
import { commentItem, contactItem, HALF_LINE, heightOf, type Item } from './items.ts';
import { shareRoom } from './share-room.ts';

export interface Waiting {
  /** Lowest rating first. */
  readonly people: readonly Contact[];
  /** Whether there are more than were read. */
  readonly hasMore: boolean;
}

export interface ReportedSurvey {
  readonly results: ResultsReply;
  readonly segments: readonly Breakdown[];
  readonly comments: readonly Comment[];
  readonly waiting: Waiting;
  /** Names of the segments that a person is told by. */
  readonly told: readonly string[];
}

interface Group {
  readonly title: string;
  readonly items: readonly Item[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Who waits, and comments by how they count, unhappy ones first. */
function groupsOf({ results, comments, waiting, told }: ReportedSurvey): readonly [Group, ...Group[]] {
  const { type } = results.survey;
  const folded = foldComments(type, comments);
  const words = PARTS[type].map(({ tone, name, from, to }) => ({
    title: from === to ? name : `${name} (${from} to ${to})`,
    items: folded
      .filter(({ said }) => toneOf(type, said.rating) === tone)
      .map((each) => commentItem(results, each)),
  }));
  return [{ title: '', items: waiting.people.map((each) => contactItem(results, each, told)) }, ...words];
}

/** Bytes of everything that there is to show. */
export const bytesNeeded = (survey: ReportedSurvey): number =>
  sum(groupsOf(survey).flatMap(({ items }) => items.map(({ bytes }) => bytes)));

function firstOf(items: readonly Item[], room: number): readonly Item[] {
  let left = room;
  const over = items.findIndex(({ bytes }) => {
    left -= bytes;
    return left < 0;
  });
  return over < 0 ? items : items.slice(0, over);
}

/** Pixels of edges and headings of the two cards, and of their groups. */
const HEADINGS = 150;
/** Of the room at most, for people who wait; the rest is for words. */
const MOST_FOR_PEOPLE = 0.5;
/** Pixels of less than which only one of the two cards is printed. */
const ENOUGH_FOR_BOTH = 400;
/** Pixels that one card alone does not need of what is kept for edges. */
const SPARE = 60;
/** Pixels of an item by which one of two balanced columns may be longer than the other. */
const UNBALANCED = 60;

/** What long items cost of a column that cannot be filled. */
const lossOf = (items: readonly Item[]): number =>
  Math.max(0, Math.max(0, ...items.map(heightOf)) - UNBALANCED);

/** People come first; groups of words share what is left. */
function divide(needs: readonly number[], room: number): readonly number[] {
  const [people = 0, ...words] = needs;
  const left = room - sum(words);
  const given = Math.min(people, Math.max(room * MOST_FOR_PEOPLE, left));
  return [given, ...shareRoom(words, room - given)];
}

/** Items of which paper has the first ones. */
const listOf = (items: readonly Item[], printed: number): Html => {
  const [first, rest] = [items.slice(0, printed), items.slice(printed)];
  const more =
    rest.length === 0
      ? html``
      : html`<ol class="comments unprinted">${rest.map(({ content }) => content)}</ol>`;
  const list =
    first.length === 0 ? html`` : html`<ol class="comments">${first.map(({ content }) => content)}</ol>`;
  return html`${list}${more}`;
};

/** What is said of a list, on a screen and on paper. */
function told(whole: string, printed: string): Html {
  return whole === printed
    ? html`<p class="about">${whole}</p>`
    : html`<p class="about unprinted">${whole}</p><p class="about printed">Printed: ${printed}</p>`;
}

/** Those that a model asked for are in no number of the results. */
function countWords(shown: readonly Item[], { comments, completeFrom, from }: ResultsReply): string {
  const byModel = sum(shown.map((each) => each.byModel));
  const answers = sum(shown.map((each) => each.answers));
  const beside = byModel === 0 ? '' : `, and ${formatCount(byModel)} that a model asked for`;
  const isCut = completeFrom !== null && from < completeFrom;
  const gone = isCut ? `; those before ${writeDay(completeFrom)} are no longer kept` : '';
  return `${formatCount(answers - byModel)} of ${formatCount(comments ?? 0)}, low ratings first${beside}${gone}.`;
}

/** @param room bytes */
export function voices(survey: ReportedSurvey, room: number): Html {
  const { results, segments, waiting } = survey;
  const all = groupsOf(survey);
  const rooms = divide(
    all.map(({ items }) => sum(items.map(({ bytes }) => bytes))),
    room,
  );
  const groups = all.map(({ title, items }, index) => ({ title, items: firstOf(items, rooms[index] ?? 0) }));
  const isFresh = fillsOnePage(results, segments);
  const column = isFresh ? PRINTED_PAGE : printedRoom(results, segments);
  const heights = groups.map(({ items }) => sum(items.map(heightOf)));
  const lost = groups.map(({ items }) => lossOf(items));
  const paper = 2 * (column - HEADINGS) - sum(lost);
  const papers =
    paper >= ENOUGH_FOR_BOTH
      ? divide(heights, paper)
      : heights.map((height, index) =>
          index === heights.findIndex((one) => one > 0)
            ? Math.min(height, 2 * (column + SPARE) - (lost[index] ?? 0))
            : 0,
        );
  const [people, ...words] = groups.map((group, index) => {
    const parts = group.items.map((each) => each.parts);
    return { ...group, printed: printedCount(parts, papers[index] ?? 0, HALF_LINE) };
  });

  const waits = `${formatCount(waiting.people.length)}${waiting.hasMore ? '+' : ''}`;
  const ofAll = (count: number): string =>
    count === waiting.people.length && !waiting.hasMore
      ? `${waits} asked in these days and wait, lowest rating first.`
      : `${formatCount(count)} of ${waits} who wait, lowest rating first.`;
  const contacts =
    people === undefined || people.items.length === 0
      ? html``
      : html`<section class="card said waiting${people.printed === 0 ? ' unprinted' : ''}"><header><h3>Want to be contacted</h3>${told(ofAll(people.items.length), ofAll(people.printed))}</header>${listOf(people.items, people.printed)}</section>`;

  const printed = words.flatMap((group) => group.items.slice(0, group.printed));
  const shown = words.flatMap(({ items }) => items);
  const lists = words
    .filter(({ items }) => items.length > 0)
    .map(
      (group) =>
        html`<h4 class="${group.printed === 0 ? 'unprinted' : ''}">${group.title}</h4>${listOf(group.items, group.printed)}`,
    );
  const isUnprinted = printed.length === 0 && shown.length > 0;
  const comments = html`<section class="card said spoken${isUnprinted ? ' unprinted' : ''}"><header><h3>Comments</h3>${told(countWords(shown, results), countWords(printed, results))}</header>${lists}</section>`;
  return html`<div class="voices${isFresh ? ' fresh' : ''}">${contacts}${comments}</div>`;
}
