import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { createEventBus, type EventSink } from '../shared/data/events/event-outlet.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { type CanvassEvent, deliverable } from '../shared/domain/happening.ts';
import { ENVIRONMENT, EVENT_ENVIRONMENT } from '../shared/settings/environment.ts';
import { readWatching } from '../shared/settings/metrics.ts';
import { createLogger, type Logger } from './runtime/logger.ts';
import { type Environment, required, underLambda } from './runtime/service-config.ts';

interface SendingOptions {
  readonly bus: EventSink;
  readonly clock: () => number;
  readonly log: Logger;
}

interface Message {
  readonly messageId: string;
  /** Absent if the body is invalid. The message then stays in the queue and raises the alarm. */
  readonly event?: CanvassEvent;
  readonly sentAt: number;
}

/** Parser errors quote the body, so they are not logged. */
function readMessage({ messageId, body, attributes }: SQSRecord, now: number): Message {
  const sentAt = Number(attributes.SentTimestamp);
  try {
    const event: CanvassEvent = JSON.parse(body);
    return { messageId, event: deliverable(event, now), sentAt };
  } catch {
    return { messageId, sentAt };
  }
}

/** Only the returned messages are delivered again (Lambda, "Implementing partial batch responses"). */
export function createEventSender({ bus, clock, log }: SendingOptions) {
  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const messages = Records.map((record) => readMessage(record, clock()));
    const { events, reason } = await bus.take(
      messages.flatMap(({ event }) => (event === undefined ? [] : [event])),
    );
    const untaken = new Set(events);
    const left = messages.filter(({ event }) => event === undefined || untaken.has(event));
    if (left.length > 0) {
      // The queue's age metric skips messages that were received three times (SQS, "Available CloudWatch metrics").
      const waited = Math.round((clock() - Math.min(...left.map(({ sentAt }) => sentAt))) / SECOND);
      log.error({
        message: 'events not delivered',
        waiting: left.length,
        of: messages.length,
        measures: { events_waited: waited },
        error: reason ?? Object.assign(new Error('the message is not an event'), { name: 'NoEvent' }),
      });
    }
    return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

const readSettings = (environment: Environment) => ({
  busName: required(environment, EVENT_ENVIRONMENT.busName),
  metricsNamespace: environment[ENVIRONMENT.metricsNamespace],
  watching: readWatching(environment[ENVIRONMENT.watching]),
});

export const handler = underLambda(readSettings, ({ busName, ...metrics }) =>
  createEventSender({
    bus: createEventBus(busName),
    clock: Date.now,
    log: createLogger(undefined, metrics),
  }),
);
