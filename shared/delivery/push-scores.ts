/** One run of delivery: pending scores to a destination, and what became of them back to the service. */

import { type Delivery, deliverPage } from './deliver-page.ts';
import type { Destination, Outcome } from './destinations/destination.ts';
import { createPacer } from './pacer.ts';
import { nextCursor } from './pages.ts';
import type {
  AckResult,
  PendingScore,
  PendingScoresPage,
  ScoreService,
  ServiceCall,
} from './score-service.ts';
import { limitOf, SYSTEM_TIMERS, type Timers } from './timing.ts';

/**
 * A page is this many seconds' worth of requests: little is sent twice when a run is killed before it could acknowledge,
 * and a run gets through several, so that the next one resumes behind what this one could not deliver.
 */
const PAGE_SECONDS = 10;
const LARGEST_PAGE = 100;
/** A score that still cannot be delivered this long after its answer, or its last change, is given up. */
const PATIENCE_MS = 24 * 60 * 60 * 1_000;
/** Characters of an error that the service keeps (docs/contract.md §3.8). */
const ERROR_CHARACTERS = 500;
/** How long after `stopAt` the last acknowledgement may take. */
const ACK_SPARE_MS = 8_000;

/** What is pushed, where, and for how long. */
export interface PushOptions {
  readonly client: ScoreService;
  readonly destination: Destination;
  /** Requests under way at the same time; 4 by default. */
  readonly concurrency?: number;
  /** 25 by default, since Langfuse's smallest plan allows 30; zero is no limit. */
  readonly requestsPerMinute?: number;
  /** Milliseconds for one request to the destination; 10,000 by default. */
  readonly requestTimeoutMs?: number;
  /** Whether scores whose delivery failed are tried again; by default they are not. */
  readonly includeFailed?: boolean;
  /** The `cursor` of the run before; one that the service no longer takes means the beginning. */
  readonly cursor?: string | undefined;
  /** Milliseconds since the epoch at which requests under way are given up; acknowledging takes up to 8 s more. */
  readonly stopAt?: number;
  /** Ends the run early, after acknowledging what was delivered. */
  readonly signal?: AbortSignal;
  readonly timers?: Timers;
}

/** What became of the scores of a run. */
export interface PushReport {
  readonly polled: number;
  /** Pushed, or deleted where they had been withdrawn. */
  readonly delivered: number;
  /** Acknowledged as failed. */
  readonly rejected: number;
  /** Polled and still pending. */
  readonly left: number;
  /**
   * Where the next run should go on; absent: with the oldest. A run that always began with the oldest could spend its
   * time on scores that keep failing and never reach those behind them.
   */
  readonly cursor?: string;
  /** Why the destination took nothing any more. */
  readonly halted?: string;
}

function failed({ id, revision }: PendingScore, reason: string): AckResult {
  return { id, revision, state: 'failed', error: Array.from(reason).slice(0, ERROR_CHARACTERS).join('') };
}

/** What to acknowledge, or undefined for a score that stays pending. A halted destination's refusals are not believed. */
function toAckResult(
  score: PendingScore,
  outcome: Outcome | undefined,
  halted: boolean,
  now: number,
): AckResult | undefined {
  const { id, revision, at, revisedAt } = score;
  if (outcome?.kind === 'delivered') return { id, revision, state: 'delivered' };
  if (outcome === undefined || halted || outcome.kind === 'halt') return undefined;
  if (outcome.kind === 'reject') return failed(score, outcome.reason);
  // What was withdrawn must not stay anywhere: only a refusal ends that.
  if (score.withdrawn) return undefined;
  return now - Date.parse(revisedAt ?? at) >= PATIENCE_MS ? failed(score, outcome.reason) : undefined;
}

/** What is left of a deadline for one call to the service, when there is a deadline. */
function within(milliseconds: number): ServiceCall {
  return Number.isFinite(milliseconds) ? { deadlineMs: Math.max(1_000, milliseconds) } : {};
}

