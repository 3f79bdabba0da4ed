/**
 * `POST /api/public/scores` per score, and `DELETE /api/public/scores/{id}`. The ingestion batch is deprecated.
 *
 * Behavior of Langfuse (langfuse.com/docs/api-and-data-platform/features/public-api; source of langfuse/langfuse,
 * `web/src/pages/api/public/scores`, `worker/src/queues/scoreDelete.ts`, `processEventBatch.ts`; read 2026-11-22): a
 * score replaces another with the same id, name and UTC date of arrival. A POST is stored 5 s later, or 15 s around
 * midnight UTC by default. A DELETE gets 202 before it runs, even without such a score, and then deletes every score of
 * that id. `GET /api/public/v3/scores` lists scores of traces and sessions (…/features/scores-api: self-hosted from
 * 3.179; reads by id ended on 2026-11-16).
 */

import type { PendingScore, StandingScore } from '../score-service.ts';
import {
  categoryOf,
  type DeliveryOptions,
  type Destination,
  type Outcome,
  type PushedScore,
  type Reply,
} from './destination.ts';
import { outcomeOf, requestReply } from './request.ts';

/** How a score appears in Langfuse. */
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
  const { scale, rating, surveyType, surveySlug, taskType, identityKind, text, reasons, answers } = score;
  const { labels, channel } = score;
  const { target, metadata } = chooseLevel(score);
  const isCategory = surveyType === 'choice';
  return {
    id: score.id,
    ...target,
    name: scoreName(score, name),
    ...(isCategory
      ? { value: categoryOf(score), dataType: 'CATEGORICAL' }
      : { value: rating, dataType: 'NUMERIC' }),
    ...(includeText && text !== null && text !== '' && { comment: text }),
    ...(environment !== undefined && { environment }),
    metadata: {
      surveyId: score.surveyId,
      surveySlug,
      surveyType,
      ...(!isCategory && {
        scaleMin: scale.min,
        scaleMax: scale.max,
        normalizedValue: (rating - scale.min) / (scale.max - scale.min),
      }),
      ...(taskType !== null && { taskType }),
      ...(identityKind !== null && { identityKind }),
      // Older services omit these.
      ...((reasons ?? null) !== null && { reasons }),
      ...((answers ?? null) !== null && { answers }),
      ...((labels ?? null) !== null && { labels }),
      ...((channel ?? null) !== null && { channel }),
      answeredAt: score.at,
      ...metadata,
    },
  };
}

/** Options of the Langfuse destination. */
export interface LangfuseOptions extends LangfuseScoreOptions {
  /** `https://cloud.langfuse.com`, `https://us.cloud.langfuse.com` or your own address. */
  readonly baseUrl: string;
  /** `pk-lf-…` */
  readonly publicKey: string;
  /** `sk-lf-…` */
  readonly secretKey: string;
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Milliseconds since the epoch. Defaults to the clock. */
  readonly now?: () => number;
}

const SECOND_MS = 1_000;
/** The largest difference between clocks, including the duration of the request. */
const CLOCK_MS = 60 * SECOND_MS;
/** After this time, an earlier run is over, its scores are stored and its deletions are done. */
const SETTLED_MS = 180 * SECOND_MS;
/** Langfuse's deletion queue is usually short. */
const DELETION_PAUSES_MS = [2, 4, 8, 16].map((seconds) => seconds * SECOND_MS);

const utcDate = (time: number): string => new Date(time).toISOString().slice(0, 10);
const retry = (reason: string): Outcome => ({ kind: 'retry', reason });

