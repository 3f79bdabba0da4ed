import type { Destination, Outcome } from './destinations/destination.ts';
import type { Pacer } from './pacer.ts';
import type { PendingScore } from './score-service.ts';
import type { Timers } from './timing.ts';

/**
 * A destination may ask for a long pause; a run must outlast one, or a score that is refused would hold up those
 * behind it.
 */
const LONGEST_HOLD_MS = 60_000;

export interface Delivery {
  readonly destination: Destination;
  readonly pacer: Pacer;
  readonly timers: Timers;
  readonly concurrency: number;
  /** Milliseconds for one request. */
  readonly requestTimeoutMs: number;
  /** Milliseconds since the epoch at which requests under way are given up. */
  readonly stopAt: number;
  readonly signal?: AbortSignal | undefined;
}

export interface DeliveredPage {
  /** Of the scores that got a turn. */
  readonly outcomes: ReadonlyMap<PendingScore, Outcome>;
  /** Why the destination took nothing any more. */
  readonly halted?: string;
  /** Whether every score got a turn. */
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

/**
 * Delivers a page, or takes back what was withdrawn, several scores at a time, each once; a halt or the end of the run
 * leaves the rest untouched.
 */
export async function deliverPage(
  delivery: Delivery,
  scores: readonly PendingScore[],
): Promise<DeliveredPage> {
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
      // Cut short by the run's own end: that says nothing about the score.
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
