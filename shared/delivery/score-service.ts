/** The server client implements this interface for adapters, and the table implements it for the service. */

import type { Given } from '../contract/clients/send.ts';
import type {
  AckScoresReply,
  AckScoresRequest,
  ListPendingScoresQuery,
  ListPendingScoresReply,
} from '../contract/clients/wire-types.ts';

export type PendingScoresPage = ListPendingScoresReply;
export type PendingScoresQuery = Given<ListPendingScoresQuery>;
/** A score to push. With `includeWithdrawn`, it may be a score to delete. */
export type PendingScore = PendingScoresPage['scores'][number];
export type StandingScore = Extract<PendingScore, { readonly withdrawn: false }>;
export type AckResult = Given<AckScoresRequest>['results'][number];

/** Options of a call to the service. */
export interface ServiceCall {
  /** The time limit of the call in milliseconds, including its retries. */
  readonly deadlineMs?: number | undefined;
}

export interface ScoreService {
  pendingScores(query?: PendingScoresQuery, call?: ServiceCall): Promise<PendingScoresPage>;
  ackScores(results: readonly AckResult[], call?: ServiceCall): Promise<AckScoresReply>;
}

interface Page {
  readonly nextCursor?: string | null | undefined;
}

/** If the service repeated a cursor, the walk would never end. */
export function nextCursor(page: Page, current: string | null | undefined): string | undefined {
  return page.nextCursor && page.nextCursor !== current ? page.nextCursor : undefined;
}

export async function* eachPage<One extends Page, Query extends { readonly cursor?: string | undefined }>(
  query: Query,
  ask: (query: Query) => Promise<One>,
): AsyncGenerator<One> {
  let page = await ask(query);
  yield page;
  for (let cursor = nextCursor(page, query.cursor); cursor !== undefined; cursor = nextCursor(page, cursor)) {
    page = await ask({ ...query, cursor });
    yield page;
  }
}
