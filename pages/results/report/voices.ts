/** What people of a survey wrote, and who of them waits to be contacted: as much as there is room for, and how much that is. */

import type { Contact } from '../../../shared/contract/contact-schemas.ts';
import type { Comment, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { MODEL_REQUESTED } from '../../../shared/domain/answers/answer.ts';
import { type Html, html } from '../../html.ts';
import type { Breakdown } from '../charts/segment-table.ts';
import { formatCount, writeDay } from '../figures.ts';
import { fillsOnePage, PRINTED_PAGE, printedRoom } from '../printed-room.ts';
import { PARTS, toneOf } from '../rating-words.ts';
import type { Sources } from '../said-under.ts';
import { foldComments } from './fold-comments.ts';
import { commentItem, contactItem, heightOf, type Item } from './items.ts';
import { worstFirst } from './order-people.ts';
import { shareRoom } from './share-room.ts';

export interface Waiting {
  /** Lowest rating first; of more than were read the newest. */
  readonly people: readonly Contact[];
  /** Whether there are more than were read. */
  readonly hasMore: boolean;
  /** Whether anybody was looked for: a report names people only where it is asked to. */
  readonly isRead: boolean;
}

export interface ReportedSurvey {
  readonly results: ResultsReply;
  readonly segments: readonly Breakdown[];
  /** The newest, all kinds. */
  readonly comments: readonly Comment[];
  /** Whether there are more than were read. */
  readonly hasMoreComments: boolean;
  readonly waiting: Waiting;
  /** Names of the segments that a person is told by. */
  readonly told: readonly string[];
  /** What those are of. */
  readonly sources: Sources;
}

interface Group {
  readonly title: string;
  readonly items: readonly Item[];
}

/** Where the two cards of a survey begin. */
export const voiceIds = (slug: string) => ({ people: `people-${slug}`, words: `words-${slug}` });

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Who waits, and comments by how they count, unhappy ones first, of these the lowest ratings. */
function groupsOf(survey: ReportedSurvey): readonly [Group, ...Group[]] {
  const { results, comments, waiting } = survey;
  const { type } = results.survey;
  const folded = foldComments(worstFirst(type, comments));
  const words = PARTS[type].map(({ tone, name, from, to }) => ({
    title: from === to ? name : `${name} (${from} to ${to})`,
    items: folded
      .filter(({ said }) => toneOf(type, said.rating) === tone)
      .map((each) => commentItem(results, each)),
  }));
  return [{ title: '', items: waiting.people.map((each) => contactItem(results, each, survey)) }, ...words];
}

/** Bytes of everything that there is to show. */
export const bytesNeeded = (survey: ReportedSurvey): number =>
  sum(groupsOf(survey).flatMap(({ items }) => items.map(({ bytes }) => bytes)));

/** How many of them have room, the first ones. */
function countThatFit(items: readonly Item[], sizeOf: (item: Item) => number, room: number): number {
  let left = room;
  const over = items.findIndex((item) => {
    left -= sizeOf(item);
    return left < 0;
  });
  return over < 0 ? items.length : over;
}

/** Pixels of edges and headings of the two cards, and of the heading of a group of words. */
const [CARDS, HEADING] = [110, 33];
/** Of the room at most, for people who wait; the rest is for words. */
const MOST_FOR_PEOPLE = 0.5;
/** Of the room for words at most, for unhappy ones. */
const MOST_FOR_UNHAPPY = 0.65;
/** Pixels of less than which only one of the two cards is printed. */
const ENOUGH_FOR_BOTH = 400;
/** Pixels that one card alone does not need of what is kept for edges. */
const SPARE = 60;
/** Pixels of an item by which one of two balanced columns may be longer than the other. */
const UNBALANCED = 60;

/** What long items cost of a column that cannot be filled. */
const lossOf = (items: readonly Item[]): number =>
  Math.max(0, Math.max(0, ...items.map(heightOf)) - UNBALANCED);

/** Room for the first one up to a part of all of it, and what the others do not need. */
const upTo = (part: number, need: number, others: readonly number[], room: number): number =>
  Math.min(need, Math.max(room * part, room - sum(others)));

/** People come first, then unhappy words; the others share what is left. */
function divide(needs: readonly number[], room: number): readonly number[] {
  const [people = 0, ...words] = needs;
  const given = upTo(MOST_FOR_PEOPLE, people, words, room);
  const [unhappy = 0, ...others] = words;
  const said = upTo(MOST_FOR_UNHAPPY, unhappy, others, room - given);
  return [given, said, ...shareRoom(others, room - given - said)];
}

/** How many of each group are printed: what each has room for, and then what still fits, unhappy ones first. */
function countPrinted(groups: readonly Group[], rooms: readonly number[], room: number): readonly number[] {
  const counts = groups.map(({ items }, index) => countThatFit(items, heightOf, rooms[index] ?? 0));
  const used = groups.map(({ items }, index) => sum(items.slice(0, counts[index]).map(heightOf)));
  let left = room - sum(used);
  return groups.map(({ items }, index) => {
    const count = counts[index] ?? 0;
    if ((rooms[index] ?? 0) === 0) return 0;
    const more = countThatFit(items.slice(count), heightOf, left);
    left -= sum(items.slice(count, count + more).map(heightOf));
    return count + more;
  });
}

/** Of what paper has none of, a screen shows this many before the rest is opened. */
const SHOWN = 4;

/** Items of which paper has the first ones; a screen has the others behind a summary. */
function listOf(items: readonly Item[], printed: number): Html {
  const shown = printed === 0 ? SHOWN : printed;
  const list = (some: readonly Item[]): Html =>
    html`<ol class="comments">${some.map(({ content }) => content)}</ol>`;
  const rest = items.slice(shown);
  const more =
    rest.length === 0
      ? html``
      : html`<details class="more unprinted"><summary>${formatCount(rest.length)} more</summary>${list(rest)}</details>`;
  const first = list(items.slice(0, shown));
  return printed === 0 ? html`<div class="unprinted">${first}${more}</div>` : html`${first}${more}`;
}

/** What is said of a list, on a screen and on paper. */
function told(whole: string, printed: string): Html {
  return whole === printed
    ? html`<p class="about">${whole}</p>`
    : html`<p class="about unprinted">${whole}</p><p class="about printed">Printed: ${printed}</p>`;
}

/** Those that a model asked for are in no number of the results. */
function countWords(
  shown: readonly Item[],
  { results, comments: read, hasMoreComments }: ReportedSurvey,
): string {
  const { comments, completeFrom, from } = results;
  const byModel = sum(shown.map((each) => each.byModel));
  const answers = sum(shown.map((each) => each.answers));
  const beside = byModel === 0 ? '' : `, and ${formatCount(byModel)} that a model asked for`;
  const isCut = completeFrom !== null && from < completeFrom;
  const gone = isCut ? `; those before ${writeDay(completeFrom)} are no longer kept` : '';
  const counted = read.filter(({ identityKind }) => identityKind !== MODEL_REQUESTED).length;
  const newest = hasMoreComments ? `the newest ${formatCount(counted)} of ` : '';
  return `${formatCount(answers - byModel)} of ${newest}${formatCount(comments ?? 0)}, low ratings first${beside}${gone}.`;
}

/** Of each group what there is room for. @param room bytes */
function groupsThatFit(survey: ReportedSurvey, room: number): readonly Group[] {
  const all = groupsOf(survey);
  const rooms = divide(
    all.map(({ items }) => sum(items.map(({ bytes }) => bytes))),
    room,
  );
  return all.map(({ title, items }, index) => ({
    title,
    items: items.slice(
      0,
      countThatFit(items, ({ bytes }) => bytes, rooms[index] ?? 0),
    ),
  }));
}

/** Whether there is room for anybody who waits. @param room bytes */
export const hasRoomForPeople = (survey: ReportedSurvey, room: number): boolean =>
  (groupsThatFit(survey, room)[0]?.items.length ?? 0) > 0;

/** @param room bytes */
export function voices(survey: ReportedSurvey, room: number): Html {
  const { results, segments, waiting } = survey;
  const groups = groupsThatFit(survey, room);
  const isFresh = fillsOnePage(results, segments);
  const column = isFresh ? PRINTED_PAGE : printedRoom(results, segments);
  const heights = groups.map(({ items }) => sum(items.map(heightOf)));
  const lost = groups.map(({ items }) => lossOf(items));
  const headings = CARDS + HEADING * groups.slice(1).filter(({ items }) => items.length > 0).length;
  const paper = 2 * (column - headings) - sum(lost);
  const one = heights.findIndex((height) => height > 0);
  const papers =
    paper >= ENOUGH_FOR_BOTH
      ? divide(heights, paper)
      : heights.map((height, index) =>
          index === one
            ? Math.min(height, Math.max(0, 2 * (column + SPARE - headings) - (lost[index] ?? 0)))
            : 0,
        );
  const printedCounts = countPrinted(groups, papers, paper >= ENOUGH_FOR_BOTH ? paper : sum(papers));
  const [people, ...words] = groups.map((group, index) => ({ ...group, printed: printedCounts[index] ?? 0 }));

  const ids = voiceIds(results.survey.slug);
  const waits = `${waiting.hasMore ? 'the newest ' : ''}${formatCount(waiting.people.length)}`;
  const ofAll = (count: number): string =>
    count === waiting.people.length && !waiting.hasMore
      ? `${waits} asked in these days and wait, lowest rating first.`
      : `${formatCount(count)} of ${waits} who wait, lowest rating first${waiting.hasMore ? '; more wait' : ''}.`;
  const contacts =
    people === undefined || people.items.length === 0
      ? html``
      : html`<section class="card said waiting${people.printed === 0 ? ' unprinted' : ''}" id="${ids.people}"><header><h3>Want to be contacted</h3>${told(ofAll(people.items.length), ofAll(people.printed))}</header>${listOf(people.items, people.printed)}</section>`;

  const printed = words.flatMap((group) => group.items.slice(0, group.printed));
  const shown = words.flatMap(({ items }) => items);
  const lists = words
    .filter(({ items }) => items.length > 0)
    .map(
      (group) =>
        html`<h4 class="${group.printed === 0 ? 'unprinted' : ''}">${group.title}</h4>${listOf(group.items, group.printed)}`,
    );
  const isUnprinted = printed.length === 0 && shown.length > 0;
  const comments = html`<section class="card said spoken${isUnprinted ? ' unprinted' : ''}" id="${ids.words}"><header><h3>Comments</h3>${told(countWords(shown, survey), countWords(printed, survey))}</header>${lists}</section>`;
  return html`<div class="voices${isFresh ? ' fresh' : ''}">${contacts}${comments}</div>`;
}
