import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createEventBus,
  createEventOutlet,
  createEventQueue,
  type EventSink,
  eventText,
  packed,
  type Untaken,
} from '../../../../shared/data/events/event-outlet.ts';
import { currentDeadline, untilDeadline } from '../../../../shared/data/table/deadline.ts';
import { isUnavailable } from '../../../../shared/data/table/unavailable.ts';
import type { CanvassEvent } from '../../../../shared/domain/happening.ts';
import { serveInTest } from '../../../support/serve.ts';

const anEvent = (id: string, more: object = {}): CanvassEvent => ({
  source: 'canvass',
  'detail-type': 'Account Purged',
  detail: { version: 1, id, ...more },
});

describe('an outlet', () => {
  function aSink(takes: (id: string) => boolean) {
    const asked: string[][] = [];
    const sink: EventSink = {
      async take(events) {
        asked.push(events.map(({ detail }) => detail.id));
        return { events: events.filter(({ detail }) => !takes(detail.id)), reason: new Error('no room') };
      },
    };
    return { sink, asked };
  }

  it('gives each sink the events that earlier ones did not take', async () => {
    const first = aSink((id) => id === 'a');
    const second = aSink(() => true);
    const third = aSink(() => true);
    await createEventOutlet(first.sink, second.sink, third.sink).send(
      ['a', 'b', 'c'].map((id) => anEvent(id)),
    );
    expect([first.asked, second.asked, third.asked]).toEqual([[['a', 'b', 'c']], [['b', 'c']], []]);
  });

  it('leaves the next sink its own time when one hangs', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const hanging: EventSink = {
      take: (events) =>
        untilDeadline(() => new Promise<Untaken>(() => undefined)).catch((reason) => ({ events, reason })),
    };
    const cut: unknown[] = [];
    const next: EventSink = {
      async take() {
        cut.push(currentDeadline()?.aborted);
        return { events: [] };
      },
    };
    const sent = createEventOutlet(hanging, next).send([anEvent('a')]);
    await vi.advanceTimersByTimeAsync(10_000);
    await sent;
    expect(cut).toEqual([false]);
  });

  it('throws when no sink takes an event', async () => {
    const outlet = createEventOutlet(aSink((id) => id === 'a').sink, aSink(() => false).sink);
    await expect(outlet.send([anEvent('a')])).resolves.toBeUndefined();
    await expect(outlet.send([anEvent('a'), anEvent('b')])).rejects.toThrow('no room');
  });
});

describe('the text of an event', () => {
  /** The characters that SQS accepts (SendMessage, MessageBody). */
  const TAKEN = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;

  it('contains only characters that SQS takes, and keeps its meaning', () => {
    const text = `\u0000\u0008\u001f\u007f\uFFFE\uFFFF\uD800 \u{1F600} \u2028`;
    const written = eventText(anEvent('a', { text }));
    expect(written).toMatch(TAKEN);
    expect(JSON.parse(written).detail.text).toBe(text);
  });
});

describe('runs', () => {
  const sizes = (runs: number[][]) => runs.map((run) => run.length);
  const pack = (items: number[]) => packed(items, (item) => item, { count: 3, bytes: 10 });

  it('holds at most the given number of items and bytes, in order', () => {
    expect(pack([4, 4, 4, 1, 1, 1, 1])).toEqual([
      [4, 4],
      [4, 1, 1],
      [1, 1],
    ]);
    expect(sizes(pack(Array(7).fill(1)))).toEqual([3, 3, 1]);
    expect(pack([])).toEqual([]);
  });

  it('puts an item that is too large into a run of its own', () => {
    expect(pack([1, 11, 1])).toEqual([[1], [11], [1]]);
  });
});

interface Asked {
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON request, read by name.
  readonly body: any;
}

type Answer = { readonly status: number; readonly body: unknown } | 'reset';

const HTML = '<html><body>Service Unavailable</body></html>';

async function startAws(answer: (asked: Asked, nth: number) => Answer) {
  const asked: Asked[] = [];
  const url = await serveInTest(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ headers: request.headers, body: JSON.parse(body) });
    const reply = answer(asked.at(-1) as Asked, asked.length);
    if (reply === 'reset') return response.destroy();
    response.statusCode = reply.status;
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  });
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', url);
  return { asked, url };
}

const events = (count: number, more: object = {}): CanvassEvent[] =>
  Array.from({ length: count }, (_, index) => anEvent(`event-${index}`, more));
const ids = (some: readonly CanvassEvent[]) => some.map(({ detail }) => detail.id);

const taken = ({ body }: Asked): Answer => ({
  status: 200,
  body: { FailedEntryCount: 0, Entries: body.Entries.map(() => ({ EventId: 'e' })) },
});

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
});

