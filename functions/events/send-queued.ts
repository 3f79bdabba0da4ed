/** Sending events that wait in the queue to the bus. */

import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { EventSink } from '../../shared/data/events/event-outlet.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import type { Logger } from '../runtime/logger.ts';

interface SendingOptions {
  readonly bus: EventSink;
  readonly log: Logger;
}

/**
 * Names the messages whose events the bus did not take: these alone come again, after the queue's visibility timeout
 * (Lambda, "Implementing partial batch responses").
 */
export function createEventSender({ bus, log }: SendingOptions) {
  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const messages = Records.map(({ messageId, body }) => {
      const event: CanvassEvent = JSON.parse(body);
      return { messageId, event };
    });
    const { events: untaken, reason } = await bus.take(messages.map(({ event }) => event));
    if (untaken.length === 0) return { batchItemFailures: [] };
    log.error({ message: 'events wait', waiting: untaken.length, of: messages.length, error: reason });
    const left = new Set(untaken);
    return {
      batchItemFailures: messages
        .filter(({ event }) => left.has(event))
        .map(({ messageId }) => ({ itemIdentifier: messageId })),
    };
  };
}
