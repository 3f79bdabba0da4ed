/** The server client implements this interface for adapters, and the table implements it for the service. */

import type { Given } from '../contract/clients/send.ts';
import type {
  AckScoresReply,
  AckScoresRequest,
  ListPendingScoresQuery,
  ListPendingScoresReply,
} from '../contract/clients/wire-types.ts';

/** A page of scores to push. */
export type PendingScoresPage = ListPendingScoresReply;
/** Which scores to list. */
export type PendingScoresQuery = Given<ListPendingScoresQuery>;
/** A score to push. With `includeWithdrawn`, it may be a score to delete. */
export type PendingScore = PendingScoresPage['scores'][number];
/** A score of a stored answer. */
export type StandingScore = Extract<PendingScore, { readonly withdrawn: false }>;
/** How the delivery of one score ended. */
export type AckResult = Given<AckScoresRequest>['results'][number];

/** Options of a call to the service. */
export interface ServiceCall {
  /** The time limit of the call in milliseconds, including its retries. */
  readonly deadlineMs?: number | undefined;
}

/** The calls that an adapter of scores needs. `CanvassClient` has them. */
export interface ScoreService {
  /** Lists scores to push, oldest first. */
  pendingScores(query?: PendingScoresQuery, call?: ServiceCall): Promise<PendingScoresPage>;
  /** Reports deliveries, so that scores are not listed again. */
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
