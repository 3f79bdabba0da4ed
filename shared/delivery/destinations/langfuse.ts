/**
 * Langfuse as a destination: `POST /api/public/scores`, one score a request, and `DELETE /api/public/scores/{id}`. Its
 * ingestion batch is deprecated.
 *
 * What it relies on (langfuse.com/docs/api-and-data-platform/features/public-api; the source of langfuse/langfuse,
 * `web/src/pages/api/public/scores`, `worker/src/queues/scoreDelete.ts`, `processEventBatch.ts`; read 2026-11-22): a score
 * replaces another when id, name and the UTC date of its timestamp agree; the POST takes no timestamp, the time of arrival
 * is taken. A POST is stored seconds later: 5 s, around midnight UTC 15 s unless configured otherwise. A DELETE is
 * answered with 202 before it is carried out, whether or not there is such a score, and then takes every score of that id.
 * `GET /api/public/v3/scores` lists scores of traces and of sessions (langfuse.com/docs/api-and-data-platform/features/
 * scores-api: self-hosted from 3.179; the reads by id went on 2026-11-16).
 */

import type { PendingScore } from '../score-service.ts';
import type { DeliveryOptions, Destination, Outcome, PushedScore, Reply } from './destination.ts';
import {
  ENVIRONMENT_PATTERN,
  type LangfuseScoreOptions,
  langfuseScore,
  SCORE_NAME_PATTERN,
} from './langfuse-score.ts';
import { outcomeOf, requestReply } from './request.ts';

/** Where Langfuse is, and its keys. */
export interface LangfuseOptions extends LangfuseScoreOptions {
  /** `https://cloud.langfuse.com`, `https://us.cloud.langfuse.com` or your own. */
  readonly baseUrl: string;
  /** `pk-lf-…` */
  readonly publicKey: string;
  /** `sk-lf-…` */
  readonly secretKey: string;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}

const SECOND_MS = 1_000;
/** As much may Langfuse's clock and ours differ, and a request take. */
const CLOCK_MS = 60 * SECOND_MS;
/** After so long the run that began it is over, what was sent is stored, and what was deleted is gone. */
const SETTLED_MS = 180 * SECOND_MS;
/** How long a deletion is waited for: its queue is short, as a rule. */
const DELETION_PAUSES_MS = [2, 4, 8, 16].map((seconds) => seconds * SECOND_MS);

const utcDate = (time: number): string => new Date(time).toISOString().slice(0, 10);
const retry = (reason: string): Outcome => ({ kind: 'retry', reason });

/** @throws TypeError naming the option that Langfuse would not take */
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
  // Any other 404 is that of a wrong address.
  const isGone = (reply: Reply | Outcome) =>
    'status' in reply && reply.status === 404 && /score not found/i.test(reply.text);

  /** `delivered` when there is no score of this id, undefined when there is one. */
  async function look(id: string, delivery: DeliveryOptions): Promise<Outcome | undefined> {
    const found = await send('GET', delivery, `/v3/scores?id=${encodeURIComponent(id)}&limit=1`);
    if ('kind' in found) return found;
    if (outcomeOf(found).kind !== 'delivered') return outcomeOf(found);
    return /"data"\s*:\s*\[\s*\]/.test(found.text) ? { kind: 'delivered' } : undefined;
  }

  /**
   * Deletes every score of an id, if there is one: a deletion of nothing would be carried out later all the same, and take
   * what is pushed next.
   * @returns `delivered` once none shows any more
   */
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

  // A push whose outcome is unknown may have left no trace; it came after the answer.
  const mayLieOnAnotherDate = ({ at }: Pick<PushedScore, 'at'>): boolean =>
    utcDate(Date.parse(at) - CLOCK_MS) !== utcDate(now() + CLOCK_MS);

  /** Until when what was sent before may not be carried out yet, where that matters to what is sent next. */
  function settlesAt(score: PendingScore | PushedScore): number {
    const { at, revision = 0, triedAt } = score;
    const last = Date.parse(triedAt ?? at);
    if (score.withdrawn) return last + SETTLED_MS;
    // Perhaps it was pushed just before midnight, and nobody noted it.
    if (mayLieOnAnotherDate(score)) return Math.max(last, Date.parse(utcDate(now()))) + SETTLED_MS;
    // It may have been withdrawn and rated again: the deletion must not take the new one.
    return revision >= 2 ? last + SETTLED_MS : 0;
  }

  const waits = (score: PendingScore | PushedScore): string | undefined =>
    now() < settlesAt(score) ? 'it waits until Langfuse has carried out what it was sent before' : undefined;

  return {
    name: 'langfuse',
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
