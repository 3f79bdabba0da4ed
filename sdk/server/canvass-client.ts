/**
 * The service's client for servers: `fetch` and nothing else, so it runs on Node 20 and later and on edge runtimes.
 *
 *   const canvass = createCanvassClient({ baseUrl: 'https://…', secretKey: process.env.CANVASS_SECRET_KEY });
 *   const { tokens } = await canvass.mintTokens({ respondentId: 'user-42', sessionId: 'session-8c1f' });
 */

import { ackBatches } from './ack-batches.ts';
import type {
  AckResult,
  AckScoresReply,
  Comment,
  CommentsPage,
  CommentsQuery,
  DeferredAskLinkInput,
  DeferredAskLinkReply,
  EndpointOf,
  EraseQuery,
  EraseReply,
  ExportQuery,
  ExportReply,
  MintTokensInput,
  MintTokensReply,
  PendingScore,
  PendingScoresPage,
  PendingScoresQuery,
  Results,
  ResultsQuery,
  SurveysReply,
} from './contract-types.ts';
import { SYSTEM_TIMERS, type Timers } from './transport/timers.ts';
import { type CallOptions, createTransport } from './transport/transport.ts';

const MINT = { method: 'POST', path: '/v1/sdk/tokens' } as const satisfies EndpointOf<'mintTokens'>;
const LINK = {
  method: 'POST',
  path: '/v1/sdk/deferred-ask-link',
} as const satisfies EndpointOf<'deferredAskLink'>;
const LIST = {
  method: 'GET',
  path: '/v1/sdk/pending-scores',
} as const satisfies EndpointOf<'listPendingScores'>;
const ACK = { method: 'POST', path: '/v1/sdk/pending-scores/ack' } as const satisfies EndpointOf<'ackScores'>;
const EXPORT = { method: 'GET', path: '/v1/privacy/export' } as const satisfies EndpointOf<'exportResponses'>;
const ERASE = { method: 'DELETE', path: '/v1/privacy/erase' } as const satisfies EndpointOf<'erase'>;
const RESULTS = { method: 'GET', path: '/v1/results' } as const satisfies EndpointOf<'getResults'>;
const COMMENTS = {
  method: 'GET',
  path: '/v1/results/comments',
} as const satisfies EndpointOf<'listComments'>;
const SURVEYS = { method: 'GET', path: '/v1/surveys' } as const satisfies EndpointOf<'listSurveys'>;

/** An export or an erasure may take as long as the gateway lets it, 30 s. */
const LONG_CALL = { attemptTimeoutMs: 35_000, deadlineMs: 90_000 } as const;

export interface CanvassClientOptions {
  /** Where the service is, without a path. */
  readonly baseUrl: string;
  /** `svc_sk_…`. It must never reach a browser, so neither must this client. */
  readonly secretKey: string;
  /** Milliseconds for one call with all its retries; 30,000 by default. */
  readonly deadlineMs?: number;
  /** Milliseconds for one attempt; 10,000 by default. */
  readonly attemptTimeoutMs?: number;
  readonly fetch?: typeof fetch;
  readonly timers?: Timers;
}

/**
 * Every call is repeated on network errors, 429 (honouring `Retry-After`) and 5xx, with full jitter, until its deadline
 * is near; all of them bear repetition. What then still fails, and any other refusal, rejects with a `CanvassError`.
 */
