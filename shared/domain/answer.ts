/**
 * An answer is a response or a dismissal: one row that is at once the used token, the suppression, the quiet-period
 * clock and the cap counter. There is no second record to fall out of step.
 */

import { isSessionBound, type ShowTokenClaims } from './show-token.ts';

export const IDENTITY_KINDS = ['identified', 'anon-device', 'anon-conversation'] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

/** Score states of a linked response (contract §3). `delivered` is final. */
export const SCORE_STATES = ['pending', 'failed', 'delivered'] as const;
export type ScoreState = (typeof SCORE_STATES)[number];

export type TraitValue = string | number | boolean | null;
export type Traits = Readonly<Record<string, TraitValue>>;

export interface SessionIds {
  readonly sessionId?: string;
  readonly observationId?: string;
  readonly traceId?: string;
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
  /** It sets off folding the respondent's history. */
  readonly fold?: true;
}

export interface Dismissal extends AnswerBase {
  readonly kind: 'dismissal';
}

export interface Score {
  readonly state: ScoreState;
  /** Failed acknowledgements so far. */
  readonly attempts: number;
  readonly lastError?: string;
}

export interface Response extends AnswerBase {
  readonly kind: 'response';
  readonly source: 'sdk' | 'import';
  readonly rating: number;
  readonly text?: string;
  readonly followUpRequested?: boolean;
  readonly traits?: Traits;
  readonly identityKind?: IdentityKind;
  readonly taskType?: string;
  /** Session values the token attests; these alone reach an observability platform. */
  readonly attested: SessionIds;
  /** Session values that are only the client's word. */
  readonly claimed: SessionIds;
  /** Present exactly on linked responses. */
  readonly score?: Score;
}

export type Answer = Response | Dismissal;

/** What a respondent submits, besides the token. */
export interface Submission extends SessionIds {
  readonly rating: number;
  readonly text?: string;
  readonly followUpRequested?: boolean;
  readonly traits?: Traits;
  readonly identityKind?: IdentityKind;
  readonly taskType?: string;
}

export interface Redemption {
  readonly id: string;
  readonly projectId: string;
  readonly claims: ShowTokenClaims;
  readonly writeId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

function baseOf({ id, projectId, claims, writeId, now }: Redemption): AnswerBase {
  return {
    id,
    tokenId: claims.tokenId,
    projectId,
    surveyId: claims.surveyId,
    respondentId: claims.respondentId,
    at: new Date(now).toISOString(),
    writeId,
    tokenExpiresAt: claims.expiresAt,
    ...(claims.fold === true && { fold: true }),
  };
}

/** The dismissal that redeeming this token records. */
export function dismissalOf(redemption: Redemption): Dismissal {
  return { ...baseOf(redemption), kind: 'dismissal' };
}

/**
 * The response that redeeming this token records. The token's task type wins over the submission's; session values go
 * to `attested` only where the token attests them.
 */
export function responseOf(redemption: Redemption, submission: Submission): Response {
  const { claims } = redemption;
  const { sessionId, observationId, traceId, rating, taskType: _untrusted, ...rest } = submission;
  const taskType = claims.taskType ?? submission.taskType;
  const presented = { sessionId, observationId, traceId };
  return {
    ...baseOf(redemption),
    kind: 'response',
    source: 'sdk',
    // A JSON number may be -0, which no scale means.
    rating: rating + 0,
    ...rest,
    ...(taskType !== undefined && { taskType }),
    attested: pick(presented, claims, true),
    claimed: pick(presented, claims, false),
    ...(isSessionBound(claims) && { score: { state: 'pending', attempts: 0 } }),
  };
}

function pick(
  ids: { [Name in keyof SessionIds]: string | undefined },
  { binding = {} }: ShowTokenClaims,
  attested: boolean,
): SessionIds {
  const { sessionId, observationId, traceId } = ids;
  return {
    ...(sessionId !== undefined && (binding.session !== undefined) === attested && { sessionId }),
    ...(observationId !== undefined && (binding.observation !== undefined) === attested && { observationId }),
    ...(traceId !== undefined && (binding.trace !== undefined) === attested && { traceId }),
  };
}
