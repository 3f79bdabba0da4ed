import { eachPage } from '../../shared/delivery/score-service.ts';
import { SYSTEM_TIMERS, type Timers } from '../../shared/delivery/timing.ts';
import { checkAddress, createKeySource } from './address-and-key.ts';
import { type Answers, createAnswers } from './answers.ts';
import { type AnySurveys, type Calls, createCalls } from './calls.ts';
import type {
  AckResult,
  AckScoresReply,
  Comment,
  CommentsQuery,
  PendingScore,
  PendingScoresQuery,
} from './contract-types.ts';
import { type CallOptions, createTransport } from './transport.ts';

/** See docs/contract.md §3.8. */
const MOST_RESULTS = 100;
/** The limit is 64 KiB (docs/contract.md §3.1). */
const MOST_BYTES = 60 * 1_024;

/** Options of the client. */
export interface CanvassClientOptions {
  /** Address of the service; may contain a path. A `/v1` at its end is ignored. */
  readonly baseUrl: string;
  /**
   * `svc_sk_…`, or a function that reads it, such as from Secrets Manager. The function is called with the first call,
   * and once more if the service refuses the key. Never send the key, or this client, to a browser.
   */
  readonly secretKey: string | (() => string | Promise<string>);
  /** Milliseconds for one call with all its retries. Default 30,000; 90,000 for exports and erasures. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds for one attempt. Default 10,000; 35,000 for exports and erasures. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Replaces the runtime's `fetch`, for a proxy or for tests. */
  readonly fetch?: typeof fetch | undefined;
  /** Replaces the system's clock, for tests. */
  readonly timers?: Timers | undefined;
}

/**
 * Every call is safe to repeat, and is retried on network errors, 429 (honoring `Retry-After`) and 5xx, with full
 * jitter, until its deadline. Failures and refusals reject with a `CanvassError`. Invalid arguments reject with a
 * `TypeError` before anything is sent.
 */
export interface CanvassClient<Surveys extends AnySurveys = AnySurveys>
  extends Omit<Calls<CallOptions, Surveys>, 'ackScores'>,
    Answers<CallOptions> {
  /** Iterates over all pending scores; `limit` is the page size. The options apply to each page. */
  eachPendingScore(query?: PendingScoresQuery, options?: CallOptions): AsyncGenerator<PendingScore>;
  /**
   * Acknowledges any number of results, in as many requests as needed; `updated` is their sum. When repeated after a
   * lost reply, it has the same result; `updated` counts only scores that changed this time, and `attempts` of a failed
   * score can increase twice.
   */
  ackScores(results: readonly AckResult[], options?: CallOptions): Promise<AckScoresReply>;
  /** Iterates over all comments; `limit` is the page size. The options apply to each page. */
  eachComment(query: CommentsQuery, options?: CallOptions): AsyncGenerator<Comment>;
}

/** Long error texts can exceed one request. */
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
 * Creates the client of one project from its secret key: `fetch` and nothing else, on Node 20 and later and on edge
 * runtimes. One client serves a whole process and any number of concurrent calls. With the types of your surveys,
 * `createCanvassClient<Surveys>(…)`, minting accepts and returns only their slugs.
 *
 * @throws TypeError if `baseUrl` is not an address, `secretKey` not a secret key, or a limit not above 0
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
    // Edge runtimes require a call without `this`. The lookup is late.
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
