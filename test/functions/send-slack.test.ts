import { describe, expect, it } from 'vitest';
import { createLogger } from '../../functions/runtime/logger.ts';
import { createSlackSender } from '../../functions/send-slack.ts';
import { anSqsEvent } from '../support/events/lambda-events.ts';
import { aResponseDetail } from '../support/fixtures/builders.ts';
import { type SlackFault, startSlack } from '../support/stand-ins/slack-stand-in.ts';

const WEBHOOK = {
  name: 'shop',
  secretId: 'canvass/slack-shop',
  events: ['low', 'contact'],
  includeText: false,
};
const aMessage = (id: string, webhook: object = {}) => ({
  webhook: { ...WEBHOOK, ...webhook },
  detail: aResponseDetail({ id, rating: Number(id) }),
});

interface Options {
  readonly faultOf?: (nth: number) => SlackFault | undefined;
  readonly isKnown?: (path: string) => boolean;
  readonly pathOf?: (nth: number) => string;
  readonly readSecret?: (id: string) => Promise<string>;
}

async function sender({ faultOf, isKnown, pathOf = () => '/services/T/B/one', readSecret }: Options = {}) {
  const slack = await startSlack(faultOf, isKnown);
  const lines: string[] = [];
  const sleeps: number[] = [];
  let read = 0;
  const send = createSlackSender({
    readSecret: readSecret ?? (async () => `${slack.url}${pathOf(++read)}`),
    parseAddress: (text) => (text.startsWith(slack.url) ? text : undefined),
    url: 'https://surveys.example.com',
    sleep: async (ms) => {
      sleeps.push(ms);
    },
    log: createLogger((line) => lines.push(line)),
  });
  const ratings = () => slack.posts.map(({ message }) => message.text.match(/: Rated (\d)/)?.[1]);
  return { slack, send, lines, sleeps, ratings, logged: () => lines.map((line) => JSON.parse(line)) };
}

const DONE = { batchItemFailures: [] };

