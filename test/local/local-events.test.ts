import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Instance, type InstanceOptions, startInstance } from '../../local/instance.ts';
import { openLocalEvents } from '../../local/local-events.ts';
import { DAY } from '../../shared/domain/duration.ts';
import type { CanvassEvent, EventType } from '../../shared/domain/happening.ts';
import { checkWebhook } from '../support/openapi-check.ts';
import { serveInTest } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

interface Received {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: { readonly id: string; readonly [field: string]: unknown };
}

type Answer = (response: ServerResponse, nth: number) => void;
const take: Answer = (response) => response.writeHead(204).end();

/** A webhook receiver that records every request, whatever it answers. */
async function startReceiver(answer: Answer = take) {
  const received: Received[] = [];
  const behaviour = { answer };
  const url = await serveInTest(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(JSON.parse(body));
    behaviour.answer(response, received.length);
  });
  return { url: `${url}/hook`, received, behaviour };
}

async function start(dataFolder: string, more: Partial<InstanceOptions> = {}): Promise<Instance> {
  const options = { port: 0, dataFolder, inMemory: false, log: () => undefined, purgeWaitMs: 0, ...more };
  const instance = await startInstance(options);
  onTestFinished(instance.stop);
  return instance;
}

const posting = (url: string, more: Partial<InstanceOptions> = {}) => ({
  ...more,
  events: { url, print: async () => undefined },
});

async function answer({ url, demo }: Instance, userId: string, at = 0, more: object = {}) {
  const { publishableKey: key, surveys } = demo;
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify({ key, ...body }) });
  const asked = JSON.parse(await (await post('/v1/sdk/bootstrap', { userId })).text());
  const surveyId = surveys[at]?.id ?? '';
  const showToken = asked.showTokens[surveyId];
  const path = 'dismissed' in more ? '/v1/dismissals' : '/v1/sdk/responses';
  const sent = { surveyId, showToken, ...('dismissed' in more ? { userId } : { rating: 1, ...more }) };
  expect((await post(path, sent)).status).toBe(201);
  return { surveyId, showToken };
}

const erase = ({ url, demo }: Instance, query: string) =>
  fetch(`${url}/v1/privacy/erase?${query}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${demo.secretKey}` },
  });

const typesOf = (received: readonly Received[]) => received.map((event) => event['detail-type']);

test('delivers an answer, a dismissal, an erasure and both purges once, as documented', async () => {
  const { url, received } = await startReceiver();
  const instance = await start(temporaryFolder(), posting(url, { inMemory: true }));
  await answer(instance, 'ann', 0, { text: 'SECRET', traits: { plan: 'SECRET' }, contact: 'SECRET' });
  await answer(instance, 'bob', 1, { dismissed: true });
  await until(() => received.length === 2);
  await erase(instance, 'respondentId=ann');
  await until(() => received.length === 3);
  await erase(instance, `surveySlug=${instance.demo.surveys[1]?.slug}`);
  await until(() => received.length === 4);
  await erase(instance, 'account=true');
  await until(() => received.length === 5);
  expect(typesOf(received)).toEqual([
    'Response Recorded',
    'Dismissal Recorded',
    'Respondent Erased',
    'Survey Purged',
    'Account Purged',
  ]);
  for (const event of received) checkWebhook(event['detail-type'], event);
  expect(new Set(received.map(({ detail }) => detail.id)).size).toBe(5);
  expect(JSON.stringify(received)).not.toContain('SECRET');
});

test('retries an event until it succeeds, without delaying others', async () => {
  const { url, received } = await startReceiver((response, nth) => {
    if (nth === 1) response.destroy();
    else response.writeHead(nth === 2 ? 500 : 200).end();
  });
  const log: string[] = [];
  const instance = await start(
    temporaryFolder(),
    posting(url, { inMemory: true, log: (line) => log.push(line) }),
  );
  await answer(instance, 'ann');
  await until(() => received.length >= 3);
  await answer(instance, 'bob');
  await until(() => received.length === 4);
  const [first, second, third] = received.map(({ detail }) => detail.id);
  expect([second, third]).toEqual([first, first]);
  expect(log.filter((line) => line.includes('events not delivered'))).toHaveLength(1);
  expect(log.join()).not.toContain('ann');
});

test('keeps undelivered events in a private file, and delivers them after a restart', async () => {
  const folder = temporaryFolder();
  const { url, received, behaviour } = await startReceiver((response) => response.writeHead(503).end());
  const instance = await start(folder, posting(url));
  await answer(instance, 'ann-of-the-wait');
  await until(() => received.length > 0);
  await instance.stop();
  expect(statSync(join(folder, 'events.db')).mode & 0o777).toBe(0o600);
  const [before] = received.splice(0);
  behaviour.answer = take;
  const again = await start(folder, posting(url));
  await until(() => received.length === 1);
  expect(received).toEqual([before]);
  await erase(again, 'respondentId=ann-of-the-wait');
  await until(() => received.length === 2);
  await again.stop();
  expect(received).toHaveLength(2);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  expect(files.filter((file) => file.includes('ann-of-the-wait'))).toEqual([]);
});

