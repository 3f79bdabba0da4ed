import { SECOND } from '../../domain/duration.ts';
import type { CanvassEvent } from '../../domain/happening.ts';
import { withDeadline } from '../table/deadline.ts';

/** A sink that hangs leaves time for the next. */
const SINK_MS = 10 * SECOND;

export interface Untaken {
  readonly events: readonly CanvassEvent[];
  readonly reason?: unknown;
}

export interface EventSink {
  /** Never throws. @returns the events that it did not take */
  take(events: readonly CanvassEvent[]): Promise<Untaken>;
}

export interface EventOutlet {
  /** @throws if no sink took the events */
  send(events: readonly CanvassEvent[]): Promise<void>;
}

/** @param sinks each receives the events that the previous one did not take */
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

/** SQS refuses or replaces U+FFFE and U+FFFF (SQS, SendMessage). */
export const eventText = (event: CanvassEvent): string =>
  JSON.stringify(event).replaceAll('\uFFFE', '\\ufffe').replaceAll('\uFFFF', '\\uffff');

/**
 * A larger item is a run of its own. SQS and EventBridge take ten entries and at least 256 KB at a time (EventBridge,
 * "Calculating PutEvents event entry size"; SQS, SendMessageBatch).
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
