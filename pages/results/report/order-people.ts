/** In which order people and their words are read. */

import type { Comment } from '../../../shared/contract/results-schemas.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';
import { toneOf } from '../rating-words.ts';

type Asking = Pick<Comment, 'rating' | 'text' | 'contact'>;

const isSilent = ({ text }: Pick<Asking, 'text'>): number => Number(text === null);
const isUnreachable = ({ contact }: Pick<Asking, 'contact'>): number => Number(contact === null);

/** The lowest rating first; of one rating, who said something and left an address. The others stay as they were. */
export const unhappiestFirst = <Each extends Asking>(people: readonly Each[]): readonly Each[] =>
  people.toSorted(
    (a, b) => a.rating - b.rating || isSilent(a) - isSilent(b) || isUnreachable(a) - isUnreachable(b),
  );

/** Who said what is wrong before who did not: there is something to answer. */
export const wordsFirst = <Each extends Asking>(people: readonly Each[]): readonly Each[] =>
  unhappiestFirst(people).toSorted((a, b) => isSilent(a) - isSilent(b));

/** The lowest rating first; of those that count as high, the newest, as they came. */
export function worstFirst(type: SurveyType, comments: readonly Comment[]): readonly Comment[] {
  const rank = ({ rating }: Comment): number =>
    toneOf(type, rating) === 'high' ? Number.MAX_SAFE_INTEGER : rating;
  return comments.toSorted((a, b) => rank(a) - rank(b));
}
