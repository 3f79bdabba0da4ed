/** Token ids of imported answers: the same line gives the same id, so that importing it again stores nothing. */

import type { ImportedRow } from '../domain/import/import-row.ts';
import { keyedHash } from './derive.ts';
import { composeTokenId, TOKEN_ID_RANDOM_BYTES } from './token-id.ts';

interface ImportedTo {
  readonly projectId: string;
  readonly surveyId: string;
  readonly respondentId: string;
}

/**
 * The time in the id, for there was no token: the earliest there can be. An imported answer is folded by the import
 * itself (docs/decisions/0040-folded-histories.md), so no reader of a history has to come across it.
 */
const BEFORE_ALL_OTHERS = 0;

/** An answer is known by its id where the file has one, else by all that it says. */
export function importTokenId(
  secret: Uint8Array,
  { projectId, surveyId, respondentId }: ImportedTo,
  { id, at, rating, text }: ImportedRow,
): string {
  const identity = id === undefined ? ['row', at ?? null, rating, text ?? null] : ['id', id];
  const value = JSON.stringify([surveyId, respondentId, ...identity]);
  const hash = keyedHash(secret, 'import', projectId, value);
  return composeTokenId(BEFORE_ALL_OTHERS, hash.subarray(0, TOKEN_ID_RANDOM_BYTES));
}
