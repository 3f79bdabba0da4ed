/** The SQS queue in which events wait until EventBridge has taken them. */

import * as z from 'zod/mini';
import { type EventSink, eventText, packed } from '../events/event-outlet.ts';
import { type AwsCall, createAwsCall } from './aws-call.ts';
import { takeInRuns } from './take-in-runs.ts';

const REQUEST_TIMEOUT_MS = 2_000;

/** Of a batch, single messages may fail in a reply of 200 (SQS, SendMessageBatch). */
const reply = z.object({
  Failed: z._default(z.nullish(z.array(z.object({ Id: z.string(), Code: z.string() }))), []),
});

const createQueueCall = (queueUrl: string): AwsCall =>
  createAwsCall({
    name: 'SQS',
    service: 'sqs',
    target: 'AmazonSQS',
    json: '1.0',
    // A queue lies at the endpoint that its address names.
    endpoint: new URL(queueUrl).origin,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });

export function createEventQueue(queueUrl: string, call: AwsCall = createQueueCall(queueUrl)): EventSink {
  return {
    take: (events) =>
      takeInRuns(
        packed(events, (event) => Buffer.byteLength(eventText(event))),
        async (run) => {
          const Entries = run.map((event, index) => ({ Id: String(index), MessageBody: eventText(event) }));
          const { Failed } = z.parse(reply, await call('SendMessageBatch', { QueueUrl: queueUrl, Entries }));
          return new Map((Failed ?? []).map(({ Id, Code }) => [Number(Id), Code]));
        },
      ),
  };
}
