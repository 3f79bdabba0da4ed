/** The service as pushing sees it: two calls, and what they take and answer. The server client is one, the table another. */

import type {
  AckScoresInput,
  AckScoresReply,
  PendingScoresQuery,
  PendingScoresReply,
} from '../contract/clients/server-calls.ts';

export type PendingScoresPage = PendingScoresReply;
/** A score to push, or with `includeWithdrawn` one to delete where it was delivered. */
export type PendingScore = PendingScoresPage['scores'][number];
export type StandingScore = Extract<PendingScore, { readonly withdrawn: false }>;
export type AckResult = AckScoresInput['results'][number];

export interface ServiceCall {
  /** Milliseconds for the call with its retries. */
  readonly deadlineMs?: number | undefined;
}

export interface ScoreService {
  pendingScores(query?: PendingScoresQuery, call?: ServiceCall): Promise<PendingScoresPage>;
  ackScores(results: readonly AckResult[], call?: ServiceCall): Promise<AckScoresReply>;
}
