/** The service as pushing sees it: two calls, and what they take and answer. The server client is one, the table another. */

import type { Given } from '../contract/clients/send.ts';
import type {
  AckScoresReply,
  AckScoresRequest,
  ListPendingScoresQuery,
  ListPendingScoresReply,
} from '../contract/clients/wire-types.ts';

/** Scores of one page. */
export type PendingScoresPage = ListPendingScoresReply;
export type PendingScoresQuery = Given<ListPendingScoresQuery>;
/** A score to push, or with `includeWithdrawn` one to delete where it was delivered. */
export type PendingScore = PendingScoresPage['scores'][number];
/** A score that stands, not one that was withdrawn. */
export type StandingScore = Extract<PendingScore, { readonly withdrawn: false }>;
/** What became of one score. */
export type AckResult = Given<AckScoresRequest>['results'][number];

/** Options of a call of the service. */
export interface ServiceCall {
  /** Milliseconds for the call with its retries. */
  readonly deadlineMs?: number | undefined;
}

/** What a run needs of the service. */
export interface ScoreService {
  pendingScores(query?: PendingScoresQuery, call?: ServiceCall): Promise<PendingScoresPage>;
  ackScores(results: readonly AckResult[], call?: ServiceCall): Promise<AckScoresReply>;
}
