/** The claims of a show-token (docs/contract.md §7), and the answer that redeems it. */

import { DAY } from '../duration.ts';
import { isScored, type Survey } from '../surveys/survey.ts';
import { type Labels, MODEL_REQUESTED, type NewAnswer, type SessionIds, type Submission } from './answer.ts';

export interface SessionBinding {
  readonly session?: string | undefined;
  readonly observation?: string | undefined;
  readonly trace?: string | undefined;
}

export interface ShowTokenClaims {
  /** Lower-case hex: 48 bits of time, 80 random. Single use depends on it. */
  readonly tokenId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  /** Exclusive, milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly taskType?: string | undefined;
  readonly labels?: Labels | undefined;
  /** The answer to this token folds the respondent's history. */
  readonly fold?: true | undefined;
  /** A server or a signed token named the respondent, not the page. */
  readonly verified?: true | undefined;
  readonly modelRequested?: true | undefined;
  readonly binding?: SessionBinding | undefined;
  /** Set for links, because their forms cannot send the session. */
  readonly session?: SessionIds | undefined;
}

export function isSessionBound(claims: ShowTokenClaims): boolean {
  return claims.binding !== undefined;
}

export function attestedIds({ binding = {} }: ShowTokenClaims): (keyof SessionIds)[] {
  const ids: (keyof SessionIds)[] = [];
  if (binding.session !== undefined) ids.push('sessionId');
  if (binding.observation !== undefined) ids.push('observationId');
  if (binding.trace !== undefined) ids.push('traceId');
  return ids;
}

/** A model may request the survey only if the server allowed it. */
export function isOfKind({ modelRequested }: ShowTokenClaims, identityKind: string | undefined): boolean {
  return identityKind !== MODEL_REQUESTED || modelRequested === true;
}

export function isExpired(claims: ShowTokenClaims, now: number): boolean {
  return now >= claims.expiresAt;
}

/** Compares only the survey and the attested session values. */
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

interface Redemption {
  readonly project: Probed & { readonly id: string };
  readonly claims: ShowTokenClaims;
  readonly now: number;
}

interface Probed {
  readonly probe?: true | undefined;
}

const PROBE_ROWS_LIFETIME_MS = 2 * DAY;

export const expiryOf = ({ probe }: Probed, now: number): number | undefined =>
  probe === true ? now + PROBE_ROWS_LIFETIME_MS : undefined;

function redeemed({ project, claims, now }: Redemption) {
  return {
    tokenId: claims.tokenId,
    projectId: project.id,
    surveyId: claims.surveyId,
    respondentId: claims.respondentId,
    at: new Date(now).toISOString(),
    tokenExpiresAt: claims.expiresAt,
    verified: claims.verified,
    fold: claims.fold,
    rowExpiresAt: expiryOf(project, now),
  };
}

/** JSON allows -0, but no scale does. */
export const withoutNegativeZero = (rating: number): number => rating + 0;

export function dismissalOf(redemption: Redemption, submission: SessionIds): NewAnswer {
  const { binding, session } = redemption.claims;
  const { sessionId } = { ...submission, ...session };
  const isAttested = binding?.session !== undefined;
  return { ...redeemed(redemption), kind: 'dismissal', sessionId: isAttested ? sessionId : undefined };
}

/** The token's task type wins. Only attested session values go to `attested`. */
export function responseOf(
  redemption: Redemption & { readonly survey: Pick<Survey, 'content'> },
  submission: Submission,
): NewAnswer {
  const { claims, project, survey } = redemption;
  const { sessionId, observationId, traceId, rating, taskType, ...rest } = {
    ...submission,
    ...claims.session,
  };
  const { session, observation, trace } = claims.binding ?? {};
  const pick = (value: string | undefined, isPicked: boolean) => (isPicked ? value : undefined);
  return {
    ...redeemed(redemption),
    kind: 'response',
    source: 'sdk',
    rating: withoutNegativeZero(rating),
    ...rest,
    taskType: claims.taskType ?? taskType,
    labels: claims.labels,
    attested: {
      sessionId: pick(sessionId, session !== undefined),
      observationId: pick(observationId, observation !== undefined),
      traceId: pick(traceId, trace !== undefined),
    },
    claimed: {
      sessionId: pick(sessionId, session === undefined),
      observationId: pick(observationId, observation === undefined),
      traceId: pick(traceId, trace === undefined),
    },
    score:
      isSessionBound(claims) && project.probe !== true && isScored(survey.content.type)
        ? { state: 'pending', attempts: 0 }
        : undefined,
  };
}
