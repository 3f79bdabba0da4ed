import type { Destination, Outcome } from './destinations/destination.ts';
import {
  type AckResult,
  nextCursor,
  type PendingScore,
  type PendingScoresPage,
  type ScoreService,
  type ServiceCall,
} from './score-service.ts';
import { createPacer, limitOf, type Pacer, SYSTEM_TIMERS, type Timers } from './timing.ts';

/** A run must outlast the pause that a destination requests, or a rejected score would block later ones. */
const LONGEST_HOLD_MS = 60_000;

interface Delivery {
  readonly destination: Destination;
  readonly pacer: Pacer;
  readonly timers: Timers;
  readonly concurrency: number;
  readonly requestTimeoutMs: number;
  /** Milliseconds since the epoch at which requests are aborted. */
  readonly stopAt: number;
  readonly signal?: AbortSignal | undefined;
}

interface DeliveredPage {
  readonly outcomes: ReadonlyMap<PendingScore, Outcome>;
  readonly halted?: string;
  readonly finished: boolean;
}

async function deliver(delivery: Delivery, score: PendingScore): Promise<Outcome> {
  const { destination, requestTimeoutMs, stopAt, timers, signal, pacer } = delivery;
  const timeoutMs = Math.max(1, Math.min(requestTimeoutMs, stopAt - timers.now()));
  const nextTurn = async (afterMs: number) => {
    if (afterMs > 0) await timers.sleep(afterMs, signal);
    return pacer.turn();
  };
  try {
    const options = { timeoutMs, nextTurn, ...(signal !== undefined && { signal }) };
    return score.withdrawn
      ? await destination.withdraw({ id: score.id, revision: score.revision }, options)
      : await destination.deliver(score, options);
  } catch (error) {
    return { kind: 'retry', reason: error instanceof Error ? error.message : 'the destination failed' };
  }
}

function isOver({ stopAt, timers, signal }: Delivery): boolean {
  return timers.now() >= stopAt || signal?.aborted === true;
}

async function deliverPage(delivery: Delivery, scores: readonly PendingScore[]): Promise<DeliveredPage> {
  const { pacer, concurrency } = delivery;
  const outcomes = new Map<PendingScore, Outcome>();
  const queue = scores.values();
  let halted: string | undefined;
  let ended = false;

  async function work(): Promise<void> {
    for (const score of queue) {
      if (ended || !(await pacer.turn()) || halted !== undefined) {
        ended = true;
        return;
      }
      const outcome = await deliver(delivery, score);
      // The request failed because the run aborted it.
      if (outcome.kind === 'retry' && isOver(delivery)) {
        ended = true;
        return;
      }
      outcomes.set(score, outcome);
      if (outcome.kind === 'halt') halted ??= outcome.reason;
      if (outcome.kind === 'retry' && outcome.holdMs !== undefined) {
        pacer.hold(Math.min(outcome.holdMs, LONGEST_HOLD_MS));
      }
    }
  }

  const workers = Math.max(1, Math.min(concurrency, scores.length));
  await Promise.all(Array.from({ length: workers }, work));
  return {
    outcomes,
    finished: outcomes.size === scores.length,
    ...(halted !== undefined && { halted }),
  };
}

/**
 * Seconds of requests per page. Small pages limit repeated pushes after a killed run, and let a later run resume after
 * failing scores.
 */
const PAGE_SECONDS = 10;
const LARGEST_PAGE = 100;
const PATIENCE_MS = 24 * 60 * 60 * 1_000;
/** See docs/contract.md §3.8. */
const ERROR_CHARACTERS = 500;
/** Time for the last acknowledgement after `stopAt`. */
const ACK_SPARE_MS = 8_000;

/** Options of a delivery run. */
export interface PushOptions {
  /** The server client, whose key needs the scope `scores`. */
  readonly client: ScoreService;
  /** Receives the scores. */
  readonly destination: Destination;
  /** Requests in flight; defaults to 4. */
  readonly concurrency?: number;
  /** Defaults to 25, because Langfuse's smallest plan allows 30. Zero is unlimited. */
  readonly requestsPerMinute?: number;
  /** Milliseconds per request to the destination; defaults to 10,000. */
  readonly requestTimeoutMs?: number;
  /** Whether to retry scores whose delivery failed; defaults to false. */
  readonly includeFailed?: boolean;
  /** The previous run's `cursor`. If the service rejects it, the run starts from the oldest score. */
  readonly cursor?: string | undefined;
  /** Milliseconds since the epoch at which requests are aborted. Acknowledging takes up to 8 s more. */
  readonly stopAt?: number;
  /** Ends the run early, after acknowledging deliveries. */
  readonly signal?: AbortSignal;
  /** Replaces the clock in tests. */
  readonly timers?: Timers;
}

/** Counts of a run. */
export interface PushReport {
  /** Scores that the service listed. */
  readonly polled: number;
  /** Scores that were pushed, skipped as a category, or deleted if withdrawn. */
  readonly delivered: number;
  /** Scores that were acknowledged as failed. */
  readonly rejected: number;
  /** Scores that were listed and are still pending. */
  readonly left: number;
  /**
   * The point where the next run resumes. If absent, it starts with the oldest score. Without it, failing scores could
   * block later ones.
   */
  readonly cursor?: string;
  /** The reason if the destination is misconfigured or refuses the credentials. */
  readonly halted?: string;
}

function failed({ id, revision }: PendingScore, reason: string): AckResult {
  return { id, revision, state: 'failed', error: Array.from(reason).slice(0, ERROR_CHARACTERS).join('') };
}

/** Returns undefined if the score stays pending. Rejections by a halted destination do not count. */
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
  // A withdrawal must reach the destination, so only a rejection ends it.
  if (score.withdrawn) return undefined;
  return now - Date.parse(revisedAt ?? at) >= PATIENCE_MS ? failed(score, outcome.reason) : undefined;
}

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

/** `instanceof` fails if the client was loaded in another module format. */
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

const isTaken = ({ categories }: Destination, score: PendingScore): boolean =>
  score.withdrawn || score.surveyType !== 'choice' || categories === true;

/** A push is recorded before it starts, so that a withdrawal can find it even if this run is killed. */
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
 * Delivers pending scores and deletes withdrawn ones, oldest first, until none is left, the destination halts or
 * `stopAt` passes. Run one at a time per project, because two would send everything twice.
 *
 * @throws CanvassError when the service is unreachable; unacknowledged scores are sent again and replace themselves
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
    const asked = page.scores.filter((score) => destination.waits?.(score) === undefined);
    const scores = asked.filter((score) => isTaken(destination, score));
    const skipped = asked.filter((score) => !isTaken(destination, score));
    await begin(client, scores, within(stopAt - timers.now()));
    const { outcomes, halted, finished } = await deliverPage(delivery, scores);
    const results: AckResult[] = [
      ...skipped.map(({ id, revision }) => ({ id, revision, state: 'delivered' as const })),
      ...scores.flatMap(
        (score) => toAckResult(score, outcomes.get(score), halted !== undefined, timers.now()) ?? [],
      ),
    ];
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
