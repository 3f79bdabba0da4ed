/** What a show-token says, and whether a submission agrees with it (docs/contract.md §7). */

import { MODEL_REQUESTED, type SessionIds } from './answer.ts';

/** Keyed hashes of the session values a token attests, or that a submission presents. */
export interface SessionBinding {
  readonly session?: string | undefined;
  readonly observation?: string | undefined;
  readonly trace?: string | undefined;
}

export interface ShowTokenClaims {
  /** 128 bits, lower-case hex: 48 bits of time, 80 random. Single use hangs on it. */
  readonly tokenId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  /** Milliseconds since the epoch; refused from this moment on. */
  readonly expiresAt: number;
  readonly taskType?: string | undefined;
  /** The answer to it sets off folding the respondent's history. */
  readonly fold?: true | undefined;
  /** The respondent was named by a server or a signed token, not by the page. */
  readonly verified?: true | undefined;
  /** A model may have asked for the answer to it. */
  readonly modelRequested?: true | undefined;
  /** Present on session-bound tokens only. */
  readonly binding?: SessionBinding | undefined;
  /** The session values themselves: of a link, whose form cannot bring them. */
  readonly session?: SessionIds | undefined;
}

/** Whether the answer will be linked to a server session, and so be a score. */
export function isSessionBound(claims: ShowTokenClaims): boolean {
  return claims.binding !== undefined;
}

/** The session ids that a submission has to bring, unless the token itself carries them. */
export function attestedIds({ binding = {} }: ShowTokenClaims): (keyof SessionIds)[] {
  const ids: (keyof SessionIds)[] = [];
  if (binding.session !== undefined) ids.push('sessionId');
  if (binding.observation !== undefined) ids.push('observationId');
  if (binding.trace !== undefined) ids.push('traceId');
  return ids;
}

/** Whether an answer of this kind may use the token: one that a model asked for needs leave of the server. */
export function isOfKind({ modelRequested }: ShowTokenClaims, identityKind: string | undefined): boolean {
  return identityKind !== MODEL_REQUESTED || modelRequested === true;
}

/** @param now milliseconds since the epoch */
export function isExpired(claims: ShowTokenClaims, now: number): boolean {
  return now >= claims.expiresAt;
}

/**
 * Whether a submission fits the token: its survey, and every session value the token attests. A value the token does
 * not attest is the client's word and never a mismatch.
 */
export function isAttested(
  claims: ShowTokenClaims,
  presented: { readonly surveyId: string; readonly binding: SessionBinding },
): boolean {
  if (claims.surveyId !== presented.surveyId) return false;
  const { session, observation, trace } = claims.binding ?? {};
  return (
    (session === undefined || session === presented.binding.session) &&
    (observation === undefined || observation === presented.binding.observation) &&
    (trace === undefined || trace === presented.binding.trace)
  );
}