test('removes personal data of erased or withdrawn answers from waiting events and files', async () => {
  const folder = temporaryFolder();
  const { url, received, behaviour } = await startReceiver((response) => response.writeHead(503).end());
  const instance = await start(folder, posting(url, { eventText: true }));
  const words = { text: 'SECRET', traits: { plan: 'SECRET' }, contact: 'SECRET' };
  await answer(instance, 'ann', 0, words);
  const { showToken, surveyId } = await answer(instance, 'bob', 1, words);
  await answer(instance, 'cy', 0, { text: 'KEPT' });
  await until(() => new Set(received.map(({ detail }) => detail.respondentId)).size === 3);
  expect((await erase(instance, 'respondentId=ann')).status).toBe(200);
  const { publishableKey: key } = instance.demo;
  const revision = { key, surveyId, showToken, userId: 'bob', revision: 1, withdraw: true };
  const taken = await fetch(`${instance.url}/v1/sdk/revisions`, {
    method: 'POST',
    body: JSON.stringify(revision),
  });
  expect(taken.status).toBe(200);
  await until(() => !readFileSync(join(folder, 'events.db'), 'utf8').includes('SECRET'));
  await until(() => typesOf(received).includes('Response Withdrawn'));
  received.splice(0);
  behaviour.answer = take;
  await until(() => new Set(received.map(({ detail }) => detail.id)).size === 5);
  expect(JSON.stringify(received)).not.toContain('SECRET');
  expect(JSON.stringify(received)).toContain('KEPT');
  for (const event of received) checkWebhook(event['detail-type'], event);
  await instance.stop();
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  expect(files.filter((file) => file.includes('SECRET'))).toEqual([]);
});

test('prints events with text on request, and keeps the latest for the demo page', async () => {
  const lines: string[] = [];
  const print = async (line: string) => void lines.push(line);
  const instance = await start(temporaryFolder(), {
    inMemory: true,
    eventText: true,
    events: { print },
  });
  await answer(instance, 'ann', 0, { text: 'too slow' });
  await until(() => lines.length === 1);
  const event: Received = JSON.parse(lines[0] ?? '');
  expect(event.detail).toMatchObject({ text: 'too slow', low: true });

  const ask = (headers: Record<string, string>) => fetch(`${instance.url}/demo/events`, { headers });
  const shown = await ask({ 'sec-fetch-site': 'same-origin' });
  expect(await shown.json()).toEqual([event]);
  expect((await ask({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

let made = 0;
const anEvent = (type: EventType, minute: number, detail: object = {}): CanvassEvent => ({
  source: 'canvass',
  'detail-type': type,
  detail: {
    version: 1,
    id: String(++made),
    projectId: 'p',
    at: new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString(),
    ...detail,
  },
});
const ANSWER = { answerId: 'a', respondentId: 'ann', surveyId: 'sv_1' };
const WORDS = { text: 'SECRET', traits: { plan: 'SECRET' }, contact: 'SECRET' };
const response = (minute: number, detail: object = {}) =>
  anEvent('Response Recorded', minute, { ...ANSWER, ...WORDS, ...detail });

const once = (stop: () => Promise<void>) => {
  let stopping: Promise<void> | undefined;
  return () => (stopping ??= stop());
};

/** Opens a folder with events that no receiver accepts. */
function open(folder: string) {
  const taken: string[] = [];
  const print = async (line: string) => {
    taken.push(line);
    throw new Error('not taken');
  };
  const events = openLocalEvents({ target: { print }, folder, onFailure: () => undefined });
  const stop = once(events.stop);
  onTestFinished(stop);
  return { ...events, stop, taken, file: () => readFileSync(join(folder, 'events.db'), 'utf8') };
}

test('removes personal data from waiting events once the retention period of their answer has ended', async () => {
  const events = open(temporaryFolder());
  const waiting = (until: number, detail: object = {}) => ({
    ...response(1, detail),
    textUntil: new Date(until).toISOString(),
  });
  const kept = { text: 'KEPT', traits: null, contact: null };
  await events.outlet.send([waiting(Date.now() - 1), waiting(Date.now() + DAY, kept)]);
  await until(() => events.taken.length >= 2);
  expect(events.file()).not.toContain('SECRET');
  expect(events.last().map(({ detail }) => detail.text)).toEqual(['KEPT', null]);
  await events.stop();
  const sent = events.taken.map((line) => JSON.parse(line));
  expect(new Set(sent.map(({ detail }) => detail.text))).toEqual(new Set([null, 'KEPT']));
  expect(events.taken.join()).not.toMatch(/SECRET|textUntil/);
});

test.each<[EventType, object]>([
  ['Respondent Erased', { respondentId: 'ann' }],
  ['Response Withdrawn', { ...ANSWER, text: null, traits: null, contact: null }],
  ['Survey Purged', { surveyId: 'sv_1', surveySlug: null, surveyType: null }],
  ['Account Purged', {}],
])(
  'removes personal data from waiting and overtaken events on %s, but not from others',
  async (type, detail) => {
    const folder = temporaryFolder();
    const events = open(folder);
    const before = response(1);
    const another = response(1, {
      answerId: 'b',
      respondentId: 'bob',
      surveyId: 'sv_2',
      projectId: 'q',
      text: 'KEPT',
      traits: null,
      contact: null,
    });
    await events.outlet.send([before, another]);
    expect(events.file()).toContain('SECRET');
    await events.outlet.send([anEvent(type, 2, detail)]);
    expect(events.file()).not.toContain('SECRET');
    const overtaken = response(2);
    await events.outlet.send([overtaken]);
    await events.stop();

    const again = open(folder);
    await again.outlet.send([response(2)]);
    expect(again.file()).not.toContain('SECRET');
    expect(again.file()).toContain('KEPT');
    expect(JSON.stringify(events.last())).not.toContain('SECRET');
    const told = again.taken.map((line) => JSON.parse(line));
    for (const {
      detail: { id },
    } of [before, overtaken]) {
      const event = told.find((each) => each.detail.id === id);
      expect(event.detail).toMatchObject({ ...ANSWER, text: null, traits: null, contact: null });
    }
    await again.outlet.send([response(3)]);
    expect(again.file()).toContain('SECRET');
  },
);
