/** People of a report as items of lists, with what they need of room in the file and on paper. */

import type { Contact } from '../../../shared/contract/contact-schemas.ts';
import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import { addressOf } from '../address.ts';
import { reasonsOf } from '../charts/reason-table.ts';
import { formatCount } from '../figures.ts';
import { comment } from '../sections.ts';
import type { Folded } from './fold-comments.ts';

export interface Item {
  readonly content: Html;
  readonly bytes: number;
  /** Characters of each part that is printed. */
  readonly parts: readonly number[];
  /** Of how many answers, and how many of those a model asked for. */
  readonly answers: number;
  readonly byModel: number;
}

/** Characters of a printed line of one of two columns. */
const HALF_LINE = 48;
/** Characters of a rating with its day, and of a fact. */
const [RATED, FACT] = [22, 2];
/** Characters of what somebody wrote beside their wish; all of it is among the comments. */
const MOST_WORDS = 400;

export const bytesOf = ({ text }: Html): number => Buffer.byteLength(text);
const lengthOf = ({ text }: Html): number => text.replace(/<[^>]*>/g, ' ').length;

/** Pixels of an item on paper: its edges, a part without its lines, and a line, of which a part has three at most. */
const [EDGES, PART, LINE, MOST_LINES] = [10, 3, 17, 3];

/** Pixels on paper. */
export const heightOf = ({ parts }: Pick<Item, 'parts'>): number =>
  parts.reduce(
    (sum, length) => sum + PART + LINE * Math.min(MOST_LINES, Math.ceil(length / HALF_LINE)),
    EDGES,
  );
const printedParts = (...lengths: readonly number[]): number[] => lengths.filter((length) => length > 0);

/** Words that several people wrote are said once, with how often; who wrote them is not. */
export function commentItem({ survey, reasons }: ResultsReply, { said, times }: Folded): Item {
  const count = times.length;
  const often = count > 1 ? html`<span class="times">said ${formatCount(count)} times</span>` : html``;
  const why = count > 1 ? html`` : reasonsOf(said, { reasons });
  const content = comment(survey.type, said, why, often);
  return {
    content,
    bytes: bytesOf(content),
    parts: printedParts(RATED + lengthOf(often), said.text?.length ?? 0, lengthOf(why)),
    answers: count,
    byModel: times.filter(({ identityKind }) => identityKind === 'model-requested').length,
  };
}

/** Where to reach somebody; of who left no address, that, and who they are to the server. */
export function whomToWrite(given: Contact): Html {
  const address = addressOf(given) ?? html``;
  return given.contact === null ? html`${address} <span class="about">no address</span>` : address;
}

/**
 * Somebody who waits, with where to reach them.
 * @param type of the survey that they answered
 * @param shown names of its segments
 */
export function contactItem(
  { survey, reasons }: Pick<ResultsReply, 'survey' | 'reasons'>,
  given: Contact,
  shown: readonly string[],
): Item {
  const facts = shown.flatMap((name) => {
    const value = given.traits?.[name];
    return value === undefined ? [] : [html`<span class="fact"><bdi>${String(value)}</bdi></span>`];
  });
  const all = given.text ?? '';
  const text = all.length > MOST_WORDS ? `${all.slice(0, MOST_WORDS)} …` : given.text;
  const why = reasonsOf(given, { reasons });
  const address = whomToWrite(given);
  const person = html`<p class="person">${address}</p>`;
  const content = comment(
    survey.type,
    { ...given, text },
    html`${why}${person}`,
    html`<span class="facts">${facts}</span>`,
  );
  const factLength = facts.reduce((sum, fact) => sum + lengthOf(fact) + FACT, 0);
  return {
    content,
    bytes: bytesOf(content),
    parts: printedParts(RATED + factLength, text?.length ?? 0, lengthOf(why), lengthOf(address)),
    answers: 1,
    byModel: 0,
  };
}
