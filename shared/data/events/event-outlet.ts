import { SECOND } from '../../domain/duration.ts';
import type { CanvassEvent } from '../../domain/happening.ts';
import { withDeadline } from '../table/deadline.ts';

/** For each sink, so that one that hangs leaves time for the next. */
const SINK_MS = 10 * SECOND;

/** Events that a sink did not take, with one of the reasons. */
export interface Untaken {
  readonly events: readonly CanvassEvent[];
  readonly reason?: unknown;
}

export interface EventSink {
  /** Never throws. @returns the events that it did not take */
  take(events: readonly CanvassEvent[]): Promise<Untaken>;
}

export interface EventOutlet {
  /** @throws if no sink took the events; they must be sent again */
  send(events: readonly CanvassEvent[]): Promise<void>;
}

/** @param sinks in order: each receives the events that the previous one did not take */
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

/** JSON with U+FFFE and U+FFFF escaped, because SQS refuses or replaces them (SQS, SendMessage). */
export const eventText = (event: CanvassEvent): string =>
  JSON.stringify(event).replaceAll('\uFFFE', '\\ufffe').replaceAll('\uFFFF', '\\uffff');

/**
 * Splits items into runs of at most `count` items and `bytes`; a larger item is a run of its own. SQS and EventBridge
 * take ten entries and at least 256 KB at a time (EventBridge, "Calculating PutEvents event entry size"; SQS,
 * SendMessageBatch).
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
