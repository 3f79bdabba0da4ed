/** docs/contract.md §9.6. */

import { type Answer, type AnswerFields, answersById, codesOf } from './answer.ts';
import { type FieldsIn, fieldsIn } from './answer-fields.ts';

/** Omitted fields are cleared. */
export type RevisedWords = AnswerFields<FieldsIn<'revision'>>;

export interface Revision {
  readonly projectId: string;
  readonly tokenId: string;
  /** Set if only the token that stored the answer may revise it. Tokens that share an id differ in it. */
  readonly tokenExpiresAt?: number | undefined;
  readonly respondentId: string;
  /** True if the response has a score. */
  readonly isLinked: boolean;
  /** The survey has no score, but a release without its type may have stored one. */
  readonly isUnscored?: boolean | undefined;
  readonly number: number;
  readonly revisedAt: string;
  /** Undefined withdraws the answer. */
  readonly words: RevisedWords | undefined;
}

export type Found =
  | { readonly kind: 'next' }
  | { readonly kind: 'same'; readonly id: string; readonly at: string }
  | { readonly kind: 'conflict'; readonly revision: number }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'dismissed'; readonly id: string; readonly at: string }
  | { readonly kind: 'nothing' };

type Comparable = Readonly<Partial<Record<FieldsIn<'revision'>, string | number | boolean | undefined>>>;

/** The order of the survey's reasons may have changed before a retry. */
const toComparable = (words: RevisedWords): Comparable => ({
  ...words,
  reasons: codesOf(words.reasons)?.sort().join(),
  answers: JSON.stringify(answersById(words.answers)),
});

function hasSameWords(answer: Answer, words: RevisedWords | undefined): boolean {
  if (words === undefined) return answer.kind === 'withdrawn';
  if (answer.kind !== 'response') return false;
  const [stored, revised] = [toComparable(answer), toComparable(words)];
  return fieldsIn('revision').every((name) => stored[name] === revised[name]);
}

/** Beyond this number, only a withdrawal is accepted. Retries still succeed. */
export const MOST_REVISIONS = 100;

/** @param answer undefined if none was stored or it was erased; another token with the same id may have stored it */
export function compareRevision(answer: Answer | undefined, revision: Revision): Found {
  const { number, words, tokenExpiresAt } = revision;
  if (answer === undefined) return { kind: 'nothing' };
  if (answer.tokenExpiresAt !== (tokenExpiresAt ?? answer.tokenExpiresAt)) return { kind: 'nothing' };
  if (answer.kind === 'dismissal') return { kind: 'dismissed', id: answer.id, at: answer.at };
  const { revision: current = 0, id, revisedAt } = answer;
  if (current + 1 === number) {
    const isExhausted = number > MOST_REVISIONS && (words !== undefined || answer.kind === 'withdrawn');
    return { kind: isExhausted ? 'exhausted' : 'next' };
  }
  if (current === number && revisedAt !== undefined && hasSameWords(answer, words)) {
    return { kind: 'same', id, at: revisedAt };
  }
  return { kind: 'conflict', revision: current };
}