describe('the bus', () => {
  it('sends ten events at a time, signed, in the form that rules match', async () => {
    const { asked } = await startAws(taken);
    expect(await createEventBus('people').take(events(12))).toEqual({ events: [], reason: undefined });
    expect(asked.map(({ body }) => body.Entries.length).sort()).toEqual([10, 2]);
    const [first] = asked;
    expect(first?.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSEvents.PutEvents',
      authorization: expect.stringContaining('AKIDEXAMPLE'),
    });
    expect(asked.flatMap(({ body }) => body.Entries)).toContainEqual({
      Source: 'canvass',
      DetailType: 'Account Purged',
      Detail: '{"version":1,"id":"event-0"}',
      EventBusName: 'people',
    });
  });

  it('reports by its index the part of a request that the bus did not take', async () => {
    await startAws(({ body }) => ({
      status: 200,
      body: {
        FailedEntryCount: 2,
        Entries: body.Entries.map((_entry: unknown, index: number) =>
          index === 1 || index === 3 ? { ErrorCode: 'ThrottlingException' } : { EventId: 'e' },
        ),
      },
    }));
    const { events: untaken, reason } = await createEventBus('default').take(events(5));
    expect(ids(untaken)).toEqual(['event-1', 'event-3']);
    expect(reason).toMatchObject({ name: 'ThrottlingException' });
    expect(isUnavailable(reason)).toBe(true);
  });

  it.each<[string, Answer]>([
    ['throttles', { status: 400, body: { __type: 'ThrottlingException' } }],
    ['fails', { status: 500, body: { __type: 'InternalException' } }],
    ['answers with a page', { status: 503, body: HTML }],
    ['answers with a page and 200', { status: 200, body: HTML }],
    ['answers with nothing of use', { status: 200, body: {} }],
    ['says nothing of some events', { status: 200, body: { FailedEntryCount: 0, Entries: [] } }],
    ['refuses', { status: 400, body: { __type: 'AccessDeniedException' } }],
    ['hangs up', 'reset'],
  ])('counts no event as taken when the bus %s', async (_what, answer) => {
    await startAws(() => answer);
    const { events: untaken, reason } = await createEventBus('default').take(events(3));
    expect(ids(untaken)).toEqual(['event-0', 'event-1', 'event-2']);
    expect(reason).toBeInstanceOf(Error);
  });

  it('asks again when the bus fails once', async () => {
    const { asked } = await startAws((request, nth) => (nth === 1 ? 'reset' : taken(request)));
    expect((await createEventBus('default').take(events(1))).events).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it('never sends more than 256 KB at a time', async () => {
    const { asked } = await startAws(taken);
    // The longest text of characters that JSON escapes as six each.
    await createEventBus('default').take(events(10, { text: '\u0001'.repeat(10_000) }));
    for (const { body } of asked)
      expect(Buffer.byteLength(JSON.stringify(body.Entries))).toBeLessThan(2 ** 19);
    const sizes = asked.map(({ body }) =>
      body.Entries.reduce(
        (sum: number, { Detail }: { Detail: string }) => sum + Buffer.byteLength(Detail),
        0,
      ),
    );
    expect(Math.max(...sizes)).toBeLessThan(2 ** 18);
    expect(asked.length).toBeGreaterThan(1);
  });
});

describe('the queue', () => {
  it("sends ten events at a time to the endpoint of the queue's URL", async () => {
    const { asked, url } = await startAws(() => ({ status: 200, body: { Successful: [], Failed: [] } }));
    const address = `${url}/123456789012/events`;
    expect((await createEventQueue(address).take(events(11))).events).toEqual([]);
    expect(asked.map(({ body }) => body.Entries.length).sort((a, b) => b - a)).toEqual([10, 1]);
    expect(asked[0]?.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessageBatch',
    });
    expect(asked[0]?.body.QueueUrl).toBe(address);
    const [first] = asked.flatMap(({ body }) => body.Entries);
    expect([first.Id, JSON.parse(first.MessageBody)]).toEqual(['0', events(1)[0]]);
  });

  it('reports the part of a request that the queue did not take', async () => {
    const failed = { Id: '2', Code: 'InternalError', SenderFault: false };
    const { url } = await startAws(() => ({ status: 200, body: { Successful: [], Failed: [failed] } }));
    const { events: untaken, reason } = await createEventQueue(`${url}/1/q`).take(events(4));
    expect(ids(untaken)).toEqual(['event-2']);
    expect(reason).toMatchObject({ name: 'InternalError' });
  });

  it('counts no event as taken when the queue is unavailable', async () => {
    const { url } = await startAws(() => ({ status: 503, body: HTML }));
    expect((await createEventQueue(`${url}/1/q`).take(events(2))).events).toHaveLength(2);
  });
});
