import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCanvassClient } from '../../../sdk/server/canvass-client.ts';
import { CanvassError } from '../../../sdk/server/canvass-error.ts';
import type { AckResult } from '../../../sdk/server/contract-types.ts';
import { BODY_LIMIT_BYTES } from '../../../shared/contract/route.ts';
import { ACK_RESULTS } from '../../../shared/contract/score-schemas.ts';
import { createPushSetting, type PushSetting } from '../../support/service/push-setting.ts';
import { START } from '../../support/service/test-clock.ts';
import { scriptedClient } from '../../support/stand-ins/scripted-server-client.ts';

const KEY = 'svc_sk_p1_secret';
const INPUT = { respondentId: 'ann', sessionId: 's-1' };
const reset = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
const json = (status: number, body: object, headers = {}) => Response.json(body, { status, headers });
const MINTED = { tokens: {}, bindings: {}, suppression: [], issuedAt: '2026-11-20T09:30:00.000Z' };

const errorOf = async (call: Promise<unknown>): Promise<CanvassError> => {
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CanvassError);
  return error as CanvassError;
};

describe('the service, called through the client', () => {
  let setting: PushSetting;
  beforeEach(async () => {
    setting = await createPushSetting();
  });
  afterEach(() => setting.stop());

  it('lists scores page by page and as one sequence, and acknowledges', async () => {
    const { client } = setting;
    const ids = await setting.answers(5);
    const page = await client.pendingScores({ limit: 2 });
    expect(page.scores.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(page.nextCursor).toEqual(expect.any(String));
    const swept: string[] = [];
    for await (const { id } of client.eachPendingScore({ limit: 2 })) swept.push(id);
    expect(swept).toEqual(ids);

    const results: AckResult[] = ids.map((id) => ({ id, state: 'failed', error: 'no such trace' }));
    expect(await client.ackScores(results)).toEqual({ ok: true, updated: 5 });
    const failed = await client.pendingScores({ includeFailed: true });
    expect(failed.scores[4]).toMatchObject({ lastError: 'no such trace' });
  });

  it('turns a refusal into an error with status, code, request id and issues', async () => {
    const { tenant, client, url } = setting;
    const error = await errorOf(client.mintTokens({ respondentId: 'ann', sessionId: '' }));
    expect(error).toMatchObject({ name: 'CanvassError', status: 400, code: 'invalid_request' });
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(error.issues).toMatchObject([{ path: 'sessionId' }]);
    const stranger = createCanvassClient({ baseUrl: url, secretKey: `${tenant.secretKey.slice(0, -1)}~` });
    expect(await errorOf(stranger.pendingScores())).toMatchObject({ status: 401, code: 'invalid_key' });
  });
});

describe('requests', () => {
  it('carry the key in a header, follow no redirect, and encode the query', async () => {
    const { client, requests } = scriptedClient(json(200, { scores: [] }));
    await client.pendingScores({ limit: 5, includeFailed: true, cursor: 'a+b&c' });
    const [request] = requests;
    expect(request?.headers.get('authorization')).toBe(`Bearer ${KEY}`);
    expect(request?.redirect).toBe('manual');
    const { pathname, searchParams } = new URL(request?.url ?? '');
    expect(pathname).toBe('/v1/sdk/pending-scores');
    expect(Object.fromEntries(searchParams)).toEqual({ limit: '5', includeFailed: 'true', cursor: 'a+b&c' });
  });

  it('split many long acks into sizes that the service accepts', async () => {
    const { client, requests } = scriptedClient(json(200, { ok: true, updated: 1 }));
    const results: AckResult[] = Array.from({ length: 250 }, (_, index) => ({
      id: `id-${index}`,
      state: 'failed',
      error: '😀'.repeat(500),
    }));
    const short: AckResult[] = Array.from({ length: 250 }, (_, index) => ({
      id: `${index}`,
      state: 'delivered',
    }));
    expect((await client.ackScores([...results, ...short])).updated).toBe(requests.length);
    const bodies = await Promise.all(requests.map((request) => request.text()));
    const sent = bodies.map((body) => JSON.parse(body).results);
    for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(BODY_LIMIT_BYTES);
    for (const batch of sent) expect(batch.length).toBeLessThanOrEqual(ACK_RESULTS);
    expect(sent.flat()).toEqual([...results, ...short]);
    expect(await client.ackScores([])).toEqual({ ok: true, updated: 0 });
  });
});

describe('retries', () => {
  it.each([
    ['a network error', reset()],
    ['429', json(429, { error: { code: 'rate_limited', message: '', requestId: '' } })],
    ['500', json(500, {})],
    ['503 from a proxy', new Response('<html>', { status: 503 })],
  ])('follow %s, with doubling back-off and full jitter', async (_name, failure) => {
    const { client, moments } = scriptedClient(failure, failure, failure, json(200, MINTED));
    expect(await client.mintTokens(INPUT)).toEqual(MINTED);
    // Jitter is fixed at one half: 100, 200 and 400 ms.
    expect(moments.map((moment) => moment - START)).toEqual([0, 100, 300, 700]);
  });

  it.each([
    ['seconds', '3', 3_100],
    ['a date', new Date(START + 7_000).toUTCString(), 7_100],
    ['a date gone by', new Date(START - 7_000).toUTCString(), 100],
    ['nonsense', 'soon', 100],
    ['a negative number', '-1', 100],
  ])('honor `Retry-After` as %s', async (_name, header, wait) => {
    const { client, moments } = scriptedClient(json(429, {}, { 'retry-after': header }), json(200, MINTED));
    await client.mintTokens(INPUT);
    expect(moments.map((moment) => moment - START)).toEqual([0, wait]);
  });

  it.each([400, 401, 403, 404, 409, 302])('do not follow %i', async (status) => {
    const { client, requests } = scriptedClient(json(status, {}));
    expect(await errorOf(client.mintTokens(INPUT))).toMatchObject({ status, code: 'unexpected_reply' });
    expect(requests).toHaveLength(1);
  });

  it('end inside the deadline with the last error', async () => {
    const { client, clock, requests } = scriptedClient(json(503, {}));
    expect(await errorOf(client.mintTokens(INPUT, { deadlineMs: 5_000 }))).toMatchObject({ status: 503 });
    expect(clock.now() - START).toBeLessThan(5_000);
    expect(requests.length).toBeGreaterThan(3);
  });

  it('do not begin if `Retry-After` exceeds the deadline', async () => {
    const { client, clock, requests } = scriptedClient(json(429, {}, { 'retry-after': '60' }));
    expect(await errorOf(client.mintTokens(INPUT))).toMatchObject({ status: 429 });
    expect([requests.length, clock.now()]).toEqual([1, START]);
  });

  it('report the kind of missing reply', async () => {
    const cut = { deadlineMs: 100 };
    expect(await errorOf(scriptedClient(reset()).client.mintTokens(INPUT, cut))).toMatchObject({
      status: 0,
      code: 'network_error',
    });
    const hang = (request: Request) =>
      new Promise<Response>((_resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
      });
    expect(await errorOf(scriptedClient(hang).client.mintTokens(INPUT, { deadlineMs: 1 }))).toMatchObject({
      status: 0,
      code: 'timeout',
    });
  });

  it("stop on the caller's signal, with its reason", async () => {
    const stop = new AbortController();
    const { client, requests } = scriptedClient(() => {
      stop.abort(new Error('enough'));
      throw reset();
    });
    await expect(client.mintTokens(INPUT, { signal: stop.signal })).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });

  it('treat a truncated reply as missing, and one that is not JSON as an error', async () => {
    const cutOff = () => new Response(new ReadableStream({ start: (stream) => stream.error(reset()) }));
    expect(await scriptedClient(cutOff, json(200, MINTED)).client.mintTokens(INPUT)).toEqual(MINTED);
    const { client, requests } = scriptedClient(
      new Response('<html>', { headers: { 'x-request-id': 'r-1' } }),
    );
    expect(await errorOf(client.mintTokens(INPUT))).toMatchObject({
      status: 200,
      code: 'unexpected_reply',
      requestId: 'r-1',
    });
    expect(requests).toHaveLength(1);
  });
});
