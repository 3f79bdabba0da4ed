/** People and comments of a report as list items, with their size in the file. */

import type { Contact } from '../../../shared/contract/contact-schemas.ts';
import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { MODEL_REQUESTED } from '../../../shared/domain/answers/answer.ts';
import { type Html, html } from '../../html.ts';
import { addressOf } from '../address.ts';
import { reasonsOf } from '../charts/reason-table.ts';
import { formatCount, writeDay } from '../figures.ts';
import { partsOf, toneOf, wordOf } from '../rating-words.ts';
import { type Sources, saidUnder } from '../said-under.ts';
import { comment } from '../sections.ts';
import type { Folded } from './fold-comments.ts';

export interface Item {
  readonly content: Html;
  readonly bytes: number;
  /** Of how many answers, and how many of those a model asked for. */
  readonly answers: number;
  readonly byModel: number;
}

/** Code units of what somebody wrote beside their wish; all of it is among the comments. */
const MOST_WORDS = 400;

export const bytesOf = ({ text }: Html): number => Buffer.byteLength(text);
/** Words that several people wrote with one rating are said once, with how often; who wrote them is not. */
export function commentItem({ survey, reasons }: ResultsReply, { said, times }: Folded): Item {
  const count = times.length;
  const often = count > 1 ? html`<span class="times">said ${formatCount(count)} times</span>` : html``;
  const why = count > 1 ? html`` : reasonsOf(said, { reasons });
  const content = comment(survey.type, said, why, often);
  return {
    content,
    bytes: bytesOf(content),
    answers: count,
    byModel: said.identityKind === MODEL_REQUESTED ? count : 0,
  };
}

/** Where to reach somebody; of who left no address, that, and who they are to the server. */
function whomToWrite(given: Contact): Html {
  const address = addressOf(given) ?? html``;
  return given.contact === null ? html`${address} <span class="about">no address</span>` : address;
}

type OfSurvey = Pick<ResultsReply, 'survey' | 'reasons'>;

/** By what people are told: names of segments, and what those are of. */
interface Shown {
  readonly told: readonly string[];
  readonly sources: Sources;
}

const CHARACTERS = new Intl.Segmenter('en');

/** The first ones, of which none is cut in half. */
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

/** A person who waits to be contacted, as the report shows them: their answer, and their address. */
function tell({ reasons }: OfSurvey, given: Contact, { told, sources }: Shown): Told {
  const facts = told.flatMap((name) => {
    const value = saidUnder(name, given, sources);
    return value === null ? [] : [html`<span class="fact"><bdi>${String(value)}</bdi></span>`];
  });
  const text = given.text === null ? null : firstWords(given.text);
  const why = reasonsOf(given, { reasons });
  const person = html`<p class="person">${whomToWrite(given)}</p>`;
  return { text, why, person, facts };
}

/**
 * Somebody who waits.
 * @param of the survey that they answered
 */
export function contactItem(of: OfSurvey, given: Contact, shown: Shown): Item {
  const { text, why, person, facts } = tell(of, given, shown);
  const content = comment(
    of.survey.type,
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

/** The same among people of other surveys: with the survey, and of which scale the rating is. */
export function coverItem(of: OfSurvey, given: Contact, shown: Shown): Html {
  const { slug, type } = of.survey;
  const { text, why, person, facts } = tell(of, given, shown);
  const word = wordOf(type, given.rating);
  const highest = partsOf(type).at(-1)?.to ?? given.rating;
  const rated = word === String(given.rating) ? `${word} of ${highest}` : word;
  const words = text === null ? html`` : html`<p class="words" dir="auto">${text}</p>`;
  return html`<li><p class="rated"><strong class="${toneOf(type, given.rating)}">${rated}</strong> <b>${slug}</b> <time datetime="${given.at}">${writeDay(given.at)}</time><span class="facts">${facts}</span></p>${words}${why}${person}</li>`;
}
