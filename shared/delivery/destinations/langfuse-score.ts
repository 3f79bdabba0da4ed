/** A score as Langfuse takes it. */

import type { StandingScore } from '../score-service.ts';

/** How scores are named in Langfuse. */
export interface LangfuseScoreOptions {
  /** Template of the score's name: `{type}` and `{slug}` are the survey's. By default `canvass.{type}`. */
  readonly name?: string;
  /** Langfuse environment; by default Langfuse's own default. */
  readonly environment?: string;
  /** Whether the free text goes along as the comment; by default it does. */
  readonly includeText?: boolean;
}

const DEFAULT_SCORE_NAME = 'canvass.{type}';
/** Langfuse: lower-case letters, digits, hyphens and underscores, not beginning with `langfuse`. */
export const ENVIRONMENT_PATTERN = /^(?!langfuse)[a-z0-9_-]{1,40}$/;
export const SCORE_NAME_PATTERN = /^(?:[^{}]|\{type\}|\{slug\})+$/;

/** The name of a score by its template. */
export const scoreName = (
  { surveyType, surveySlug }: Pick<StandingScore, 'surveyType' | 'surveySlug'>,
  template: string = DEFAULT_SCORE_NAME,
): string => template.replaceAll('{type}', surveyType).replaceAll('{slug}', surveySlug);

/**
 * Where the score hangs. Langfuse takes exactly one of trace (with or without observation) and session, and answers
 * 400 to an observation without its trace: that one goes to the session, its id to the metadata.
 */
function chooseLevel({ traceId, observationId, sessionId }: StandingScore): {
  readonly target: object;
  readonly metadata: object;
} {
  if (traceId === null)
    return { target: { sessionId }, metadata: observationId === null ? {} : { observationId } };
  return {
    target: { traceId, ...(observationId !== null && { observationId }) },
    metadata: sessionId === null ? {} : { sessionId },
  };
}

/** The request body for a score. `id` is the response's own, so that a second push replaces the first. */
export function langfuseScore(
  score: StandingScore,
  { name, environment, includeText = true }: LangfuseScoreOptions,
): object {
  const { scale, rating, surveyType, surveySlug, taskType, identityKind, text, reasons } = score;
  const { labels, channel } = score;
  const { target, metadata } = chooseLevel(score);
  return {
    id: score.id,
    ...target,
    name: scoreName(score, name),
    value: rating,
    dataType: 'NUMERIC',
    ...(includeText && text !== null && text !== '' && { comment: text }),
    ...(environment !== undefined && { environment }),
    metadata: {
      surveyId: score.surveyId,
      surveySlug,
      surveyType,
      scaleMin: scale.min,
      scaleMax: scale.max,
      normalizedValue: (rating - scale.min) / (scale.max - scale.min),
      ...(taskType !== null && { taskType }),
      ...(identityKind !== null && { identityKind }),
      // A service of before does not say them.
      ...((reasons ?? null) !== null && { reasons }),
      ...((labels ?? null) !== null && { labels }),
      ...((channel ?? null) !== null && { channel }),
      answeredAt: score.at,
      ...metadata,
    },
  };
}
