/** Langfuse as a destination: `POST /api/public/scores`, one score a request. Its ingestion batch is deprecated. */

import type { PendingScore } from './contract-types.ts';
import type { Destination } from './destination.ts';
import { postJson } from './post-json.ts';

export interface LangfuseOptions {
  /** `https://cloud.langfuse.com`, `https://us.cloud.langfuse.com` or your own. */
  readonly baseUrl: string;
  /** `pk-lf-…` */
  readonly publicKey: string;
  /** `sk-lf-…` */
  readonly secretKey: string;
  /** Template of the score's name: `{type}` and `{slug}` are the survey's. By default `canvass.{type}`. */
  readonly name?: string;
  /** Langfuse environment; by default Langfuse's own default. */
  readonly environment?: string;
  /** Whether the free text goes along as the comment; by default it does. */
  readonly includeText?: boolean;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}

export const DEFAULT_SCORE_NAME = 'canvass.{type}';
/** Langfuse: lower-case letters, digits, hyphens and underscores, not beginning with `langfuse`. */
export const ENVIRONMENT_PATTERN = /^(?!langfuse)[a-z0-9_-]{1,40}$/;
export const SCORE_NAME_PATTERN = /^(?:[^{}]|\{type\}|\{slug\})+$/;

/**
 * Where the score hangs. Langfuse takes exactly one of trace (with or without observation) and session, and answers
 * 400 to an observation without its trace: that one goes to the session, its id to the metadata.
 */
function chooseLevel({ traceId, observationId, sessionId }: PendingScore): {
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
  score: PendingScore,
  { name = DEFAULT_SCORE_NAME, environment, includeText = true }: Omit<LangfuseOptions, 'baseUrl'>,
): object {
  const { scale, rating, surveyType, surveySlug, taskType, identityKind, text } = score;
  const { target, metadata } = chooseLevel(score);
  return {
    id: score.id,
    ...target,
    name: name.replaceAll('{type}', surveyType).replaceAll('{slug}', surveySlug),
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
      answeredAt: score.at,
      ...metadata,
    },
  };
}

/** @throws TypeError naming the option that Langfuse would not take */
export function createLangfuseDestination(options: LangfuseOptions): Destination {
  const { baseUrl, publicKey, secretKey, name, environment } = options;
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/api/public/scores`).href;
  if (name !== undefined && !SCORE_NAME_PATTERN.test(name)) {
    throw new TypeError('name may hold {type} and {slug} and no other braces');
  }
  if (environment !== undefined && !ENVIRONMENT_PATTERN.test(environment)) {
    throw new TypeError(`environment must match ${ENVIRONMENT_PATTERN.source}`);
  }
  const authorization = `Basic ${btoa(`${publicKey}:${secretKey}`)}`;
  return {
    name: 'langfuse',
    async deliver(score, delivery) {
      if (score.traceId === null && score.sessionId === null) {
        return { kind: 'reject', reason: 'neither a trace nor a session to attach the score to' };
      }
      return postJson({
        ...delivery,
        url,
        headers: { authorization },
        body: JSON.stringify(langfuseScore(score, options)),
        fetch: options.fetch ?? fetch,
        refusesPages: true,
        now: (options.now ?? Date.now)(),
      });
    },
  };
}
