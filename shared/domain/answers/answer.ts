/**
 * An answer is a response or a dismissal: one row that is at once the used token, the suppression, the quiet-period
 * clock and the cap counter. There is no second record to fall out of step.
 */

import { isSessionBound, type ShowTokenClaims } from './show-token.ts';

/** A person answered, and a model had asked: such answers are kept apart. */
export const MODEL_REQUESTED = 'model-requested';
/** Of answers that people gave to a survey that was asked. */
export const ASKED_KINDS = ['identified', 'anon-device', 'anon-conversation'] as const;
export const IDENTITY_KINDS = [...ASKED_KINDS, MODEL_REQUESTED] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

/** Score states of a linked response (docs/contract.md §10.1). `delivered` is final. */
export const SCORE_STATES = ['pending', 'failed', 'delivered'] as const;
export type ScoreState = (typeof SCORE_STATES)[number];

export type TraitValue = string | number | boolean | null;
export type Traits = Readonly<Record<string, TraitValue>>;

export interface SessionIds {
  readonly sessionId?: string | undefined;
  readonly observationId?: string | undefined;
  readonly traceId?: string | undefined;
}

interface AnswerBase {
  readonly id: string;
  readonly tokenId: string;
  readonly projectId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** Fresh per invocation: tells our own retried write from a reuse of the token. */
  readonly writeId: string;
  /** Milliseconds since the epoch. */
  readonly tokenExpiresAt: number;
  /** The respondent was named by a server or a signed token, not by the page. */
  readonly verified?: true | undefined;
  /** It sets off folding the respondent's history. */
  readonly fold?: true | undefined;
  /** Names the session that its token attests, for its survey; keyed. */
  readonly sessionMark?: string | undefined;
}

export interface Dismissal extends AnswerBase {
  readonly kind: 'dismissal';
  /** The session that the token attests; of a dismissal its mark alone is stored. */
  readonly sessionId?: string | undefined;
}

export interface Score {
  /** Of the current revision. */
  readonly state: ScoreState;
  /** Failed acknowledgements so far. */
  readonly attempts: number;
  readonly lastError?: string | undefined;
  /** ISO 8601 UTC: when a push of it was last known to begin; absent where none ever was. */
  readonly triedAt?: string | undefined;
}

/** What a response keeps when it is withdrawn. */
interface ResponseBase extends AnswerBase {
  readonly source: 'sdk' | 'import';
  readonly identityKind?: IdentityKind | undefined;
  readonly taskType?: string | undefined;
  /** Session values the token attests; these alone reach an observability platform. */
  readonly attested: SessionIds;
  /** Session values that are only the client's word. */
  readonly claimed: SessionIds;
  /** Present exactly on linked responses. */
  readonly score?: Score | undefined;
  /** How often it was changed or withdrawn; absent where it never was. */
  readonly revision?: number | undefined;
  /** ISO 8601 UTC: when the current revision was stored. */
  readonly revisedAt?: string | undefined;
}

export interface Response extends ResponseBase {
  readonly kind: 'response';
  readonly rating: number;
  readonly text?: string | undefined;
  readonly followUpRequested?: boolean | undefined;
  /** Where a person can be reached who is not identified. Never part of a score or a log line. */
  readonly contact?: string | undefined;
  readonly traits?: Traits | undefined;
}

/** A response that was taken back: the token stays used and the survey suppressed; a further revision rates again. */
export interface Withdrawn extends ResponseBase {
  readonly kind: 'withdrawn';
}

export type Answer = Response | Withdrawn | Dismissal;

/** An answer before it is stored: the store gives it its id, and the write id that tells its own retries from a reuse. */
export type NewAnswer =
  | Omit<Response, 'id' | 'writeId' | 'sessionMark'>
  | Omit<Dismissal, 'id' | 'writeId' | 'sessionMark'>;

/** What a respondent submits, besides the token. */
export interface Submission extends SessionIds {
  readonly rating: number;
  readonly text?: string | undefined;
  readonly followUpRequested?: boolean | undefined;
  readonly contact?: string | undefined;
  readonly traits?: Traits | undefined;
  readonly identityKind?: IdentityKind | undefined;
  readonly taskType?: string | undefined;
}

interface Redemption {
  readonly projectId: string;
  readonly claims: ShowTokenClaims;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

function redeemed({ projectId, claims, now }: Redemption) {
  return {
    tokenId: claims.tokenId,
    projectId,
    surveyId: claims.surveyId,
    respondentId: claims.respondentId,
    at: new Date(now).toISOString(),
    tokenExpiresAt: claims.expiresAt,
    verified: claims.verified,
    fold: claims.fold,
  };
}

/** The dismissal that redeeming this token records. */
export function dismissalOf(redemption: Redemption, submission: SessionIds): NewAnswer {
  const { binding, session } = redemption.claims;
  const { sessionId } = { ...submission, ...session };
  const isAttested = binding?.session !== undefined;
  return { ...redeemed(redemption), kind: 'dismissal', sessionId: isAttested ? sessionId : undefined };
}

/**
 * The response that redeeming this token records. The token's task type wins over the submission's; session values go
 * to `attested` only where the token attests them.
 */
export function responseOf(redemption: Redemption, submission: Submission): NewAnswer {
  const { claims } = redemption;
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
    // A JSON number may be -0, which no scale means.
    rating: rating + 0,
    ...rest,
    taskType: claims.taskType ?? taskType,
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
    score: isSessionBound(claims) ? { state: 'pending', attempts: 0 } : undefined,
  };
}
