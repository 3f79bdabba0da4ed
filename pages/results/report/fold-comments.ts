/** The same words of several people, once. */

import type { Comment } from '../../../shared/contract/results-schemas.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';
import { toneOf } from '../rating-words.ts';

export interface Folded {
  /** The first of them. */
  readonly said: Comment;
  /** All of them. */
  readonly times: readonly Comment[];
}

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

/** Of ratings that count alike, words that are equal but for blanks and capitals; in the order of the first. */
export function foldComments(type: SurveyType, comments: readonly Comment[]): readonly Folded[] {
  const byWords = new Map<string, Comment[]>();
  for (const said of comments) {
    const words = `${toneOf(type, said.rating)} ${plain(said.text ?? '')}`;
    byWords.set(words, [...(byWords.get(words) ?? []), said]);
  }
  return [...byWords.values()].flatMap((times) => (times[0] ? [{ said: times[0], times }] : []));
}
