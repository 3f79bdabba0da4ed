/** How the retained suppression of an erased past lies in the table: survey ids and moments, no personal data. */

import type { AnswerMoment } from '../domain/erasure.ts';

const SUFFIX_DIGITS = 8;

/** A moment as an element of the set `answerTimes`; the token's end keeps two answers of one millisecond apart. */
export function momentText({ at, tokenId }: AnswerMoment): string {
  return `${at}#${tokenId.slice(-SUFFIX_DIGITS)}`;
}

/** @returns milliseconds since the epoch, and what is left of the token id */
export function momentOfText(text: string): AnswerMoment {
  const [at = '', tokenId = ''] = text.split('#');
  return { at: Number(at), tokenId };
}
