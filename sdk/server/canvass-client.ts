/**
 * The service's client for servers: `fetch` and nothing else, so it runs on Node 20 and later and on edge runtimes.
 *
 *   const canvass = createCanvassClient({ baseUrl: 'https://…', secretKey: process.env.CANVASS_SECRET_KEY });
 *   const { tokens } = await canvass.mintTokens({ respondentId: 'user-42', sessionId: 'session-8c1f' });
 */

import { eachPage } from '../../shared/delivery/pages.ts';
import { SYSTEM_TIMERS, type Timers } from '../../shared/delivery/timing.ts';
import { checkAddress } from './address-and-key.ts';
import { type Answers, createAnswers } from './answers.ts';
import { type Calls, createCalls } from './calls.ts';
import type {
  AckResult,
  AckScoresReply,
  Comment,
  CommentsQuery,
  PendingScore,
  PendingScoresQuery,
} from './contract-types.ts';
import { createKeySource } from './key-source.ts';
import { type CallOptions, createTransport } from './transport.ts';
import type { AnySurveys, TypedCalls } from './typed-surveys.ts';

/** Results of one ack request (docs/contract.md §3.8). */
const MOST_RESULTS = 100;
/** Bytes of one ack request; a body may have 64 KiB (docs/contract.md §3.1). */
const MOST_BYTES = 60 * 1_024;

/** What a client is made with. */
export interface CanvassClientOptions {
  /** Where the service is; a path is kept, as behind a proxy. */
  readonly baseUrl: string;
  /**
   * `svc_sk_…`, or a function that reads it, such as from Secrets Manager: it is called with the first call and, where the
   * service refuses the key, once more. It must never reach a browser, so neither must this client.
   */
  readonly secretKey: string | (() => string | Promise<string>);
  /** Milliseconds for one call with all its retries; by default 30,000, of an export or an erasure 90,000. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds for one attempt; by default 10,000, of an export or an erasure 35,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** In place of the runtime's own: for a proxy, or for tests. */
  readonly fetch?: typeof fetch | undefined;
  /** In place of the system's clock: for tests. */
  readonly timers?: Timers | undefined;
}

/**
 * Every call is repeated on network errors, 429 (honouring `Retry-After`) and 5xx, with full jitter, until its deadline
 * is near; all of them bear repetition. What then still fails, and any other refusal, rejects with a `CanvassError`; what
 * cannot be sent as it was given, with a `TypeError` before anything is sent.
 */
export interface CanvassClient<Surveys extends AnySurveys = AnySurveys>
  extends Omit<Calls<CallOptions>, 'ackScores' | 'mintTokens' | 'deferredAskLink'>,
    TypedCalls<Surveys, CallOptions>,
    Answers<CallOptions> {
  /** Every pending score of one sweep, page by page; `limit` is the size of a page. The options hold for each page. */
  eachPendingScore(query?: PendingScoresQuery, options?: CallOptions): AsyncGenerator<PendingScore>;
  /**
   * Any number of results, in as many requests as that takes; `updated` is their sum. Repeated after a reply that was
   * lost, it says the same again; `updated` counts what still changed, and `attempts` of a failed one may count twice.
   */
  ackScores(results: readonly AckResult[], options?: CallOptions): Promise<AckScoresReply>;
  /** Every comment, page by page; `limit` is the size of a page. The options hold for each page. */
  eachComment(query: CommentsQuery, options?: CallOptions): AsyncGenerator<Comment>;
}

/** Divides results into requests that the service takes: 100 results with long errors are too large for one. */
function ackBatches(results: readonly AckResult[]): AckResult[][] {
  const encoder = new TextEncoder();
  const batches: AckResult[][] = [];
  let batch: AckResult[] = [];
  let bytes = 0;
  for (const result of results) {
    const size = encoder.encode(JSON.stringify(result)).length + 1;
    if (batch.length > 0 && (batch.length === MOST_RESULTS || bytes + size > MOST_BYTES)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(result);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/**
 * The client of one project, by its secret key. One serves a whole process, and any number of calls at once. With the
 * types of its surveys, `createCanvassClient<Surveys>(…)`, minting takes and answers their slugs alone.
 *
 * @throws TypeError when `baseUrl` is no address, `secretKey` no secret key, or a limit not above 0
 * @example
 * const canvass = createCanvassClient({ baseUrl: 'https://surveys.example.com', secretKey: process.env.CANVASS_SECRET_KEY! });
 * const { bindings } = await canvass.mintTokens({ respondentId: 'user-42', sessionId: 'session-8c1f' });
 */
export function createCanvassClient<Surveys extends AnySurveys = AnySurveys>(
  options: CanvassClientOptions,
): CanvassClient<Surveys>;
export function createCanvassClient(options: CanvassClientOptions): CanvassClient {
  const { baseUrl, secretKey, deadlineMs, attemptTimeoutMs } = options ?? {};
  const send = createTransport({
    base: checkAddress(baseUrl),
    secretKey: createKeySource(secretKey),
    // Bound late, and called as edge runtimes insist: with no `this`.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timers: options.timers ?? SYSTEM_TIMERS,
    deadlineMs,
    attemptTimeoutMs,
  });
  const calls = createCalls(send);
  return {
    ...calls,
    ...createAnswers(send),
    async *eachPendingScore(query = {}, call) {
      for await (const page of eachPage(query, (one) => calls.pendingScores(one, call))) yield* page.scores;
    },
    async ackScores(results, call) {
      let updated = 0;
      for (const batch of ackBatches(results)) {
        updated += (await calls.ackScores({ results: batch }, call)).updated;
      }
      return { ok: true, updated };
    },
    async *eachComment(query, call) {
      for await (const page of eachPage(query, (one) => calls.comments(one, call))) yield* page.comments;
    },
  };
}
