/** What names a session or an observation, so that a survey is asked once for it; neither tells what it was made of. */

import type { SessionIds } from '../domain/answers/answer.ts';
import { keyedHash } from './derive.ts';
import { composeTokenId, TOKEN_ID_RANDOM_BYTES } from './token-id.ts';

const MARK_BYTES = 8;

interface AskedOf {
  readonly projectId: string;
  readonly surveyId: string;
}

/**
 * The time in the id: before every token that was ever issued, where no reader of a history looks. An answer's place in
 * the table says by itself that the observation has one.
 */
const BEFORE_ALL_OTHERS = 0;

/** 64 bits, lower-case hex: a session, for one survey. */
export function sessionMark(secret: Uint8Array, { projectId, surveyId }: AskedOf, sessionId: string): string {
  const value = JSON.stringify([surveyId, sessionId]);
  return keyedHash(secret, 'session', projectId, value).toString('hex', 0, MARK_BYTES);
}

/**
 * The id of every token for this observation: 48 zero bits and 80 of a keyed hash. Tokens with one id are sealed under
 * keys of their own, see `show-token-seal.ts`.
 */
export function observationTokenId(
  secret: Uint8Array,
  { projectId, surveyId, respondentId }: AskedOf & { readonly respondentId: string },
  { traceId, observationId }: SessionIds,
): string {
  const value = JSON.stringify([surveyId, respondentId, traceId ?? null, observationId]);
  const hash = keyedHash(secret, 'observation', projectId, value);
  return composeTokenId(BEFORE_ALL_OTHERS, hash.subarray(0, TOKEN_ID_RANDOM_BYTES));
}
