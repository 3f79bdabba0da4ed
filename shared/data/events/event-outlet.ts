/** Where events go: somewhere that keeps them until they are sent. */

import { SECOND } from '../../domain/duration.ts';
import type { CanvassEvent } from '../../domain/happening.ts';
import { withDeadline } from '../table/deadline.ts';

/** Of each sink: one that hangs leaves the next one its own time. */
const SINK_MS = 10 * SECOND;

/** What a sink did not take, with one of the reasons. */
export interface Untaken {
  readonly events: readonly CanvassEvent[];
  readonly reason?: unknown;
}

export interface EventSink {
  /** Never throws. @returns those that it did not take, whatever the reason */
  take(events: readonly CanvassEvent[]): Promise<Untaken>;
}

export interface EventOutlet {
  /** @throws when they are kept nowhere; then they have to come again */
  send(events: readonly CanvassEvent[]): Promise<void>;
}

/** @param sinks in the order in which they are asked: each gets what the one before did not take */
export function createEventOutlet(...sinks: readonly EventSink[]): EventOutlet {
  return {
    async send(events) {
      let left: Untaken = { events };
      for (const sink of sinks) {
        if (left.events.length === 0) return;
        const { events: asked } = left;
        left = await withDeadline(SINK_MS, () => sink.take(asked));
      }
      if (left.events.length > 0) throw left.reason;
    },
  };
}

/**
 * An event as JSON, in characters that a queue leaves alone: SQS refuses or replaces U+FFFE and U+FFFF (SQS,
 * SendMessage).
 */
export const eventText = (event: CanvassEvent): string =>
  JSON.stringify(event).replaceAll('\uFFFE', '\\ufffe').replaceAll('\uFFFF', '\\uffff');

/**
 * Runs of at most `count` items and `bytes`; an item that is larger is one of its own. Both services take ten entries
 * and at least 256 KB at a time (EventBridge, "Calculating PutEvents event entry size"; SQS, SendMessageBatch).
 */
export function packed<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  { count = 10, bytes = 250_000 } = {},
): T[][] {
  const runs: T[][] = [];
  let room = 0;
  for (const item of items) {
    const size = bytesOf(item);
    const run = runs.at(-1);
    if (run === undefined || run.length === count || size > room) {
      runs.push([item]);
      room = bytes - size;
    } else {
      run.push(item);
      room -= size;
    }
  }
  return runs;
}
