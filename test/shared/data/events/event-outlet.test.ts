import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createEventOutlet,
  type EventSink,
  eventText,
  packed,
  type Untaken,
} from '../../../../shared/data/events/event-outlet.ts';
import { currentDeadline, untilDeadline } from '../../../../shared/data/table/deadline.ts';
import type { CanvassEvent } from '../../../../shared/domain/happening.ts';

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
  /** SQS, SendMessage: MessageBody. */
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
