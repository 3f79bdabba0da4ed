import type { Destination, Outcome } from './destinations/destination.ts';
import type { Pacer } from './pacer.ts';
import type { PendingScore } from './score-service.ts';
import type { Timers } from './timing.ts';

/** Limits the pause that a destination requests. A run must outlast it, or a rejected score would block later ones. */
const LONGEST_HOLD_MS = 60_000;

export interface Delivery {
  readonly destination: Destination;
  readonly pacer: Pacer;
  readonly timers: Timers;
  readonly concurrency: number;
  readonly requestTimeoutMs: number;
  /** Milliseconds since the epoch at which requests are aborted. */
  readonly stopAt: number;
  readonly signal?: AbortSignal | undefined;
}

export interface DeliveredPage {
  /** Outcomes of the scores that were tried. */
  readonly outcomes: ReadonlyMap<PendingScore, Outcome>;
  /** Why the destination refuses everything. */
  readonly halted?: string;
  /** Whether every score was tried. */
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

/** Tries each score of a page once, several at a time. A halt or the run's end leaves the rest untouched. */
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
      // The run aborted this request, which says nothing about the score.
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
