/** Scores of linked responses: their states, and what a delivering adapter sees (docs/contract.md §10). */

import {
  type Response,
  type ScoreState,
  type ToldAnswer,
  tellAnswer,
  type Withdrawn,
} from './answers/answer.ts';
import { type FieldsIn, type Told, tellFields } from './answers/answer-fields.ts';
import { MINUTE } from './duration.ts';
import { type Scale, type Survey, type SurveyType, TYPES } from './surveys/survey.ts';

/** States in which a score still waits for delivery; an acknowledgement changes these and no other. */
export const OPEN_STATES = ['pending', 'failed'] as const satisfies readonly ScoreState[];
export type OpenState = (typeof OPEN_STATES)[number];

/** What an acknowledgement may report: that a push begins, or what became of one. */
export const ACK_STATES = ['trying', 'delivered', 'failed'] as const;
export type AckState = (typeof ACK_STATES)[number];

/** How long an adapter may take from listing a score to acknowledging it, where it does not say what it listed. */
const LONGEST_SWEEP_MS = 10 * MINUTE;

/**
 * A revision that was stored until then is the one that was listed, when an acknowledgement names none.
 * @param at when it is acknowledged, ISO 8601 UTC
 */
export const sweptBefore = (at: string): string => new Date(Date.parse(at) - LONGEST_SWEEP_MS).toISOString();

function isOpen(state: ScoreState): state is OpenState {
  return state !== 'delivered';
}

/** Where open scores wait: withdrawn ones apart from the others. */
export const SCORE_QUEUES = ['pending', 'failed', 'withdrawn', 'withdrawn-failed'] as const;
export type ScoreQueue = (typeof SCORE_QUEUES)[number];

export interface SweptScores {
  readonly includeFailed: boolean;
  readonly includeWithdrawn: boolean;
}

/** The queues that a sweep visits. */
export const queuesOf = ({ includeFailed, includeWithdrawn }: SweptScores): readonly ScoreQueue[] => [
  'pending',
  ...(includeFailed ? (['failed'] as const) : []),
  ...(includeWithdrawn ? (['withdrawn'] as const) : []),
  ...(includeFailed && includeWithdrawn ? (['withdrawn-failed'] as const) : []),
];

/** A response with a score, whose words and rating may have been taken back. */
export type Scored = Response | Withdrawn;

/** Whether a push was ever tried: only then can there be something to take back. */
export const isTried = ({ score }: Pick<Scored, 'score'>): boolean =>
  score !== undefined && (score.triedAt !== undefined || score.attempts > 0 || score.state !== 'pending');

/** Where a response's score waits; undefined where it does not. */
export function queueOf(response: Scored): ScoreQueue | undefined {
  const { score } = response;
  if (score === undefined || !isOpen(score.state)) return undefined;
  if (response.kind === 'response') return score.state;
  if (!isTried(response)) return undefined;
  return score.state === 'pending' ? 'withdrawn' : 'withdrawn-failed';
}

interface ScoreBase {
  readonly id: string;
  readonly surveyId: string;
  readonly surveySlug: string;
  readonly surveyType: SurveyType;
  readonly scale: Scale;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  readonly observationId: string | null;
  readonly respondentId: string;
  /** Whether a server or a signed token named the respondent. */
  readonly verified: boolean;
  /** ISO 8601 UTC with milliseconds: when the answer was given. */
  readonly at: string;
  readonly state: OpenState;
  /** Failed acknowledgements so far. */
  readonly attempts: number;
  readonly lastError: string | null;
  /** 0 until the answer is changed. */
  readonly revision: number;
  /** When this revision was stored, if it is not the answer as it was given. */
  readonly revisedAt: string | null;
  /** When a push of this score, of any revision, was last known to begin. */
  readonly triedAt: string | null;
}

/** A score to push. */
export interface StandingScore extends ScoreBase, ToldAnswer<'scores'> {
  readonly withdrawn: false;
}

/** A score to delete where it was delivered. */
export interface WithdrawnScore extends ScoreBase, Told<Withdrawn, 'scores'> {
  readonly withdrawn: true;
}

export type PendingScore = StandingScore | WithdrawnScore;

/** Since when a score has waited as it is, ISO 8601 UTC. */
const waitsSince = ({ at, revisedAt }: Pick<PendingScore, 'at' | 'revisedAt'>): string => revisedAt ?? at;

/** Since when the one of these pending scores has waited that has waited longest; undefined where none is pending. */
export const longestWait = (
  scores: readonly Pick<PendingScore, 'at' | 'revisedAt' | 'state'>[],
): string | undefined =>
  scores
    .filter(({ state }) => state === 'pending')
    .map(waitsSince)
    .sort()[0];

function scoreBaseOf(
  response: Scored,
  { id, content }: Survey,
  state: OpenState,
): ScoreBase & Pick<ToldAnswer<'scores'>, FieldsIn<'scores'> & FieldsIn<'kept'>> {
  const { score, attested } = response;
  const { min, max } = TYPES[content.type].scale;
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
 * A response as a pending score: of its session values those that the token attests, and no others.
 * @returns undefined when its score does not wait
 */
export function pendingScoreOf(response: Scored, survey: Survey): PendingScore | undefined {
  const { score } = response;
  if (score === undefined || !isOpen(score.state) || queueOf(response) === undefined) return undefined;
  const base = scoreBaseOf(response, survey, score.state);
  return response.kind === 'withdrawn'
    ? { ...base, withdrawn: true, ...tellFields('scores', response) }
    : { ...base, withdrawn: false, ...tellAnswer('scores', response) };
}