export interface CanvassClient {
  /**
   * Session-bound show-tokens by survey id, none when the respondent is gated; `bindings` are the same by slug, as the
   * browser's `bind` takes them. Of one survey with `surveyId` or `surveySlug`. Repeated after a reply that was lost, it
   * issues other tokens; nothing is stored by either.
   */
  mintTokens(input: MintTokensInput, options?: CallOptions): Promise<MintTokensReply>;
  /**
   * A link on which this person answers the survey later, for seven days unless `expiresIn` says otherwise; or with
   * `ok: false` the reason why they may not be asked. Repeated after a reply that was lost, it makes another link;
   * nothing is stored by either.
   */
  deferredAskLink(input: DeferredAskLinkInput, options?: CallOptions): Promise<DeferredAskLinkReply>;
  /**
   * One page, oldest first; `nextCursor` is there when another follows. Repeated after a reply that was lost, it reads
   * again.
   */
  pendingScores(query?: PendingScoresQuery, options?: CallOptions): Promise<PendingScoresPage>;
  /** Every pending score of one sweep, page by page; `limit` is the size of a page. The options hold for each page. */
  eachPendingScore(query?: PendingScoresQuery, options?: CallOptions): AsyncGenerator<PendingScore>;
  /**
   * Any number of results, in as many requests as that takes; `updated` is their sum. Repeated after a reply that was
   * lost, it says the same again; `updated` counts what still changed.
   */
  ackScores(results: readonly AckResult[], options?: CallOptions): Promise<AckScoresReply>;
  /**
   * Responses of a person, of a survey or of everyone; with `limit`, a page of them and `nextCursor` when another
   * follows. Without, one that is too large for a reply is refused: `export_too_large`. 90 s by default. Repeated after
   * a reply that was lost, it reads again.
   */
  exportResponses(query?: ExportQuery, options?: CallOptions): Promise<ExportReply>;
  /**
   * What was answered to a survey over a span of days: by default the last 90, at most 400. Repeated after a reply that
   * was lost, it reads again.
   */
  results(query: ResultsQuery, options?: CallOptions): Promise<Results>;
  /**
   * One page of what people wrote, newest first; `nextCursor` is there when another follows, were this one empty.
   * Repeated after a reply that was lost, it reads again.
   */
  comments(query: CommentsQuery, options?: CallOptions): Promise<CommentsPage>;
  /** Every comment, page by page; `limit` is the size of a page. The options hold for each page. */
  eachComment(query: CommentsQuery, options?: CallOptions): AsyncGenerator<Comment>;
  /**
   * The surveys of the project, those that are not asked now too. Repeated after a reply that was lost, it reads again.
   */
  surveys(options?: CallOptions): Promise<SurveysReply>;
  /**
   * Erases. 90 s by default. Repeated after a reply that was lost, it counts nothing twice; of the account it is
   * `invalid_key`, since its keys are revoked as soon as it began.
   */
  erase(query: EraseQuery, options?: CallOptions): Promise<EraseReply>;
}

/** @throws TypeError when `baseUrl` is not a URL or `secretKey` is not a secret key */
export function createCanvassClient(options: CanvassClientOptions): CanvassClient {
  const { baseUrl, secretKey } = options;
  if (!/^https?:$/.test(new URL(baseUrl).protocol)) throw new TypeError('baseUrl must be an http(s) URL');
  if (!/^[a-z0-9]+_sk_[\x21-\x7e]+$/.test(secretKey)) throw new TypeError('secretKey must be a secret key');
  const send = createTransport({
    baseUrl,
    secretKey,
    // Bound late, and called as edge runtimes insist: with no `this`.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timers: options.timers ?? SYSTEM_TIMERS,
    deadlineMs: options.deadlineMs ?? 30_000,
    attemptTimeoutMs: options.attemptTimeoutMs ?? 10_000,
  });

  const client: CanvassClient = {
    mintTokens: (input, call) => send({ ...MINT, ...call, body: input }),
    deferredAskLink: (input, call) => send({ ...LINK, ...call, body: input }),
    pendingScores: (query, call) => send({ ...LIST, ...call, query: { ...query } }),
    async *eachPendingScore(query = {}, call) {
      for (let cursor = query.cursor; ; ) {
        const page = await client.pendingScores({ ...query, ...(cursor !== undefined && { cursor }) }, call);
        yield* page.scores;
        cursor = page.nextCursor;
        if (cursor === undefined) return;
      }
    },
    async ackScores(results, call) {
      let updated = 0;
      for (const batch of ackBatches(results)) {
        const reply: AckScoresReply = await send({ ...ACK, ...call, body: { results: batch } });
        updated += reply.updated;
      }
      return { ok: true, updated };
    },
    exportResponses: (query, call) => send({ ...EXPORT, ...LONG_CALL, ...call, query: { ...query } }),
    results: (query, call) => send({ ...RESULTS, ...call, query: { ...query } }),
    comments: (query, call) => send({ ...COMMENTS, ...call, query: { ...query } }),
    async *eachComment(query, call) {
      for (let { cursor } = query; ; ) {
        const page = await client.comments({ ...query, ...(cursor !== undefined && { cursor }) }, call);
        yield* page.comments;
        cursor = page.nextCursor;
        if (cursor === undefined) return;
      }
    },
    surveys: (call) => send({ ...SURVEYS, ...call }),
    erase: (query, call) => send({ ...ERASE, ...LONG_CALL, ...call, query: { ...query } }),
  };
  return client;
}
