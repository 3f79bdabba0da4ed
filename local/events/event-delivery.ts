/** Delivering a local run's events: what EventBridge does for a deployed one. */

import { setTimeout as delay } from 'node:timers/promises';
import { inFlight } from '../../shared/data/table/retry.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { WaitingEvents } from './waiting-events.ts';

/** Gives an event, as JSON, to its target. @throws when it is not taken */
export type Deliver = (text: string, signal: AbortSignal) => Promise<void>;

export interface EventDelivery {
  /** Events were added. */
  wake(): void;
  /** Tries once more what waits, for at most two seconds; the rest waits for the next start. */
  stop(): Promise<void>;
}

/** As long as a target may take (EventBridge, "API destinations as targets": 5 seconds). */
const ATTEMPT_MS = 5 * SECOND;
const FIRST_PAUSE_MS = SECOND / 2;
/** With the attempt itself, within ten seconds. */
const LONGEST_PAUSE_MS = 5 * SECOND;
const LAST_ATTEMPT_MS = 2 * SECOND;
const REQUESTS_IN_FLIGHT = 4;

/** Posts each event in a request of its own; what is not answered with a 2xx was not taken. */
export const postTo =
  (url: string): Deliver =>
  async (text, signal) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(url, { method: 'POST', headers, body: text, redirect: 'manual', signal });
    await reply.body?.cancel();
    if (!reply.ok) throw new Error(`it answered ${reply.status}`);
  };

interface DeliveryOptions {
  readonly waiting: WaitingEvents;
  readonly deliver: Deliver;
  /** Told of the first failure after a success. */
  readonly onFailure: (error: unknown) => void;
}

/** Tries each event until it is taken, beside the others, so that one that is refused holds up none. */
export function startEventDelivery({ waiting, deliver, onFailure }: DeliveryOptions): EventDelivery {
  const pauses = new Map<string, number>();
  const stopping = new AbortController();
  const last = new AbortController();
  let woken = new AbortController();
  let isFailing = false;

  async function attempt(id: string): Promise<void> {
    const text = waiting.textOf(id);
    if (text === undefined) return;
    try {
      await deliver(text, AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), last.signal]));
      waiting.remove(id);
      pauses.delete(id);
      isFailing = false;
    } catch (error) {
      const pause = Math.min(LONGEST_PAUSE_MS, 2 * (pauses.get(id) ?? FIRST_PAUSE_MS / 2));
      pauses.set(id, pause);
      waiting.delay(id, Date.now() + pause);
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      const isLast = stopping.signal.aborted;
      woken = new AbortController();
      for (let due = waiting.due(Date.now()); due.length > 0; due = waiting.due(Date.now())) {
        await inFlight(due, REQUESTS_IN_FLIGHT, attempt);
        if (stopping.signal.aborted && !isLast) break;
      }
      if (isLast) return;
      const next = waiting.nextDue();
      const pause = next === undefined ? undefined : Math.max(0, next - Date.now());
      const signal = AbortSignal.any([woken.signal, stopping.signal]);
      if (pause === undefined) await aborted(signal);
      else await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    wake: () => woken.abort(),
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => last.abort(), LAST_ATTEMPT_MS);
      await running;
      clearTimeout(timer);
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
