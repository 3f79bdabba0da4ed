import * as z from 'zod/mini';
import type { CanvassEvent } from '../../domain/happening.ts';
import { type EventSink, eventText, packed, type Untaken } from '../events/event-outlet.ts';
import { inFlight } from '../table/retry.ts';
import { type AwsCall, createAwsCall } from './aws-call.ts';

const RUNS_IN_FLIGHT = 10;

/**
 * The outcome of a failed request is unknown, so its events may be delivered twice.
 * @param send returns the events that were not taken, by their index in the run, with the reason
 */
async function takeInRuns(
  runs: readonly (readonly CanvassEvent[])[],
  send: (run: readonly CanvassEvent[]) => Promise<ReadonlyMap<number, string>>,
): Promise<Untaken> {
  const outcomes = await inFlight(runs, RUNS_IN_FLIGHT, async (run): Promise<Untaken> => {
    try {
      const failed = await send(run);
      if (failed.size === 0) return { events: [] };
      const [code] = failed.values();
      return {
        events: run.filter((_event, index) => failed.has(index)),
        reason: Object.assign(new Error(`AWS did not accept an event: ${code}`), {
          name: code,
          $fault: 'server',
        }),
      };
    } catch (reason) {
      return { events: run, reason };
    }
  });
  return {
    events: outcomes.flatMap(({ events }) => events),
    reason: outcomes.find(({ reason }) => reason !== undefined)?.reason,
  };
}

const REQUEST_TIMEOUT_MS = 2_000;

/** Single messages may fail although the reply is 200 (SQS, SendMessageBatch). */
const queueReply = z.object({
  Failed: z._default(z.nullish(z.array(z.object({ Id: z.string(), Code: z.string() }))), []),
});

const createQueueCall = (queueUrl: string): AwsCall =>
  createAwsCall({
    name: 'SQS',
    service: 'sqs',
    target: 'AmazonSQS',
    json: '1.0',
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
          const { Failed } = z.parse(
            queueReply,
            await call('SendMessageBatch', { QueueUrl: queueUrl, Entries }),
          );
          return new Map((Failed ?? []).map(({ Id, Code }) => [Number(Id), Code]));
        },
      ),
  };
}

/** A failed entry has a code instead of an id (EventBridge, PutEvents). */
const busReply = z.object({ Entries: z.array(z.object({ ErrorCode: z.nullish(z.string()) })) });

const createBusCall = (): AwsCall =>
  createAwsCall({
    name: 'EventBridge',
    service: 'events',
    target: 'AWSEvents',
    json: '1.1',
    endpoint: process.env.AWS_ENDPOINT_URL_EVENTBRIDGE,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });

/** @param busName `default` is the account's own bus */
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
          const { Entries } = z.parse(busReply, await call('PutEvents', { Entries: entries }));
          return new Map(
            run.flatMap((_event, index) => {
              const result = Entries[index];
              const code = result === undefined ? 'NoResult' : result.ErrorCode;
              return code == null ? [] : [[index, code] as const];
            }),
          );
        },
      ),
  };
}
