/** The EventBridge bus. */

import * as z from 'zod/mini';
import { type EventSink, eventText, packed } from '../events/event-outlet.ts';
import { type AwsCall, createAwsCall } from './aws-call.ts';
import { takeInRuns } from './take-in-runs.ts';

const REQUEST_TIMEOUT_MS = 2_000;

/** One result for each entry, in their order; one that failed has a code in place of an id (EventBridge, PutEvents). */
const reply = z.object({ Entries: z.array(z.object({ ErrorCode: z.nullish(z.string()) })) });

const createBusCall = (): AwsCall =>
  createAwsCall({
    name: 'EventBridge',
    service: 'events',
    target: 'AWSEvents',
    json: '1.1',
    endpoint: process.env.AWS_ENDPOINT_URL_EVENTBRIDGE,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });

/** @param busName `default` is the account's own */
export function createEventBus(busName: string, call: AwsCall = createBusCall()): EventSink {
  return {
    take: (events) =>
      takeInRuns(
        packed(events, (event) => Buffer.byteLength(eventText(event))),
        async (run) => {
          const entries = run.map(({ source, detail, 'detail-type': type }) => ({
            Source: source,
            DetailType: type,
            Detail: JSON.stringify(detail),
            EventBusName: busName,
          }));
          const { Entries } = z.parse(reply, await call('PutEvents', { Entries: entries }));
          return new Map(
            run.flatMap((_event, index) => {
              const result = Entries[index];
              // A result that is missing says nothing: the event comes again.
              const code = result === undefined ? 'NoResult' : result.ErrorCode;
              return code == null ? [] : [[index, code] as const];
            }),
          );
        },
      ),
  };
}
