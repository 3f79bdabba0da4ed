import { describe, expect, it } from 'vitest';
import type { CanvassClient } from '../../../sdk/server/canvass-client.ts';
import type { Scripted } from '../../support/stand-ins/scripted-fetch.ts';
import { scriptedClient } from '../../support/stand-ins/scripted-server-client.ts';

const CALLS: readonly [string, (client: CanvassClient) => Promise<unknown>][] = [
  ['mintTokens', (client) => client.mintTokens({ respondentId: 'ann', sessionId: 's' })],
  ['deferredAskLink', (client) => client.deferredAskLink({ respondentId: 'ann' })],
  ['pendingScores', (client) => client.pendingScores()],
  ['ackScores', (client) => client.ackScores([{ id: 'r', state: 'delivered' }])],
  ['exportResponses', (client) => client.exportResponses()],
  ['erase', (client) => client.erase({ respondentId: 'ann' })],
  ['results', (client) => client.results({ surveySlug: 'x' })],
  ['comments', (client) => client.comments({ surveySlug: 'x' })],
  ['surveys', (client) => client.surveys()],
];

describe.each(CALLS)('a reply to %s', (_name, call) => {
  it.each(['null', '{}', '[]', '"tokens"', '{"then":1}', '', '['.repeat(200_000)])(
    'with status 200 and the body %.12s is unexpected',
    async (body) => {
      const { client, requests } = scriptedClient(new Response(body));
      await expect(call(client)).rejects.toMatchObject({ status: 200, code: 'unexpected_reply' });
      expect(requests).toHaveLength(1);
    },
  );
});

it('accepts a reply with new fields', async () => {
  const { client } = scriptedClient(Response.json({ surveys: [], learnt: { since: 1 } }));
  expect(await client.surveys()).toEqual({ surveys: [], learnt: { since: 1 } });
});

describe('an error message', () => {
  const messageOf = async (reply: Scripted) => {
    const { client } = scriptedClient(reply);
    const options = { deadlineMs: 50 };
    return client.exportResponses({ respondentId: 'ann' }, options).catch((error: Error) => error.message);
  };
  it("contains a refusal's code and the invalid fields", async () => {
    const issues = [{ path: 'email', message: 'must be one' }];
    const error = { code: 'invalid_request', message: 'A field is wrong.', requestId: 'r', issues };
    expect(await messageOf(Response.json({ error }, { status: 400 }))).toBe(
      'invalid_request: A field is wrong. (email: must be one)',
    );
  });

  it('contains how long a busy service asks to wait', async () => {
    const error = { code: 'rate_limited', message: 'Busy.', requestId: 'r' };
    const { client } = scriptedClient(
      Response.json({ error }, { status: 429, headers: { 'retry-after': '3600' } }),
    );
    await expect(client.surveys()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 3_600 });
    const plain = scriptedClient(
      Response.json({ error: { ...error, code: 'invalid_key' } }, { status: 401 }),
    );
    await expect(plain.client.surveys()).rejects.toMatchObject({ retryAfter: undefined });
  });

  it('identifies the client to the service', async () => {
    const { client, requests } = scriptedClient(Response.json({ surveys: [] }));
    await client.surveys();
    expect(requests[0]?.headers.get('user-agent')).toMatch(/^canvass-server-js\//);
  });

  const NOT_OURS = "which is not a reply of the service. Is baseUrl the service's address?";

  it("contains where a redirect leads, without the addresses' secrets", async () => {
    const headers = { location: 'https://login.test/sso?back=ann' };
    expect(await messageOf(new Response('', { status: 302, headers }))).toBe(
      `unexpected_reply: GET https://canvass.test/v1/privacy/export: HTTP 302 to https://login.test/sso, ${NOT_OURS}`,
    );
    const relative = new Response('', { status: 301, headers: { location: '/login' } });
    expect(await messageOf(relative)).toContain('HTTP 301 to https://canvass.test/login,');
    const broken = new Response('', { status: 301, headers: { location: 'http://' } });
    expect(await messageOf(broken)).toContain('HTTP 301,');
  });

  it('mentions that the reply is a web page', async () => {
    const page = new Response('<html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(await messageOf(page)).toBe(
      `unexpected_reply: GET https://canvass.test/v1/privacy/export: HTTP 200 with text/html, ${NOT_OURS}`,
    );
  });

  it('does not doubt the address of a busy gateway', async () => {
    for (const status of [429, 413, 503])
      expect(await messageOf(Response.json({ message: 'Busy' }, { status }))).not.toContain('baseUrl');
  });

  it('contains host and reason if there is no reply', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const where = 'GET https://canvass.test/v1/privacy/export';
    expect(await messageOf(new TypeError('fetch failed', { cause: refused }))).toBe(
      `network_error: ${where}: no reply (ECONNREFUSED)`,
    );
    const bare = Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' });
    expect(await messageOf(bare)).toBe(`network_error: ${where}: no reply (ConnectionRefused)`);
    const told = new TypeError('fetch failed', { cause: new Error('unable to verify the certificate') });
    expect(await messageOf(told)).toBe(
      `network_error: ${where}: no reply (unable to verify the certificate)`,
    );
    expect(await messageOf(new Error('Network connection lost.'))).toBe(
      `network_error: ${where}: no reply (Network connection lost.)`,
    );
  });
});

/** An iteration that requests one page too many fails with this reply. */
const TOO_FAR = Response.json({}, { status: 400 });

describe('a sequence of pages', () => {
  const read = async (pages: AsyncIterable<unknown>) => {
    const items: unknown[] = [];
    for await (const item of pages) items.push(item);
    return items;
  };
  const sequences: readonly [string, string, (client: CanvassClient) => AsyncIterable<unknown>][] = [
    ['eachPendingScore', 'scores', (client) => client.eachPendingScore()],
    ['eachComment', 'comments', (client) => client.eachComment({ surveySlug: 'x' })],
  ];

  it.each(sequences)('%s ends with a null cursor', async (_name, field, each) => {
    const { client, requests } = scriptedClient(
      Response.json({ [field]: [1], nextCursor: 'c-1' }),
      Response.json({ [field]: [2], nextCursor: null }),
      TOO_FAR,
    );
    expect(await read(each(client))).toEqual([1, 2]);
    expect(requests.map(({ url }) => new URL(url).searchParams.get('cursor'))).toEqual([null, 'c-1']);
  });

  it.each(sequences)('%s ends with a repeated cursor', async (_name, field, each) => {
    const page = Response.json({ [field]: [1], nextCursor: 'c-1' });
    const { client, requests } = scriptedClient(page, page, TOO_FAR);
    expect(await read(each(client))).toEqual([1, 1]);
    expect(requests).toHaveLength(2);
  });
});
