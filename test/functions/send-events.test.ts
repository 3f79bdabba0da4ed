import { expect, it } from 'vitest';
import { createLogger } from '../../functions/runtime/logger.ts';
import { createEventSender } from '../../functions/send-events.ts';
import { MINUTE } from '../../shared/domain/duration.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import { anSqsEvent } from '../support/events/lambda-events.ts';

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
    take: async (asked: readonly CanvassEvent[]) => {
      const events = asked.filter(({ detail }) => !takes(detail.id));
      return { events, ...(events.length > 0 && { reason }) };
    },
  };
  const log = createLogger((line) => lines.push(line), { metricsNamespace: 'canvass-test' });
  return { lines, send: createEventSender({ bus, clock: () => 20 * MINUTE, log }) };
}

it('removes accepted events from the queue without logging', async () => {
  const { send, lines } = sender(() => true);
  expect(await send(anSqsEvent(messages('a', 'b')))).toEqual({ batchItemFailures: [] });
  expect(lines).toEqual([]);
});

it('sends no text of an answer whose retention period ended while its event waited', async () => {
  const sent: CanvassEvent[] = [];
  const bus = {
    take: async (events: readonly CanvassEvent[]) => {
      sent.push(...events);
      return { events: [] };
    },
  };
  const send = createEventSender({ bus, clock: () => 20 * MINUTE, log: createLogger(() => undefined) });
  const said = { text: 'words', traits: { plan: 'pro' }, contact: 'a@example.com' };
  const untils = [20 * MINUTE, 20 * MINUTE + 1].map((at) => new Date(at).toISOString());
  const events = untils.map((textUntil) => ({ detail: { rating: 3, ...said }, textUntil }));
  await send(anSqsEvent(events));
  expect(sent).toEqual([
    { detail: { rating: 3, text: null, answerTexts: null, traits: null, contact: null } },
    { detail: { rating: 3, ...said } },
  ]);
});

it('returns only rejected events, and logs them without their content', async () => {
  const { send, lines } = sender((id) => id === 'b');
  expect(await send(anSqsEvent(messages('a', 'b', 'a')))).toEqual({
    batchItemFailures: [{ itemIdentifier: '0' }, { itemIdentifier: '2' }],
  });
  expect(JSON.parse(lines.join())).toMatchObject({
    message: 'events not delivered',
    waiting: 2,
    of: 3,
    events_waited: 1_200,
    _aws: { CloudWatchMetrics: [{ Metrics: [{ Name: 'events_waited', Unit: 'Seconds' }] }] },
    error: { name: 'ThrottlingException' },
  });
  expect(lines.join()).not.toContain('CANARY');
});

it('keeps a malformed message without blocking others or quoting it', async () => {
  const { send, lines } = sender(() => true);
  const event = anSqsEvent(messages('a', 'b'));
  for (const record of event.Records.slice(0, 1)) record.body = 'CANARY {';
  expect(await send(event)).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
  expect(JSON.parse(lines.join())).toMatchObject({ waiting: 1, of: 2, error: { name: 'NoEvent' } });
  expect(lines.join()).not.toContain('CANARY');
});
