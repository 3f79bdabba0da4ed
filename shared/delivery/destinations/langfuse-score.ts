/** Formats scores for Langfuse. */

import type { StandingScore } from '../score-service.ts';

/** Names of scores in Langfuse. */
export interface LangfuseScoreOptions {
  /** Template with the survey's `{type}` and `{slug}`; defaults to `canvass.{type}`. */
  readonly name?: string;
  /** Defaults to Langfuse's own default environment. */
  readonly environment?: string;
  /** Whether to send the free text as the comment; defaults to true. */
  readonly includeText?: boolean;
}

const DEFAULT_SCORE_NAME = 'canvass.{type}';
/** Langfuse: lower-case letters, digits, hyphens and underscores, not starting with `langfuse`. */
export const ENVIRONMENT_PATTERN = /^(?!langfuse)[a-z0-9_-]{1,40}$/;
export const SCORE_NAME_PATTERN = /^(?:[^{}]|\{type\}|\{slug\})+$/;

export const scoreName = (
  { surveyType, surveySlug }: Pick<StandingScore, 'surveyType' | 'surveySlug'>,
  template: string = DEFAULT_SCORE_NAME,
): string => template.replaceAll('{type}', surveyType).replaceAll('{slug}', surveySlug);

/**
 * Langfuse accepts either a trace (with or without observation) or a session, and answers 400 to an observation without
 * its trace. Such a score goes to the session, with the observation in its metadata.
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

/** `id` is the response's, so a repeated push replaces the score. */
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
      // Older services omit these.
      ...((reasons ?? null) !== null && { reasons }),
      ...((labels ?? null) !== null && { labels }),
      ...((channel ?? null) !== null && { channel }),
      answeredAt: score.at,
      ...metadata,
    },
  };
}
