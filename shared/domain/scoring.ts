/** Scores of linked responses (docs/contract.md §10). */

import {
  type Response,
  type ScoreState,
  type ToldAnswer,
  tellAnswer,
  type Withdrawn,
} from './answers/answer.ts';
import { type Told, tellFields } from './answers/answer-fields.ts';
import { MINUTE } from './duration.ts';
import { choiceOf, isScored, type Survey, scaleOf } from './surveys/survey.ts';

/** Only scores in these states can be acknowledged. */
export const OPEN_STATES = ['pending', 'failed'] as const satisfies readonly ScoreState[];
export type OpenState = (typeof OPEN_STATES)[number];

export const ACK_STATES = ['trying', 'delivered', 'failed'] as const;
export type AckState = (typeof ACK_STATES)[number];

/** The longest time from listing to acknowledgement for adapters that send no revision. */
const LONGEST_SWEEP_MS = 10 * MINUTE;

/** An adapter that sends no revision means the one that was stored before this time. */
export const sweptBefore = (at: string): string => new Date(Date.parse(at) - LONGEST_SWEEP_MS).toISOString();

function isOpen(state: ScoreState): state is OpenState {
  return state !== 'delivered';
}

/** Withdrawn scores have separate queues. */
export const SCORE_QUEUES = ['pending', 'failed', 'withdrawn', 'withdrawn-failed'] as const;
export type ScoreQueue = (typeof SCORE_QUEUES)[number];

export interface SweptScores {
  readonly includeFailed: boolean;
  readonly includeWithdrawn: boolean;
}

export const queuesOf = ({ includeFailed, includeWithdrawn }: SweptScores): readonly ScoreQueue[] => [
  'pending',
  ...(includeFailed ? (['failed'] as const) : []),
  ...(includeWithdrawn ? (['withdrawn'] as const) : []),
  ...(includeFailed && includeWithdrawn ? (['withdrawn-failed'] as const) : []),
];

export type Scored = Response | Withdrawn;

/** A score that was never pushed needs no withdrawal. */
export const isTried = ({ score }: Pick<Scored, 'score'>): boolean =>
  score !== undefined && (score.triedAt !== undefined || score.attempts > 0 || score.state !== 'pending');

export function queueOf(response: Scored): ScoreQueue | undefined {
  const { score } = response;
  if (score === undefined || !isOpen(score.state)) return undefined;
  if (response.kind === 'response') return score.state;
  if (!isTried(response)) return undefined;
  return score.state === 'pending' ? 'withdrawn' : 'withdrawn-failed';
}

type ScoreBase = ReturnType<typeof scoreBaseOf>;

export interface StandingScore extends ScoreBase, ToldAnswer<'scores'> {
  readonly withdrawn: false;
  readonly choice: string | null;
}

export interface WithdrawnScore extends ScoreBase, Told<Withdrawn, 'scores'> {
  readonly withdrawn: true;
  readonly choice: null;
}

export type PendingScore = StandingScore | WithdrawnScore;

const waitsSince = ({ at, revisedAt }: Pick<PendingScore, 'at' | 'revisedAt'>): string => revisedAt ?? at;

export const longestWait = (
  scores: readonly Pick<PendingScore, 'at' | 'revisedAt' | 'state'>[],
): string | undefined =>
  scores
    .filter(({ state }) => state === 'pending')
    .map(waitsSince)
    .sort()[0];

/** Includes only the session values that the token attests. */
function scoreBaseOf(response: Scored, survey: Survey, state: OpenState) {
  const { id, content } = survey;
  const { score, attested } = response;
  const { min, max } = scaleOf(survey);
  const { taskType, labels, channel, identityKind } = tellFields('scores', response);
  return {
    id: response.id,
    surveyId: id,
    surveySlug: content.slug,
    surveyType: content.type,
    scale: { min, max },
    sessionId: attested.sessionId ?? null,
    traceId: attested.traceId ?? null,
    observationId: attested.observationId ?? null,
    taskType,
    labels,
    channel,
    respondentId: response.respondentId,
    identityKind,
    verified: response.verified === true,
    at: response.at,
    state,
    attempts: score?.attempts ?? 0,
    lastError: score?.lastError ?? null,
    revision: response.revision ?? 0,
    revisedAt: response.revisedAt ?? null,
    triedAt: score?.triedAt ?? null,
  };
}

/**
 * Returns undefined if the score does not wait for delivery. Releases without the type `open` gave its answers a score,
 * which is never listed.
 */
export function pendingScoreOf(response: Scored, survey: Survey): PendingScore | undefined {
  const { score } = response;
  if (score === undefined || !isOpen(score.state) || queueOf(response) === undefined) return undefined;
  const base = scoreBaseOf(response, survey, score.state);
  if (response.kind === 'withdrawn')
    return { ...base, withdrawn: true, ...tellFields('scores', response), choice: null };
  if (!isScored(survey.content.type)) return undefined;
  const choice = choiceOf(survey, response.rating)?.code ?? null;
  return { ...base, withdrawn: false, ...tellAnswer('scores', response), choice };
}
