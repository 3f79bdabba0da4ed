/** People and comments of a report as list items, with their size in the file. */

import type { Contact } from '../../../shared/contract/contact-schemas.ts';
import type { Comment, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { MODEL_REQUESTED } from '../../../shared/domain/answers/answer.ts';
import { type Html, html } from '../../html.ts';
import { addressOf, comment, ratingPill, reasonsOf, type Sources, saidUnder } from '../comment.ts';
import { formatCount, writeDay } from '../figures.ts';
import { partsOf, type Rated, toneOf, wordOf } from '../result-words.ts';

export interface Item {
  readonly content: Html;
  readonly bytes: number;
  readonly answers: number;
  readonly byModel: number;
}

/** Longest text of a contact, in code units. The comments contain all of it. */
const MOST_WORDS = 400;

export const bytesOf = ({ text }: Html): number => Buffer.byteLength(text);

/** Shows equal texts of several people once, with their count and without the people. */
export function commentItem({ survey, reasons, questions }: ResultsReply, { said, times }: Folded): Item {
  const count = times.length;
  const often = count > 1 ? html`<span class="times">said ${formatCount(count)} times</span>` : html``;
  const why = count > 1 ? html`` : reasonsOf(said, { reasons, questions });
  const content = comment(survey, said, why, often);
  return {
    content,
    bytes: bytesOf(content),
    answers: count,
    byModel: said.identityKind === MODEL_REQUESTED ? count : 0,
  };
}

function whomToWrite(given: Contact): Html {
  const address = addressOf(given) ?? html``;
  return given.contact === null ? html`${address} <span class="about">no address</span>` : address;
}

type OfSurvey = Pick<ResultsReply, 'survey' | 'reasons' | 'questions'>;

interface Shown {
  readonly told: readonly string[];
  readonly sources: Sources;
}

const CHARACTERS = new Intl.Segmenter('en');

/** Never cuts a character of several code points, such as an emoji, in half. */
function firstWords(text: string): string {
  const cut = CHARACTERS.segment(text).containing(MOST_WORDS);
  return cut === undefined ? text : `${text.slice(0, cut.index)} …`;
}

interface Told {
  readonly text: string | null;
  readonly why: Html;
  readonly person: Html;
  readonly facts: readonly Html[];
}

function tell({ reasons, questions }: OfSurvey, given: Contact, { told, sources }: Shown): Told {
  const facts = told.flatMap((name) => {
    const value = saidUnder(name, given, sources);
    return value === null ? [] : [html`<span class="fact"><bdi>${String(value)}</bdi></span>`];
  });
  const text = given.text === null ? null : firstWords(given.text);
  const why = reasonsOf(given, { reasons, questions });
  const person = html`<p class="person">${whomToWrite(given)}</p>`;
  return { text, why, person, facts };
}

export function contactItem(of: OfSurvey, given: Contact, shown: Shown): Item {
  const { text, why, person, facts } = tell(of, given, shown);
  const content = comment(
    of.survey,
    { ...given, text },
    html`${why}${person}`,
    html`<span class="facts">${facts}</span>`,
  );
  return {
    content,
    bytes: bytesOf(content),
    answers: 1,
    byModel: 0,
  };
}

/** A contact in a list of several surveys: names the survey and the scale. */
export function coverItem(of: OfSurvey, given: Contact, shown: Shown): Html {
  const { slug } = of.survey;
  const { text, why, person, facts } = tell(of, given, shown);
  const word = wordOf(of.survey, given.rating);
  const highest = partsOf(of.survey).at(-1)?.to ?? given.rating;
  const rated = word === String(given.rating) ? `${word} of ${highest}` : word;
  const words = text === null ? html`` : html`<p class="words" dir="auto">${text}</p>`;
  return html`<li><p class="rated">${ratingPill(of.survey, given.rating, rated)}<b>${slug}</b> <time datetime="${given.at}">${writeDay(given.at)}</time><span class="facts">${facts}</span></p>${words}${why}${person}</li>`;
}

type Asking = Pick<Comment, 'rating' | 'text' | 'contact'>;

const isSilent = ({ text }: Pick<Asking, 'text'>): number => Number(text === null);
const isUnreachable = ({ contact }: Pick<Asking, 'contact'>): number => Number(contact === null);

/** Lowest rating first, then people with a comment, then people with an address. */
export const unhappiestFirst = <Each extends Asking>(people: readonly Each[]): readonly Each[] =>
  people.toSorted(
    (a, b) => a.rating - b.rating || isSilent(a) - isSilent(b) || isUnreachable(a) - isUnreachable(b),
  );

/** People with a comment first. */
export const wordsFirst = <Each extends Asking>(people: readonly Each[]): readonly Each[] =>
  unhappiestFirst(people).toSorted((a, b) => isSilent(a) - isSilent(b));

/** Sorts by the lowest rating first. High ratings stay in their order, newest first. */
export function worstFirst(of: Rated, comments: readonly Comment[]): readonly Comment[] {
  const rank = ({ rating }: Comment): number =>
    toneOf(of, rating) === 'high' ? Number.MAX_SAFE_INTEGER : rating;
  return comments.toSorted((a, b) => rank(a) - rank(b));
}

export interface Folded {
  readonly said: Comment;
  readonly times: readonly Comment[];
}

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

/**
 * Folds texts of the same rating and answers that differ only in whitespace and case. Keeps responses asked for by an AI assistant apart.
 */
export function foldComments(comments: readonly Comment[]): readonly Folded[] {
  const byWords = new Map<string, Comment[]>();
  for (const said of comments) {
    const words = `${said.rating} ${said.identityKind === MODEL_REQUESTED} ${plain(said.text ?? '')} ${JSON.stringify(said.answers)}`;
    byWords.set(words, [...(byWords.get(words) ?? []), said]);
  }
  return [...byWords.values()].flatMap((times) => (times[0] ? [{ said: times[0], times }] : []));
}
