/** The same words of several people, once. */

import type { Comment } from '../../../shared/contract/results-schemas.ts';
import { MODEL_REQUESTED } from '../../../shared/domain/answers/answer.ts';

export interface Folded {
  /** The first of them. */
  readonly said: Comment;
  /** All of them. */
  readonly times: readonly Comment[];
}

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

/** With one rating, words that are equal but for blanks and capitals; apart what a model asked for. In the order of the first. */
export function foldComments(comments: readonly Comment[]): readonly Folded[] {
  const byWords = new Map<string, Comment[]>();
  for (const said of comments) {
    const words = `${said.rating} ${said.identityKind === MODEL_REQUESTED} ${plain(said.text ?? '')}`;
    byWords.set(words, [...(byWords.get(words) ?? []), said]);
  }
  return [...byWords.values()].flatMap((times) => (times[0] ? [{ said: times[0], times }] : []));
}
