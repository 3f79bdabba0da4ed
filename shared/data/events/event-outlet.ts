import * as z from 'zod/mini';
import { SECOND } from '../../domain/duration.ts';
import type { CanvassEvent } from '../../domain/happening.ts';
import { once } from '../../domain/memory.ts';
import { type AwsCall, createAwsCall } from '../aws/aws-call.ts';
import { withDeadline } from '../table/deadline.ts';
import { inFlight } from '../table/retry.ts';

/** If a sink hangs, time is left for the next one. */
const SINK_MS = 10 * SECOND;

export interface Untaken {
  readonly events: readonly CanvassEvent[];
  readonly reason?: unknown;
}

export interface EventSink {
  /** Never throws. @returns the refused events */
  take(events: readonly CanvassEvent[]): Promise<Untaken>;
}

export interface EventOutlet {
  send(events: readonly CanvassEvent[]): Promise<void>;
}

/** Each sink receives the events that the previous one refused. */
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

/** SQS rejects or replaces U+FFFE and U+FFFF (SQS, SendMessage). */
export const eventText = (event: CanvassEvent): string =>
  JSON.stringify(event).replaceAll('\uFFFE', '\\ufffe').replaceAll('\uFFFF', '\\uffff');

/**
 * SQS and EventBridge take ten entries and at least 256 KB at a time, or one larger item (EventBridge, "Calculating
 * PutEvents event entry size"; SQS, SendMessageBatch).
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

const RUNS_IN_FLIGHT = 10;

/**
 * Events of a failed request may be delivered twice.
 * @param send returns the refused events, by their index in the run
 */
async function takeInRuns(
  events: readonly CanvassEvent[],
  send: (run: readonly CanvassEvent[]) => Promise<ReadonlyMap<number, string>>,
): Promise<Untaken> {
  const runs = packed(events, (event) => Buffer.byteLength(eventText(event)));
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
const queueReply = once(() =>
  z.object({
    Failed: z._default(z.nullish(z.array(z.object({ Id: z.string(), Code: z.string() }))), []),
  }),
);

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
      takeInRuns(events, async (run) => {
        const Entries = run.map((event, index) => ({ Id: String(index), MessageBody: eventText(event) }));
        const { Failed } = z.parse(
          queueReply(),
          await call('SendMessageBatch', { QueueUrl: queueUrl, Entries }),
        );
        return new Map((Failed ?? []).map(({ Id, Code }) => [Number(Id), Code]));
      }),
  };
}

/** A failed entry has a code instead of an id (EventBridge, PutEvents). */
const busReply = once(() => z.object({ Entries: z.array(z.object({ ErrorCode: z.nullish(z.string()) })) }));

const createBusCall = (): AwsCall =>
  createAwsCall({
    name: 'EventBridge',
    service: 'events',
    target: 'AWSEvents',
    json: '1.1',
    endpoint: process.env.AWS_ENDPOINT_URL_EVENTBRIDGE,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });

/** `default` is the account's own bus. */
export function createEventBus(busName: string, call: AwsCall = createBusCall()): EventSink {
  return {
    take: (events) =>
      takeInRuns(events, async (run) => {
        const entries = run.map(({ source, detail, 'detail-type': type }) => ({
          Source: source,
          DetailType: type,
          Detail: JSON.stringify(detail),
          EventBusName: busName,
        }));
        const { Entries } = z.parse(busReply(), await call('PutEvents', { Entries: entries }));
        return new Map(
          run.flatMap((_event, index) => {
            const result = Entries[index];
            const code = result === undefined ? 'NoResult' : result.ErrorCode;
            return code == null ? [] : [[index, code] as const];
          }),
        );
      }),
  };
}
