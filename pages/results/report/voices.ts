/** Comments and contacts of a survey, as many as fit into the file. */

import type { Contact } from '../../../shared/contract/contact-schemas.ts';
import type { Comment, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { MODEL_REQUESTED } from '../../../shared/domain/answers/answer.ts';
import { hasScale } from '../../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../../html.ts';
import type { Breakdown } from '../charts/breakdown-tables.ts';
import type { Sources } from '../comment.ts';
import { counted, formatCount, writeDay } from '../figures.ts';
import { partsOf } from '../result-words.ts';
import { commentItem, contactItem, foldComments, type Item, worstFirst } from './items.ts';

export interface Waiting {
  /** The lowest rating is first. If `hasMore`, the list contains only the newest. */
  readonly people: readonly Contact[];
  readonly hasMore: boolean;
  /** Reports contain people only on request. */
  readonly isRead: boolean;
}

export interface ReportedSurvey {
  readonly results: ResultsReply;
  readonly segments: readonly Breakdown[];
  /** The newest comments of all ratings. */
  readonly comments: readonly Comment[];
  readonly hasMoreComments: boolean;
  readonly waiting: Waiting;
  /** Names of segments shown for each person. */
  readonly told: readonly string[];
  readonly sources: Sources;
}

interface Group {
  readonly title: string;
  readonly items: readonly Item[];
  /** The number of printed items. */
  readonly most: number;
}

/** The number of printed items of each list. */
const PRINTED = { people: 10, low: 10, other: 5 } as const;

export const voiceIds = (slug: string) => ({ people: `people-${slug}`, words: `words-${slug}` });

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** People, then comments by tone, low ratings first. */
function groupsOf(survey: ReportedSurvey): readonly [Group, ...Group[]] {
  const { results, comments, waiting } = survey;
  const folded = foldComments(worstFirst(results.survey, comments));
  const words = partsOf(results.survey).map(({ tone, name, from, to }) => ({
    title: from === to ? name : `${name} (${from} to ${to})`,
    items: folded
      .filter(({ said }) => from <= said.rating && said.rating <= to)
      .map((each) => commentItem(results, each)),
    most: tone === 'low' ? PRINTED.low : PRINTED.other,
  }));
  const people = waiting.people.map((each) => contactItem(results, each, survey));
  return [{ title: '', items: people, most: PRINTED.people }, ...words];
}

export const bytesNeeded = (survey: ReportedSurvey): number =>
  sum(groupsOf(survey).flatMap(({ items }) => items.map(({ bytes }) => bytes)));

/** @param room bytes */
function countThatFit(items: readonly Item[], room: number): number {
  let left = room;
  const over = items.findIndex((item) => {
    left -= item.bytes;
    return left < 0;
  });
  return over < 0 ? items.length : over;
}

/** The largest share of the room that people may take. */
const MOST_FOR_PEOPLE = 0.5;
/** The largest share of the remaining room that low ratings may take. */
const MOST_FOR_UNHAPPY = 0.65;
/** Grants what is needed, up to this share or, if that is more, what the others leave. */
const upTo = (part: number, need: number, others: readonly number[], room: number): number =>
  Math.min(need, Math.max(room * part, room - sum(others)));

function divide(needs: readonly number[], room: number): readonly number[] {
  const [people = 0, ...words] = needs;
  const given = upTo(MOST_FOR_PEOPLE, people, words, room);
  const [unhappy = 0, ...others] = words;
  const said = upTo(MOST_FOR_UNHAPPY, unhappy, others, room - given);
  return [given, said, ...shareRoom(others, room - given - said)];
}

/** On screen, further items are collapsed. */
function listOf({ items, most }: Group): Html {
  const list = (some: readonly Item[]): Html =>
    html`<ol class="comments">${some.map(({ content }) => content)}</ol>`;
  const rest = items.slice(most);
  return rest.length === 0
    ? list(items)
    : html`${list(items.slice(0, most))}<details class="more unprinted"><summary>Show ${formatCount(rest.length)} more</summary>${list(rest)}</details>`;
}

function told(whole: string, printed: string): Html {
  return whole === printed
    ? html`<p class="about">${whole}</p>`
    : html`<p class="about unprinted">${whole}</p><p class="about printed">Printed: ${printed}</p>`;
}

/** Results do not count model-requested responses. */
function countWords(
  shown: readonly Item[],
  { results, comments: read, hasMoreComments }: ReportedSurvey,
): string {
  const { comments, completeFrom, from } = results;
  const byModel = sum(shown.map((each) => each.byModel));
  const answers = sum(shown.map((each) => each.answers));
  const beside = byModel === 0 ? '' : `, plus ${formatCount(byModel)} asked for by an AI assistant`;
  const isCut = completeFrom !== null && from < completeFrom;
  const gone = isCut ? ` Comments before ${writeDay(completeFrom)} were deleted.` : '';
  const newestRead = read.filter(({ identityKind }) => identityKind !== MODEL_REQUESTED).length;
  const newest = hasMoreComments ? `, chosen from the newest ${formatCount(newestRead)}` : '';
  const all = counted(comments ?? 0, 'comment');
  const order = hasScale(results.survey.type) ? ', low ratings first' : '';
  if (answers + (comments ?? 0) === 0) return `No comments in this period.${gone}`;
  return `${formatCount(answers - byModel)} of ${all}${newest}${order}${beside}.${gone}`;
}

/** @param room bytes */
function groupsThatFit(survey: ReportedSurvey, room: number): readonly Group[] {
  const all = groupsOf(survey);
  const rooms = divide(
    all.map(({ items }) => sum(items.map(({ bytes }) => bytes))),
    room,
  );
  return all.map((group, index) => ({
    ...group,
    items: group.items.slice(0, countThatFit(group.items, rooms[index] ?? 0)),
  }));
}

/** @param room bytes */
export const hasRoomForPeople = (survey: ReportedSurvey, room: number): boolean =>
  (groupsThatFit(survey, room)[0]?.items.length ?? 0) > 0;

/** @param room bytes */
export function voices(survey: ReportedSurvey, room: number): Html {
  const { results, waiting } = survey;
  const [people, ...words] = groupsThatFit(survey, room);
  const ids = voiceIds(results.survey.slug);
  const waits = `${waiting.hasMore ? 'the newest ' : ''}${counted(waiting.people.length, 'open request')}`;
  const ofAll = (count: number): string =>
    count === waiting.people.length && !waiting.hasMore
      ? `${waits}, lowest rating first.`
      : `${formatCount(count)} of ${waits}, lowest rating first.${waiting.hasMore ? ' There are more.' : ''}`;
  const contacts =
    people === undefined || people.items.length === 0
      ? html``
      : html`<section class="card said waiting" id="${ids.people}"><header><h3>Contact requests</h3>${told(ofAll(people.items.length), ofAll(Math.min(people.items.length, people.most)))}</header>${listOf(people)}</section>`;

  const shown = words.flatMap(({ items }) => items);
  const printed = words.flatMap(({ items, most }) => items.slice(0, most));
  const lists = words
    .filter(({ items }) => items.length > 0)
    .map((group) => html`${group.title === '' ? html`` : html`<h4>${group.title}</h4>`}${listOf(group)}`);
  const comments = html`<section class="card said spoken" id="${ids.words}"><header><h3>Comments</h3>${told(countWords(shown, survey), countWords(printed, survey))}</header>${lists}</section>`;
  return html`<div class="voices">${contacts}${comments}</div>`;
}

/** Divides the room equally. Room that one part does not need goes to the others. */
export function shareRoom(needs: readonly number[], room: number): readonly number[] {
  const rooms = needs.map(() => 0);
  const byNeed = [...needs.entries()].sort(([, one], [, other]) => one - other);
  let left = Math.max(0, room);
  for (const [place, [index, need]] of byNeed.entries()) {
    const given = Math.min(need, Math.floor(left / (byNeed.length - place)));
    rooms[index] = given;
    left -= given;
  }
  return rooms;
}
