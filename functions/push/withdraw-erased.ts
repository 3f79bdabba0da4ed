/** Deleting scores of erased answers where they were delivered. */

import type { DeliveryOptions, Destination, Outcome } from '../../sdk/server/destinations/destination.ts';
import { createPacer, type Pacer } from '../../sdk/server/pacer.ts';
import { SYSTEM_TIMERS } from '../../sdk/server/transport/timers.ts';
import type { Withdrawal } from '../../shared/data/scores/withdrawals.ts';
import { MINUTE, SECOND } from '../../shared/domain/duration.ts';
import { log, withdrawals } from '../runtime/compose.ts';
import type { PushEntry } from './adapter-configuration.ts';
import { withdrawalLine } from './adapter-log.ts';
import { metricsNamespaceOf, type PushContext } from './push-context.ts';

/**
 * A score that was under way when its answer was erased has arrived by then, and what was taken is stored: the longest
 * run, and some time for the platform.
 */
const SETTLED_MS = 5 * MINUTE;
/** Of each shard, read at once. */
const PAGE = 25;
const REQUEST_MS = 10 * SECOND;
/** As pushing scores has it. */
const REQUESTS_PER_MINUTE = 25;

const ageOf = ({ queuedAt }: Withdrawal, now: number): number => now - Date.parse(queuedAt);

const oldestSeconds = (waiting: readonly Withdrawal[], now: number): number =>
  waiting.reduce((oldest, each) => Math.max(oldest, ageOf(each, now) / SECOND), 0);

interface Progress {
  readonly finished: Set<Withdrawal>;
  reason?: string | undefined;
  halted?: string | undefined;
}

async function withdraw(
  { id }: Withdrawal,
  destination: Destination,
  delivery: DeliveryOptions,
): Promise<Outcome> {
  try {
    return await destination.withdraw({ id }, delivery);
  } catch (error) {
    return { kind: 'retry', reason: error instanceof Error ? error.message : 'the destination failed' };
  }
}

async function withdrawEach(
  context: PushContext,
  destination: Destination,
  due: readonly Withdrawal[],
  pacer: Pacer,
): Promise<Progress> {
  const { service, timers = SYSTEM_TIMERS, signal } = context;
  const progress: Progress = { finished: new Set() };
  const nextTurn = async (afterMs: number) => {
    if (afterMs > 0) await timers.sleep(afterMs, signal);
    return pacer.turn();
  };
  for (const withdrawal of due) {
    if (!(await pacer.turn())) break;
    const options = { timeoutMs: REQUEST_MS, nextTurn, ...(signal !== undefined && { signal }) };
    const outcome = await withdraw(withdrawal, destination, options);
    if (outcome.kind === 'delivered') {
      await withdrawals(service).finish(withdrawal);
      progress.finished.add(withdrawal);
      continue;
    }
    progress.reason = outcome.reason;
    if (outcome.kind === 'halt') {
      progress.halted = outcome.reason;
      break;
    }
    if (outcome.kind === 'retry' && outcome.holdMs !== undefined) pacer.hold(outcome.holdMs);
  }
  return progress;
}

/**
 * Some of a project's withdrawals, under its lease, so that no push is under way beside it. What is not done stays in the
 * queue; a line says how old the oldest is.
 * @param stopAt milliseconds since the epoch
 */
export async function withdrawErased(
  context: PushContext,
  { projectId, destination, requestsPerMinute = REQUESTS_PER_MINUTE }: PushEntry,
  stopAt: number,
): Promise<void> {
  const { service, timers = SYSTEM_TIMERS, signal } = context;
  const waiting = await withdrawals(service).waiting(projectId, PAGE);
  if (waiting.length === 0) return;
  const due = waiting.filter((each) => ageOf(each, timers.now()) >= SETTLED_MS);
  const pacer = createPacer({ requestsPerMinute, end: stopAt, timers, signal });
  const { finished, reason, halted } = await withdrawEach(context, destination, due, pacer);
  const now = timers.now();
  const left = waiting.filter((each) => !finished.has(each));
  log(service)[halted === undefined ? 'info' : 'error'](
    withdrawalLine({
      metricsNamespace: metricsNamespaceOf(service),
      projectId,
      destination: destination.name,
      now,
      withdrawn: finished.size,
      left: left.length,
      oldestSeconds: oldestSeconds(left, now),
      reason,
      halted,
    }),
  );
}

/** Logs that a project's withdrawals wait, and that the configuration has no destination for them. */
export async function reportForsaken(context: PushContext, projectId: string): Promise<void> {
  const { service, timers = SYSTEM_TIMERS } = context;
  const waiting = await withdrawals(service).waiting(projectId, PAGE);
  const now = timers.now();
  log(service).error(
    withdrawalLine({
      metricsNamespace: metricsNamespaceOf(service),
      projectId,
      now,
      withdrawn: 0,
      left: waiting.length,
      oldestSeconds: oldestSeconds(waiting, now),
      reason: 'no destination is configured',
    }),
  );
}
