/** Changing an answer: what a revision replaces, and whether it is the next one (docs/contract.md §9.6). */

import { type Answer, type AnswerFields, codesOf } from './answer.ts';
import { type FieldsIn, fieldsIn } from './answer-fields.ts';

/** What a revision replaces; what it leaves out is cleared. */
export type RevisedWords = AnswerFields<FieldsIn<'revision'>>;

export interface Revision {
  readonly projectId: string;
  readonly tokenId: string;
  readonly respondentId: string;
  /** Whether the token is session-bound, so that the response has a score. */
  readonly isLinked: boolean;
  /** From 1. */
  readonly number: number;
  /** ISO 8601 UTC with milliseconds. */
  readonly revisedAt: string;
  /** Undefined: the answer is withdrawn. */
  readonly words: RevisedWords | undefined;
}

/** What a revision finds where it would change something. */
export type Found =
  /** The revision before it, or the answer as it was given. */
  | { readonly kind: 'next' }
  /** Itself: it was stored before. */
  | { readonly kind: 'same'; readonly id: string; readonly at: string }
  | { readonly kind: 'conflict'; readonly revision: number }
  /** It would change the answer once more than an answer takes. */
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'dismissed'; readonly id: string; readonly at: string }
  | { readonly kind: 'nothing' };

type Comparable = Readonly<Partial<Record<FieldsIn<'revision'>, string | number | boolean | undefined>>>;

/** Reasons without their order: the survey may list them in another one by the time a revision is repeated. */
const toComparable = (words: RevisedWords): Comparable => ({
  ...words,
  reasons: codesOf(words.reasons)?.sort().join(),
});

function hasSameWords(answer: Answer, words: RevisedWords | undefined): boolean {
  if (words === undefined) return answer.kind === 'withdrawn';
  if (answer.kind !== 'response') return false;
  const [stored, revised] = [toComparable(answer), toComparable(words)];
  return fieldsIn('revision').every((name) => stored[name] === revised[name]);
}

/**
 * Revisions that an answer takes. After them it can be taken back once more, and what is repeated is told as stored.
 */
export const MOST_REVISIONS = 100;

/** @param answer what the token stored; undefined where there is nothing, or an erased answer's tombstone */
export function compareRevision(answer: Answer | undefined, revision: Revision): Found {
  const { number, words } = revision;
  if (answer === undefined) return { kind: 'nothing' };
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