function pageSize(requestsPerMinute: number): number {
  if (requestsPerMinute === 0) return LARGEST_PAGE;
  return Math.min(LARGEST_PAGE, Math.max(1, Math.floor((requestsPerMinute * PAGE_SECONDS) / 60)));
}

interface Poll {
  readonly limit: number;
  readonly includeFailed: boolean;
  readonly cursor: string | undefined;
}

/** By its name: the client may be of another module format, whose classes are others. */
const isBadRequest = (error: unknown): boolean =>
  error instanceof Error && error.name === 'CanvassError' && 'status' in error && error.status === 400;

async function poll(
  client: ScoreService,
  { cursor, ...query }: Poll,
  call: ServiceCall,
): Promise<PendingScoresPage> {
  const all = { ...query, includeWithdrawn: true };
  if (cursor === undefined) return client.pendingScores(all, call);
  try {
    return await client.pendingScores({ ...all, cursor }, call);
  } catch (error) {
    if (isBadRequest(error)) return client.pendingScores(all, call);
    throw error;
  }
}

/**
 * Says that these pushes begin, before they do: the code that withdraws an answer then knows that there may be something to
 * delete, also when this run is killed before it could say what became of them.
 */
async function begin(
  client: ScoreService,
  scores: readonly PendingScore[],
  call: ServiceCall,
): Promise<void> {
  if (scores.length === 0) return;
  await client.ackScores(
    scores.map(({ id, revision }) => ({ id, revision, state: 'trying' })),
    call,
  );
}

/**
 * Delivers what is pending and deletes what was withdrawn, oldest first, until nothing is left, the destination halts
 * or `stopAt` is there; acknowledges page by page. Run one at a time per project: two would send everything twice.
 *
 * @throws CanvassError when the service itself cannot be reached; what was delivered and not acknowledged then comes
 * again, and replaces itself
 */
export async function pushScores(options: PushOptions): Promise<PushReport> {
  const { client, destination, includeFailed = false, requestsPerMinute = 25, signal } = options;
  const { timers = SYSTEM_TIMERS, stopAt = Number.POSITIVE_INFINITY } = options;
  const delivery: Delivery = {
    destination,
    pacer: createPacer({ requestsPerMinute, end: stopAt, timers, signal }),
    timers,
    concurrency: options.concurrency ?? 4,
    requestTimeoutMs: limitOf('requestTimeoutMs', options.requestTimeoutMs ?? 10_000),
    stopAt,
    signal,
  };
  const limit = pageSize(requestsPerMinute);
  const counts = { polled: 0, delivered: 0, rejected: 0 };
  let cursor = options.cursor;
  for (;;) {
    const page = await poll(client, { limit, includeFailed, cursor }, within(stopAt - timers.now()));
    const scores = page.scores.filter((score) => destination.waits?.(score) === undefined);
    await begin(client, scores, within(stopAt - timers.now()));
    const { outcomes, halted, finished } = await deliverPage(delivery, scores);
    const results = scores.flatMap(
      (score) => toAckResult(score, outcomes.get(score), halted !== undefined, timers.now()) ?? [],
    );
    if (results.length > 0) await client.ackScores(results, within(stopAt + ACK_SPARE_MS - timers.now()));

    const delivered = results.filter(({ state }) => state === 'delivered').length;
    counts.polled += page.scores.length;
    counts.delivered += delivered;
    counts.rejected += results.length - delivered;
    if (finished && halted === undefined) cursor = nextCursor(page, cursor);
    const isOver = !finished || halted !== undefined || cursor === undefined || timers.now() >= stopAt;
    if (!isOver) continue;
    return {
      ...counts,
      left: counts.polled - counts.delivered - counts.rejected,
      ...(cursor !== undefined && { cursor }),
      ...(halted !== undefined && { halted }),
    };
  }
}
