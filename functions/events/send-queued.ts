/** Sending events that wait in the queue to the bus. */

import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { EventSink } from '../../shared/data/events/event-outlet.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import type { Logger } from '../runtime/logger.ts';

interface SendingOptions {
  readonly bus: EventSink;
  readonly clock: () => number;
  readonly log: Logger;
}

interface Message {
  readonly messageId: string;
  /** Absent where the body is none: the message stays, and alarms, as one that the bus will never take. */
  readonly event?: CanvassEvent;
  /** When it was queued, milliseconds since the epoch. */
  readonly sentAt: number;
}

/** What is wrong with a body is not told: the words of the parser quote it. */
function readMessage({ messageId, body, attributes }: SQSRecord): Message {
  const sentAt = Number(attributes.SentTimestamp);
  try {
    const event: CanvassEvent = JSON.parse(body);
    return { messageId, event, sentAt };
  } catch {
    return { messageId, sentAt };
  }
}

/**
 * Names the messages whose events the bus did not take: these alone come again, after the queue's visibility timeout
 * (Lambda, "Implementing partial batch responses").
 */
export function createEventSender({ bus, clock, log }: SendingOptions) {
  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const messages = Records.map(readMessage);
    const { events, reason } = await bus.take(
      messages.flatMap(({ event }) => (event === undefined ? [] : [event])),
    );
    const untaken = new Set(events);
    const left = messages.filter(({ event }) => event === undefined || untaken.has(event));
    if (left.length > 0) {
      // The queue's own age leaves out what was received three times (SQS, "Available CloudWatch metrics").
      const waited = Math.round((clock() - Math.min(...left.map(({ sentAt }) => sentAt))) / SECOND);
      log.error({
        message: 'events wait',
        waiting: left.length,
        of: messages.length,
        measures: { events_waited: waited },
        error: reason ?? Object.assign(new Error('a message is no event'), { name: 'NoEvent' }),
      });
    }
    return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}
