import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerableBinding } from '../../../sdk/server/answers.ts';
import { type CanvassClient, createCanvassClient } from '../../../sdk/server/canvass-client.ts';
import { CanvassError } from '../../../sdk/server/canvass-error.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { surveyOf } from '../../support/fixtures/tokens.ts';
import { createRandom } from '../../support/random.ts';
import { serveService } from '../../support/service/served-service.ts';
import { createVirtualTimers, START } from '../../support/service/test-clock.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';
import { scriptedClient } from '../../support/stand-ins/scripted-server-client.ts';

const BINDING = { surveyId: 'sv_1', showToken: 'token', slug: 'nps', taskType: 'refund' };
const lost = new TypeError('fetch failed');
const json = (status: number, body: object) => Response.json(body, { status });
/** The time of the refusal by the service's clock, which differs from the client's. */
const DATE = 'Sun, 01 Nov 2026 12:00:00 GMT';
const WITHIN_THE_CALL = '2026-11-01T11:59:59.900Z';
const BEFORE_THE_CALL = '2026-11-01T11:59:57.000Z';
const used = (kind: string, status = 409, at = WITHIN_THE_CALL, date = DATE, more = {}) =>
  Response.json(
    { error: { code: 'token_used', message: '', requestId: '', details: { id: 'r1', at, kind, ...more } } },
    { status, headers: { date } },
  );
const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof CanvassError ? error.code : 'none';
};

describe('a used token', () => {
  const silences: readonly [string, Error | Response][] = [
    ['no reply', lost],
    ["a gateway's 504", new Response('<html>', { status: 504 })],
    ["the service's 503", json(503, { error: { code: 'temporarily_unavailable', message: '' } })],
  ];

  it.each(silences)('succeeds if the same call stored it after %s', async (_, silence) => {
    const { client } = scriptedClient(silence, used('response'));
    expect(await client.rate(BINDING, { rating: 1 })).toEqual({ ok: true, id: 'r1', at: WITHIN_THE_CALL });
    const dismissing = scriptedClient(silence, used('dismissal', 401)).client;
    expect(await dismissing.dismiss(BINDING)).toEqual({ ok: true, id: 'r1', at: WITHIN_THE_CALL });
  });

  it.each(silences)(
    'fails if an answer from before the call or another token used it, after %s',
    async (_, silence) => {
      const { client } = scriptedClient(silence, used('response', 409, BEFORE_THE_CALL));
      expect(await codeOf(client.rate(BINDING, { rating: 1 }))).toBe('token_used');
      const dismissing = scriptedClient(silence, used('dismissal', 401, BEFORE_THE_CALL)).client;
      expect(await codeOf(dismissing.dismiss(BINDING))).toBe('token_used');
      const others = used('response', 409, WITHIN_THE_CALL, DATE, { by: 'other-token' });
      expect(await codeOf(scriptedClient(silence, others).client.rate(BINDING, { rating: 1 }))).toBe(
        'token_used',
      );
    },
  );

  it("fails if the answer's time cannot be read", async () => {
    const { client } = scriptedClient(lost, used('response', 409, 'then'));
    expect(await codeOf(client.rate(BINDING, { rating: 1 }))).toBe('token_used');
  });

  it("is judged by the client's clock if the refusal has no date", async () => {
    const began = new Date(START).toISOString();
    const own = scriptedClient(lost, used('response', 409, began, '')).client;
    expect(await own.rate(BINDING, { rating: 1 })).toMatchObject({ at: began });
    const earlier = new Date(START - 3_000).toISOString();
    const others = scriptedClient(lost, used('response', 409, earlier, '')).client;
    expect(await codeOf(others.rate(BINDING, { rating: 1 }))).toBe('token_used');
  });

  it('fails at the first attempt, or after refusals alone', async () => {
    const busy = json(429, { error: { code: 'rate_limited', message: '', requestId: '' } });
    expect(await codeOf(scriptedClient(used('response')).client.rate(BINDING, { rating: 1 }))).toBe(
      'token_used',
    );
    expect(await codeOf(scriptedClient(busy, used('response')).client.rate(BINDING, { rating: 1 }))).toBe(
      'token_used',
    );
  });

  it('fails if the other kind of answer used it', async () => {
    const { client } = scriptedClient(lost, used('dismissal'));
    expect(await codeOf(client.rate(BINDING, { rating: 1 }))).toBe('token_used');
    const dismissing = scriptedClient(lost, used('response', 401)).client;
    expect(await codeOf(dismissing.dismiss(BINDING))).toBe('token_used');
    const revising = scriptedClient(lost, used('dismissal')).client;
    expect(await codeOf(revising.revise(BINDING, { revision: 1, rating: 1 }))).toBe('token_used');
  });
});