describe('a Slack message', () => {
  it('is posted to the address in the secret, a second before the next one', async () => {
    const { send, slack, sleeps, logged, ratings } = await sender();
    expect(await send(anSqsEvent([aMessage('1'), aMessage('2')]))).toEqual(DONE);
    expect(ratings()).toEqual(['1', '2']);
    expect(slack.posts.map(({ path }) => path)).toEqual(['/services/T/B/one', '/services/T/B/one']);
    expect(sleeps).toEqual([1_000, 1_000]);
    expect(logged()).toMatchObject([{ message: 'slack message sent', webhook: 'shop', event: '1' }, {}]);
  });

  it('waits as long as Slack asks, and is sent once', async () => {
    const { send, slack, sleeps, ratings } = await sender({
      faultOf: (nth) => (nth === 1 ? { status: 429, retryAfter: 7 } : undefined),
    });
    expect(await send(anSqsEvent([aMessage('3')]))).toEqual(DONE);
    expect(ratings()).toEqual(['3']);
    expect(slack.asked()).toBe(2);
    expect(sleeps).toEqual([7_000, 1_000]);
  });

  it('returns to the queue when Slack asks for longer than the function has', async () => {
    const { send, slack, sleeps, logged } = await sender({
      faultOf: () => ({ status: 429, retryAfter: 60 }),
    });
    expect(await send(anSqsEvent([aMessage('3')]))).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
    expect([slack.asked(), sleeps]).toEqual([1, []]);
    expect(logged()).toMatchObject([
      {
        message: 'slack message not delivered',
        webhook: 'shop',
        event: '3',
        error: { name: 'NotTaken', message: 'Slack replied 429: rate_limited' },
      },
    ]);
  });

  it.each([
    ['fails', { status: 500 }],
    ['is away', { status: 503 }],
    ['hangs up', 'reset'],
  ] as const)('is retried when Slack %s, with growing pauses', async (_what, fault) => {
    const { send, sleeps, ratings } = await sender({ faultOf: (nth) => (nth <= 2 ? fault : undefined) });
    expect(await send(anSqsEvent([aMessage('3')]))).toEqual(DONE);
    expect(ratings()).toEqual(['3']);
    expect(sleeps.slice(0, 2)).toEqual([1_000, 2_000]);
  });

  it('is tried three times and then returns to the queue, with those behind it in order', async () => {
    const { send, slack } = await sender({ faultOf: () => ({ status: 500 }) });
    expect(await send(anSqsEvent([aMessage('1'), aMessage('2')]))).toEqual({
      batchItemFailures: [{ itemIdentifier: '0' }, { itemIdentifier: '1' }],
    });
    expect(slack.asked()).toBe(3);
  });

  it.each([400, 403, 404, 410, 302])(
    'is not retried immediately when Slack refuses with %i',
    async (status) => {
      const { send, slack, logged } = await sender({ faultOf: () => ({ status }) });
      expect((await send(anSqsEvent([aMessage('1')]))).batchItemFailures).toHaveLength(1);
      expect(slack.asked()).toBe(1);
      expect(logged()[0].error.message).toMatch(new RegExp(`^Slack replied ${status}(: [a-z_]+)?$`));
    },
  );

  it('goes to the new address once the secret has it, without a deployment', async () => {
    let path = '/services/T/B/old';
    const { send, slack, ratings } = await sender({ pathOf: () => path, isKnown: (asked) => asked === path });
    await send(anSqsEvent([aMessage('1')]));
    path = '/services/T/B/new';
    expect(await send(anSqsEvent([aMessage('2')]))).toEqual(DONE);
    expect(ratings()).toEqual(['1', '2']);
    expect(slack.posts.at(-1)?.path).toBe('/services/T/B/new');
  });

  it('goes to the new address if it waits during the change', async () => {
    const { send, slack } = await sender({
      faultOf: (nth) => (nth === 1 ? { status: 503 } : undefined),
      pathOf: (nth) => (nth === 1 ? '/services/T/B/old' : '/services/T/B/new'),
    });
    expect(await send(anSqsEvent([aMessage('1')]))).toEqual(DONE);
    expect(slack.posts.map(({ path }) => path)).toEqual(['/services/T/B/new']);
  });

  it('is not sent when the secret has no Slack address or cannot be read; neither is logged', async () => {
    const elsewhere = await sender({ readSecret: async () => 'https://SECRET.example/services/T/B/x' });
    expect((await elsewhere.send(anSqsEvent([aMessage('1')]))).batchItemFailures).toHaveLength(1);
    expect(elsewhere.slack.asked()).toBe(0);
    expect(elsewhere.lines.join()).toContain('the secret does not contain an incoming webhook URL');
    expect(elsewhere.lines.join()).not.toContain('SECRET');
    const unread = await sender({ readSecret: () => Promise.reject(new Error('AccessDenied')) });
    expect((await unread.send(anSqsEvent([aMessage('1')]))).batchItemFailures).toHaveLength(1);
  });

  it('never has its address or text in the log', async () => {
    const detail = { ...aResponseDetail({ id: '1', rating: 1 }), text: 'WORDS' };
    const told = { webhook: { ...WEBHOOK, includeText: true }, detail };
    for (const fault of [
      { status: 404 },
      { status: 500, body: 'WORDS /services/T/B/one' },
      'reset',
    ] as const) {
      const { send, lines } = await sender({ faultOf: () => fault });
      await send(anSqsEvent([told]));
      expect(lines).toHaveLength(1);
      expect(lines.join()).not.toMatch(/WORDS|services|127\.0\.0\.1/);
    }
  });

  it('is dropped for a revision without news for the channel', async () => {
    const { send, slack, sleeps } = await sender();
    const detail = aResponseDetail({ id: '1', rating: 1, became: [] });
    expect(await send(anSqsEvent([{ webhook: WEBHOOK, detail }]))).toEqual(DONE);
    expect([slack.asked(), sleeps]).toEqual([0, []]);
  });

  it.each([{}, { webhook: WEBHOOK }, { webhook: WEBHOOK, detail: { id: 'SECRET' } }, 'SECRET {'])(
    'stays in the queue without being quoted if it is malformed: %j',
    async (body) => {
      const { send, lines } = await sender();
      expect((await send(anSqsEvent([body]))).batchItemFailures).toHaveLength(1);
      expect(lines.join()).toContain('the message is not an event');
      expect(lines.join()).not.toContain('SECRET');
    },
  );
});