/** @throws TypeError naming the option that Langfuse would refuse */
export function createLangfuseDestination(options: LangfuseOptions): Destination {
  const { baseUrl, publicKey, secretKey, name, environment, now = Date.now } = options;
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/api/public`).href;
  if (name !== undefined && !SCORE_NAME_PATTERN.test(name)) {
    throw new TypeError('name may contain {type} and {slug} and no other braces');
  }
  if (environment !== undefined && !ENVIRONMENT_PATTERN.test(environment)) {
    throw new TypeError(`environment must match ${ENVIRONMENT_PATTERN.source}`);
  }
  const headers = { authorization: `Basic ${btoa(`${publicKey}:${secretKey}`)}` };

  const send = (method: 'POST' | 'GET' | 'DELETE', delivery: DeliveryOptions, path: string, body?: string) =>
    requestReply({
      ...delivery,
      method,
      url: `${url}${path}`,
      headers,
      ...(body !== undefined && { body }),
      fetch: options.fetch ?? fetch,
      refusesPages: true,
      now: now(),
    });
  // Any other 404 means a wrong address.
  const isGone = (reply: Reply | Outcome) =>
    'status' in reply && reply.status === 404 && /score not found/i.test(reply.text);

  /** Returns `delivered` if the id has no score, and undefined if it has one. */
  async function look(id: string, delivery: DeliveryOptions): Promise<Outcome | undefined> {
    const found = await send('GET', delivery, `/v3/scores?id=${encodeURIComponent(id)}&limit=1`);
    if ('kind' in found) return found;
    if (outcomeOf(found).kind !== 'delivered') return outcomeOf(found);
    return /"data"\s*:\s*\[\s*\]/.test(found.text) ? { kind: 'delivered' } : undefined;
  }

  /** Langfuse would run the deletion of a missing score later, and delete the score of the next push. */
  async function remove(id: string, delivery: DeliveryOptions): Promise<Outcome> {
    const { nextTurn = async () => false } = delivery;
    const before = await look(id, delivery);
    if (before !== undefined) return before;
    if (delivery.nextTurn !== undefined && !(await nextTurn(0))) return retry('no time is left');
    const asked = await send('DELETE', delivery, `/scores/${encodeURIComponent(id)}`);
    if (isGone(asked)) return { kind: 'delivered' };
    const outcome = outcomeOf(asked);
    if (outcome.kind !== 'delivered') return outcome;
    for (const pause of DELETION_PAUSES_MS) {
      if (!(await nextTurn(pause))) break;
      const left = await look(id, delivery);
      if (left !== undefined) return left;
    }
    return retry('Langfuse has not deleted the older score yet');
  }

  // An earlier push whose outcome is unknown came after the answer.
  const mayLieOnAnotherDate = ({ at }: Pick<PushedScore, 'at'>): boolean =>
    utcDate(Date.parse(at) - CLOCK_MS) !== utcDate(now() + CLOCK_MS);

  function settlesAt(score: PendingScore | PushedScore): number {
    const { at, revision = 0, triedAt } = score;
    const last = Date.parse(triedAt ?? at);
    if (score.withdrawn) return last + SETTLED_MS;
    // An unrecorded push may have happened just before midnight.
    if (mayLieOnAnotherDate(score)) return Math.max(last, Date.parse(utcDate(now()))) + SETTLED_MS;
    // After a withdrawal and a new rating, the deletion must not delete the new score.
    return revision >= 2 ? last + SETTLED_MS : 0;
  }

  const waits = (score: PendingScore | PushedScore): string | undefined =>
    now() < settlesAt(score) ? 'it waits until Langfuse has carried out what it was sent before' : undefined;

  return {
    name: 'langfuse',
    categories: true,
    deletes: true,
    waits,
    async deliver(score, delivery) {
      if (score.traceId === null && score.sessionId === null) {
        return { kind: 'reject', reason: 'neither a trace nor a session to attach the score to' };
      }
      const waiting = waits(score);
      if (waiting !== undefined) return retry(waiting);
      if (mayLieOnAnotherDate(score)) {
        const removed = await remove(score.id, delivery);
        if (removed.kind !== 'delivered') return removed;
        if (delivery.nextTurn !== undefined && !(await delivery.nextTurn(0))) return retry('no time is left');
      }
      return outcomeOf(
        await send('POST', delivery, '/scores', JSON.stringify(langfuseScore(score, options))),
      );
    },

    withdraw: ({ id }, delivery) => remove(id, delivery),
  };
}