it('sends only what the token attests, never `key`', async () => {
  const { client, requests } = scriptedClient(json(201, { ok: true, id: 'r1', at: 'now' }));
  await client.rate({ ...BINDING, sessionId: 's' }, { rating: 9, text: 'Thanks' });
  expect(await requests[0]?.json()).toEqual({
    surveyId: 'sv_1',
    showToken: 'token',
    sessionId: 's',
    rating: 9,
    text: 'Thanks',
  });
});

describe('the service, called through the client', () => {
  let service: TestService;
  let gateway: Awaited<ReturnType<typeof serveService>>;
  let tenant: Tenant;
  let client: CanvassClient;
  beforeAll(async () => {
    service = await createTestService();
    gateway = await serveService(service);
  });
  beforeEach(async () => {
    const survey = aSurvey({ reasonCodes: ['slow'] });
    tenant = await service.tenant({ limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } }, [survey]);
    client = createCanvassClient({ baseUrl: gateway.url, secretKey: tenant.secretKey });
  });
  afterAll(() => gateway.stop(0));

  let sessions = 0;
  async function aBinding(by: CanvassClient): Promise<AnswerableBinding> {
    sessions += 1;
    const { bindings } = await by.mintTokens({ respondentId: `p-${sessions}`, sessionId: `s-${sessions}` });
    const [binding] = Object.values(bindings);
    if (binding === undefined) throw new Error('nothing was minted');
    return binding;
  }
  const stored = async () => (await client.exportResponses()).responses;

  it('rates, revises, withdraws and dismisses with a binding', async () => {
    const binding = await aBinding(client);
    const { id } = await client.rate(binding, { rating: 8, text: 'Good', followUpRequested: true });
    const change = { revision: 1, rating: 3, reasons: ['unknown', 'slow'] };
    expect(await client.revise(binding, change)).toMatchObject({ id, revision: 1, dropped: ['reasons.0'] });
    expect(await stored()).toMatchObject([{ id, rating: 3, reasons: ['slow'] }]);
    expect(await client.withdraw(binding, { revision: 2 })).toMatchObject({ id, revision: 2 });
    expect(await stored()).toMatchObject([
      { id, withdrawn: true, surveyId: surveyOf(tenant), verified: true },
    ]);
    expect(await client.dismiss(await aBinding(client))).toMatchObject({ ok: true });
  });

  it("rates with a link's token, which contains its session", async () => {
    const link = await client.deferredAskLink({
      respondentId: 'ann',
      surveyId: surveyOf(tenant),
      sessionId: 's',
    });
    if (!link.ok) throw new Error(link.reason);
    expect(await client.rate(link, { rating: 7 })).toMatchObject({ ok: true });
  });

  it('never rates twice on a network that loses requests and replies', async () => {
    const random = createRandom(7);
    const faulty: typeof fetch = async (input, init) => {
      if (random() < 0.3) throw new TypeError('the request was lost');
      const reply = await fetch(input, init);
      if (random() < 0.4) throw new TypeError('the reply was lost');
      // The gateway uses the system's clock, the service the test's.
      const headers = {
        ...Object.fromEntries(reply.headers),
        date: new Date(service.clock.now()).toUTCString(),
      };
      return new Response(await reply.text(), { status: reply.status, headers });
    };
    const timers = createVirtualTimers(service.clock, () => 0.5);
    const unlucky = createCanvassClient({
      baseUrl: gateway.url,
      secretKey: tenant.secretKey,
      fetch: faulty,
      timers,
      deadlineMs: 600_000,
    });
    const last = new Map<string, number>();
    for (let rating = 0; rating <= 10; rating += 1) {
      const binding = await aBinding(client);
      const { id } = await unlucky.rate(binding, { rating });
      await unlucky.revise(binding, { revision: 1, rating: 10 - rating });
      last.set(id, 10 - rating);
    }
    const rows = await stored();
    expect(rows).toHaveLength(11);
    expect(new Map(rows.map(({ id, rating }) => [id, rating]))).toEqual(last);
    expect(rows.every(({ revision }) => revision === 1)).toBe(true);
  });
});
