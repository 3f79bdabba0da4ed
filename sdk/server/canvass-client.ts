/**
 * The service's client for servers: `fetch` and nothing else, so it runs on Node 20 and later and on edge runtimes.
 *
 *   const canvass = createCanvassClient({ baseUrl: 'https://…', secretKey: process.env.CANVASS_SECRET_KEY });
 *   const { tokens } = await canvass.mintTokens({ respondentId: 'user-42', sessionId: 'session-8c1f' });
 */

import { ackBatches } from './ack-batches.ts';
import { checkAddress, checkSecretKey } from './address-and-key.ts';
import type {
  AckResult,
  AckScoresReply,
  Comment,
  CommentsPage,
  CommentsQuery,
  DeferredAskLinkInput,
  DeferredAskLinkReply,
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
import { ENDPOINTS } from './endpoints.ts';
import { eachPage } from './pages.ts';
import type { Query } from './transport/request-url.ts';
import { SYSTEM_TIMERS, type Timers } from './transport/timers.ts';
import { type CallOptions, createTransport } from './transport/transport.ts';

/** Parts of a query that choose a page, and narrow nothing. */
const PAGING: ReadonlySet<string> = new Set(['limit', 'cursor']);

export interface CanvassClientOptions {
  /** Where the service is, without a path. */
  readonly baseUrl: string;
  /** `svc_sk_…`. It must never reach a browser, so neither must this client. */
  readonly secretKey: string;
  /** Milliseconds for one call with all its retries; by default 30,000, of an export or an erasure 90,000. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds for one attempt; by default 10,000, of an export or an erasure 35,000. */
  readonly attemptTimeoutMs?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly timers?: Timers | undefined;
}

/**
 * Every call is repeated on network errors, 429 (honouring `Retry-After`) and 5xx, with full jitter, until its deadline
 * is near; all of them bear repetition. What then still fails, and any other refusal, rejects with a `CanvassError`; what
 * cannot be sent as it was given, with a `TypeError` before anything is sent.
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
   * lost, it says the same again; `updated` counts what still changed, and `attempts` of a failed one may count twice.
   */
  ackScores(results: readonly AckResult[], options?: CallOptions): Promise<AckScoresReply>;
  /**
   * Responses of a person, of a survey or of everyone; with `limit`, a page of them and `nextCursor` when another
   * follows. Without, one that is too large for a reply is refused: `export_too_large`. 90 s by default. Repeated after
   * a reply that was lost, it reads again. A filter that is there without a value is a `TypeError`.
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
   * `invalid_key`, since its keys are revoked as soon as it began. A field that is there without a value is a `TypeError`.
   */
  erase(query: EraseQuery, options?: CallOptions): Promise<EraseReply>;
}

/** @throws TypeError of a filter without a value: left out, it would widen an erasure or an export without a word */
function filtersOf(query: object = {}): Query {
  for (const [name, value] of Object.entries(query)) {
    if (PAGING.has(name) || (value !== undefined && value !== null)) continue;
    throw new TypeError(`${name} is ${value}: give it a value, or leave it out to do without it`);
  }
  return { ...query };
}

/** @throws TypeError when `baseUrl` is no address, `secretKey` no secret key, or a limit not above 0 */
export function createCanvassClient(options: CanvassClientOptions): CanvassClient {
  const { baseUrl, secretKey, deadlineMs, attemptTimeoutMs } = options ?? {};
  const send = createTransport({
    base: checkAddress(baseUrl),
    secretKey: checkSecretKey(secretKey),
    // Bound late, and called as edge runtimes insist: with no `this`.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timers: options.timers ?? SYSTEM_TIMERS,
    deadlineMs,
    attemptTimeoutMs,
  });

  const client: CanvassClient = {
    mintTokens: (body, call) => send(ENDPOINTS.mintTokens, { body }, call),
    deferredAskLink: (body, call) => send(ENDPOINTS.deferredAskLink, { body }, call),
    pendingScores: (query, call) => send(ENDPOINTS.listPendingScores, { query: { ...query } }, call),
    async *eachPendingScore(query = {}, call) {
      for await (const page of eachPage(query, (one) => client.pendingScores(one, call))) yield* page.scores;
    },
    async ackScores(results, call) {
      let updated = 0;
      for (const batch of ackBatches(results)) {
        const reply: AckScoresReply = await send(ENDPOINTS.ackScores, { body: { results: batch } }, call);
        updated += reply.updated;
      }
      return { ok: true, updated };
    },
    exportResponses: async (query, call) =>
      send(ENDPOINTS.exportResponses, { query: filtersOf(query) }, call),
    results: (query, call) => send(ENDPOINTS.getResults, { query: { ...query } }, call),
    comments: (query, call) => send(ENDPOINTS.listComments, { query: { ...query } }, call),
    async *eachComment(query, call) {
      for await (const page of eachPage(query, (one) => client.comments(one, call))) yield* page.comments;
    },
    surveys: (call) => send(ENDPOINTS.listSurveys, {}, call),
    erase: async (query, call) => send(ENDPOINTS.erase, { query: filtersOf(query) }, call),
  };
  return client;
}
