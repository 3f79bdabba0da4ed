import { describe, expect, it, vi } from 'vitest';
import type { Client } from '../../../../sdk/browser/client/modules.ts';
import * as refused from '../../../../sdk/browser/client/refused.ts';
import type { Binding } from '../../../../sdk/browser/client/survey.ts';
import { ownMessage } from '../../../../sdk/browser/thumbs/own-buttons.ts';
import { LINK_PAGE_STRINGS } from '../../../../shared/words/link-page-strings.ts';
import { fakeService, load, minutes, useFakePage } from '../support/fake-service.ts';

useFakePage();

const BINDING = { surveyId: 'sv_1', showToken: 'token', sessionId: 'session' };
const SAID = { text: 'Slow', reasons: ['slow'] };
const { failed } = LINK_PAGE_STRINGS.de;

function open() {
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('document', { createElement: () => ({ append: () => {} }) });
  const page = load();
  const emitted: [string, unknown][] = [];
  const lifetime = new AbortController();
  const client = {
    ...page,
    options: { key: 'svc_pk_1', baseUrl: 'https://service', locale: 'de' },
    storage: page,
    person: { name: 'ann', traits: {}, id: () => 'ann' },
    eligibility: { markOf: () => 1 },
    emit: (event: string, detail: unknown) => emitted.push([event, detail]),
    signal: lifetime.signal,
    load: async () => refused,
    placeOf: () => ({}),
  } as unknown as Client;
  const message = (binding: Partial<Binding> = BINDING) => ownMessage(client, binding);
  return { client, lifetime, emitted, message, read: page.read };
}

const refusal = (code: string, status = 401, details = {}) => ({
  status,
  body: { error: { code, details } },
});
const REFUSED = { status: 'refused', surveyId: 'sv_1', rating: 0, ...SAID, binding: BINDING };

describe('the promise of a rating', () => {
  it.each([
    ['it is stored', { status: 201 }, { status: 'stored' }],
    ['nobody replies', 'lost' as const, { status: 'waiting' }],
    ['a proxy replies', { status: 403, body: '<html>' }, { status: 'waiting' }],
    ['the service is busy', { status: 503, body: refusal('unavailable').body }, { status: 'waiting' }],
    ['too many call', { status: 429, headers: { 'retry-after': '60' } }, { status: 'waiting' }],
    [
      'its token has expired',
      refusal('token_expired'),
      { ...REFUSED, code: 'token_expired', sentence: failed },
    ],
    ['it is too large', { status: 413, body: '<html>' }, { ...REFUSED, code: undefined, sentence: failed }],
    [
      'the project is suspended',
      refusal('project_suspended', 403),
      { ...REFUSED, code: 'project_suspended', sentence: failed },
    ],
  ])('tells what became of it if %s', async (_, reply, expected) => {
    fakeService(() => reply);
    const { message, emitted, read } = open();
    const delivery = message()?.rate(0, SAID);
    expect(read().ratings).toMatchObject([{ rating: 0, open: true }]);
    expect(await delivery).toEqual(expected);
    await vi.dynamicImportSettled();
    const events = expected.status === 'refused' ? ['rated', 'error', 'refused'] : ['rated'];
    expect(emitted.map(([event]) => event)).toEqual(events);
    if (expected.status !== 'refused') return;
    const { status: _status, ...told } = expected;
    expect(emitted[2]?.[1]).toEqual(told);
    expect(JSON.stringify(emitted[1])).not.toContain('Slow');
  });

  it('tells that another choice of the message was stored, if that came first', async () => {
    fakeService(() => ({ status: 201 }));
    const { message } = open();
    const own = message();
    const deliveries = Promise.all([own?.rate(0, SAID), own?.rate(1), own?.rate(1)]);
    await minutes(1);
    expect(await deliveries).toEqual([{ status: 'stored' }, { status: 'stored' }, { status: 'waiting' }]);
    expect(await own?.rate(1)).toEqual({ status: 'stored' });
  });

  it('tells that a choice lost to a newer one of another device', async () => {
    const sent = fakeService((_, count) =>
      count > 1 ? refusal('revision_conflict', 409, { revision: 5 }) : { status: 201 },
    );
    const { message } = open();
    const own = message();
    await own?.rate(1);
    const delivery = own?.rate(0, SAID);
    vi.setSystemTime(Date.now() + 120_000);
    expect(await delivery).toMatchObject({ ...REFUSED, code: 'revision_conflict' });
    expect(sent).toHaveLength(2);
  });

  it('tells that it waits if the reply is late, and sends it again', async () => {
    const sent = fakeService((_, count) => (count === 1 ? new Promise(() => {}) : { status: 201 }));
    const { message, read } = open();
    const delivery = message()?.rate(1);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(await delivery).toEqual({ status: 'waiting' });
    await minutes(1);
    expect(sent).toHaveLength(2);
    expect(read().ratings).toMatchObject([{ rating: 1, open: false }]);
  });

  it('tells that it waits if the client ends first', async () => {
    fakeService(() => new Promise(() => undefined));
    const { message, lifetime } = open();
    const delivery = message()?.rate(1);
    lifetime.abort();
    expect(await delivery).toEqual({ status: 'waiting' });
  });

  it.each([
    ['the token is missing', { ...BINDING, showToken: '' }, ['error']],
    ['the session is missing', { ...BINDING, sessionId: '' }, ['error']],
    ["it is another person's", { ...BINDING, showToken: 'theirs' }, []],
  ])('tells that the client did not take it if %s', async (_, binding, events) => {
    const sent = fakeService(() => ({ status: 201 }));
    const { client, message, emitted } = open();
    const own = message(binding);
    client.person.name = 'ben';
    expect(await own?.rate(0, SAID)).toEqual({ ...REFUSED, binding });
    expect(emitted.map(([event]) => event)).toEqual(events);
    await minutes(1);
    expect(sent).toEqual([]);
  });
});

it('does nothing on a server or after the end', () => {
  const { message, lifetime, emitted } = open();
  lifetime.abort();
  vi.unstubAllGlobals();
  expect(message()).toBeUndefined();
  expect(emitted).toEqual([]);
});
