/** Scores of linked responses: their states, and what a delivering adapter sees (docs/contract.md §10). */

import type { IdentityKind, Response, ScoreState } from './answer.ts';
import { SCALES, type Scale, type Survey, type SurveyType } from './survey.ts';

/** States in which a score still waits for delivery; an acknowledgement changes these and no other. */
export const OPEN_STATES = ['pending', 'failed'] as const satisfies readonly ScoreState[];
export type OpenState = (typeof OPEN_STATES)[number];

/** What an acknowledgement may report. */
export const ACK_STATES = ['delivered', 'failed'] as const satisfies readonly ScoreState[];
export type AckState = (typeof ACK_STATES)[number];

export function isOpen(state: ScoreState): state is OpenState {
  return state !== 'delivered';
}

/** The states a sweep visits. */
export function statesOf(sweep: { readonly includeFailed: boolean }): readonly OpenState[] {
  return sweep.includeFailed ? OPEN_STATES : ['pending'];
}

export interface PendingScore {
  readonly id: string;
  readonly surveyId: string;
  readonly surveySlug: string;
  readonly surveyType: SurveyType;
  readonly rating: number;
  readonly scale: Scale;
  readonly text: string | null;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  readonly observationId: string | null;
  readonly taskType: string | null;
  readonly respondentId: string;
  readonly identityKind: IdentityKind | null;
  /** Whether a server or a signed token named the respondent. */
  readonly verified: boolean;
  /** ISO 8601 UTC with milliseconds: when the answer was given. */
  readonly at: string;
  readonly state: OpenState;
  /** Failed acknowledgements so far. */
  readonly attempts: number;
  readonly lastError: string | null;
}

/**
 * A response as a pending score: of its session values those that the token attests, and no others.
 * @returns undefined when the response has no score or the score is delivered
 */
export function pendingScoreOf(response: Response, survey: Survey): PendingScore | undefined {
  const { score, attested } = response;
  if (score === undefined || !isOpen(score.state)) return undefined;
  const { slug, type } = survey.content;
  const { min, max } = SCALES[type];
  return {
    id: response.id,
    surveyId: survey.id,
    surveySlug: slug,
    surveyType: type,
    rating: response.rating,
    scale: { min, max },
    text: response.text ?? null,
    sessionId: attested.sessionId ?? null,
    traceId: attested.traceId ?? null,
    observationId: attested.observationId ?? null,
    taskType: response.taskType ?? null,
    respondentId: response.respondentId,
    identityKind: response.identityKind ?? null,
    verified: response.verified === true,
    at: response.at,
    state: score.state,
    attempts: score.attempts,
    lastError: score.lastError ?? null,
  };
}
