import { placeOf, type Waiting, type Withdrawal } from '../../shared/data/scores/withdrawals.ts';
import type {
  DeliveryOptions,
  Destination,
  Outcome,
} from '../../shared/delivery/destinations/destination.ts';
import { createPacer, type Pacer } from '../../shared/delivery/timing.ts';
import { MINUTE, SECOND } from '../../shared/domain/duration.ts';
import { log } from '../runtime/compose.ts';
import { withdrawals } from '../runtime/parts/scores.ts';
import type { PushEntry } from './adapter-configuration.ts';
import { meteredBy, runLine, withdrawalLine } from './adapter-log.ts';
import type { PushContext } from './push-project.ts';

/** A push that was in progress during the erasure has arrived by then. */
const SETTLED_MS = 5 * MINUTE;
const REQUEST_MS = 10 * SECOND;
const REQUESTS_PER_MINUTE = 25;

const isDue = ({ queuedAt }: Withdrawal, now: number): boolean => now - Date.parse(queuedAt) >= SETTLED_MS;

const figuresOf = ({ count, since }: Waiting, now: number) => ({
  left: count,
  oldestSeconds: since === undefined ? 0 : Math.max(0, (now - Date.parse(since)) / SECOND),
});

interface Progress {
  withdrawn: number;
  place?: string | undefined;
  reason?: string | undefined;
  halted?: string | undefined;
}

interface Turns {
  readonly pacer: Pacer;
  readonly stopAt: number;
  readonly progress: Progress;
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
  sweep: AsyncIterable<Withdrawal>,
  { pacer, stopAt, progress }: Turns,
): Promise<void> {
  const { service, timers, signal } = context;
  const nextTurn = async (afterMs: number) => {
    if (afterMs > 0) await timers.sleep(afterMs, signal);
    return pacer.turn();
  };
  for await (const withdrawal of sweep) {
    if (timers.now() >= stopAt || signal?.aborted === true) break;
    const due = isDue(withdrawal, timers.now());
    if (due && !(await pacer.turn())) break;
    progress.place = placeOf(withdrawal);
    if (!due) continue;
    const options = { timeoutMs: REQUEST_MS, nextTurn, ...(signal !== undefined && { signal }) };
    const outcome = await withdraw(withdrawal, destination, options);
    if (outcome.kind === 'delivered') {
      await withdrawals(service).finish(withdrawal);
      progress.withdrawn += 1;
      continue;
    }
    progress.reason = outcome.reason;
    if (outcome.kind === 'halt') {
      progress.halted = outcome.reason;
      break;
    }
    if (outcome.kind === 'retry' && outcome.holdMs !== undefined) pacer.hold(outcome.holdMs);
  }
}

/** Runs while holding the project's lease, so no push is in progress. Never throws, so that scores are still pushed. */
export async function withdrawErased(
  context: PushContext,
  { projectId, destination, requestsPerMinute = REQUESTS_PER_MINUTE }: PushEntry,
  stopAt: number,
  behind: string | undefined,
): Promise<string | undefined> {
  const { service, timers, signal } = context;
  const pacer = createPacer({ requestsPerMinute, end: stopAt, timers, signal });
  const progress: Progress = { withdrawn: 0 };
  const line = { ...meteredBy(service), projectId, destination: destination.name };
  try {
    const sweep = withdrawals(service).sweep(projectId, behind);
    await withdrawEach(context, destination, sweep, { pacer, stopAt, progress });
    const waiting = await withdrawals(service).waiting(projectId);
    const now = timers.now();
    const { withdrawn, reason, halted } = progress;
    const entry = withdrawalLine({ ...line, now, ...figuresOf(waiting, now), withdrawn, reason, halted });
    log(service)[halted === undefined ? 'info' : 'error'](entry);
  } catch (error) {
    log(service).error(runLine({ ...line, error, now: timers.now() }));
  }
  return progress.place ?? behind;
}

export async function reportUnconfigured(context: PushContext, projectId: string): Promise<void> {
  const { service, timers } = context;
  const line = { ...meteredBy(service), projectId };
  try {
    const waiting = await withdrawals(service).waiting(projectId);
    const now = timers.now();
    const reason = 'no destination is configured';
    log(service).error(withdrawalLine({ ...line, now, withdrawn: 0, ...figuresOf(waiting, now), reason }));
  } catch (error) {
    log(service).error(runLine({ ...line, error, now: timers.now() }));
  }
}
