import { expect, it } from 'vitest';
import { createEventSender } from '../../../functions/events/send-queued.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import type { CanvassEvent } from '../../../shared/domain/happening.ts';
import { anSqsEvent } from '../../support/events/an-sqs-event.ts';

const messages = (...ids: string[]) =>
  ids.map((id) => ({
    source: 'canvass',
    'detail-type': 'Response Recorded',
    detail: { id, text: 'CANARY', respondentId: 'CANARY' },
  }));

function sender(takes: (id: string) => boolean) {
  const lines: string[] = [];
  const reason = Object.assign(new Error('an event was not taken'), { name: 'ThrottlingException' });
  const bus = {
    take: async (events: readonly CanvassEvent[]) => ({
      events: events.filter(({ detail }) => !takes(detail.id)),
      reason,
    }),
  };
  return { lines, send: createEventSender({ bus, log: createLogger((line) => lines.push(line)) }) };
}

it('what the bus takes leaves the queue without a word', async () => {
  const { send, lines } = sender(() => true);
  expect(await send(anSqsEvent(messages('a', 'b')))).toEqual({ batchItemFailures: [] });
  expect(lines).toEqual([]);
});

it('what it does not take comes again, alone, and is told without its content', async () => {
  const { send, lines } = sender((id) => id === 'b');
  expect(await send(anSqsEvent(messages('a', 'b', 'a')))).toEqual({
    batchItemFailures: [{ itemIdentifier: '0' }, { itemIdentifier: '2' }],
  });
  expect(JSON.parse(lines.join())).toMatchObject({
    message: 'events wait',
    waiting: 2,
    of: 3,
    error: { name: 'ThrottlingException' },
  });
  expect(lines.join()).not.toContain('CANARY');
});
