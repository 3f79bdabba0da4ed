import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { LINK_PAGE_STRINGS } from '../../../../shared/words/link-page-strings.ts';
import { fakeService, fakeStorage, load, minutes, useFakePage } from '../support/fake-service.ts';

/** The reply if the answer was already stored. */
const USED = { status: 409, body: { error: { code: 'token_used' } } } as const;

useFakePage();

function answered() {
  const page = load();
  page.answer('token');
  return page;
}

function expectSettled({ read, refused }: ReturnType<typeof load>): void {
  expect(read().outbox).toEqual([]);
  expect(refused).toEqual([]);
}

describe('an answer', () => {
  it('is sent at once as a simple request that survives the page, without cookies', async () => {
    const sent = fakeService(() => ({ status: 201 }));
    const page = answered();
    await page.flush();
    expect(sent).toMatchObject([
      { url: 'https://service/v1/sdk/responses', body: { showToken: 'token', rating: 9 } },
    ]);
    expect(sent[0]?.init).toMatchObject({ method: 'POST', keepalive: true, credentials: 'omit' });
    expect(sent[0]?.init.headers).toBeUndefined();
    expect(page.read().outbox).toEqual([]);
  });

  it('is kept without a reply and retried with doubling pauses', async () => {
    const sent = fakeService((_, count) => (count < 5 ? 'lost' : { status: 201 }));
    const page = answered();
    await minutes(5);
    expect(sent.map(({ at }) => (at - (sent[0]?.at ?? 0)) / 1_000)).toEqual([0, 1, 3, 7, 15]);
    expectSettled(page);
  });

  it('is sent again if the first reply is late, and so is what was answered in the meantime', async () => {
    const sent = fakeService(({ body }, count) =>
      count === 1 || (body.showToken === 'next' && count === 2) ? new Promise(() => {}) : { status: 201 },
    );
    const page = load();
    page.answer('token');
    page.answer('next');
    await minutes(0.5);
    const attempts = sent.map(({ at, body }) => [(at - (sent[0]?.at ?? 0)) / 1_000, body.showToken]);
    expect(attempts).toEqual([
      [0, 'token'],
      [0, 'next'],
      [13, 'token'],
      [13, 'next'],
    ]);
    expectSettled(page);
  });

  it('is retried every few minutes, however many tries failed', async () => {
    const sent = fakeService(() => 'lost');
    load().answer('token');
    await minutes(60 * 24);
    const pauses = sent.slice(1).map(({ at }, before) => at - (sent[before]?.at ?? 0));
    expect(Math.max(...pauses)).toBe(512_000);
  });

  it.each([500, 502, 503])('is kept after %i', async (status) => {
    const sent = fakeService((_, count) => ({ status: count === 1 ? status : 201 }));
    load().answer('token');
    await minutes(1);
    expect(sent).toHaveLength(2);
  });

  it('waits as long as a 429 asks, as does everything else, even on the next page', async () => {
    const sent = fakeService((_, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '120' } } : { status: 201 },
    );
    const page = load();
    page.answer('one');
    await minutes(1);
    page.answer('two');
    expect(await page.post('/v1/sdk/bootstrap', {}, 0)).toMatchObject({ status: 429, retryMs: 60_000 });
    page.leave();
    const next = load();
    await next.flush();
    expect(sent).toHaveLength(1);
    await minutes(1);
    await minutes(1);
    expect(sent.map(({ body }) => body.showToken)).toEqual(['one', 'one', 'two']);
    expect(sent[1]?.at).toBe((sent[0]?.at ?? 0) + 120_000);
  });

  it("waits by itself after a gateway's 429, which names no time", async () => {
    const sent = fakeService((_, count) => ({ status: count === 1 ? 429 : 201 }));
    load().answer('token');
    await minutes(1);
    expect(sent.map(({ at }) => at - (sent[0]?.at ?? 0))).toEqual([0, 1_000]);
  });

  it.each([
    ['an answer', 409],
    ['a dismissal', 401],
  ])('counts as delivered when its token is used: %s whose first reply was lost', async (_, status) => {
    const sent = fakeService((_sent, count) =>
      count === 1 ? 'lost' : { status, body: { error: { code: 'token_used' } } },
    );
    const page = answered();
    await minutes(10);
    expect(sent).toHaveLength(2);
    expectSettled(page);
  });

  it.each([
    ['https://service', 'https://service'],
    ['https://service//', 'https://service'],
    ['https://service/v1', 'https://service'],
    ['https://service/v1/', 'https://service'],
    ['/surveys/', '/surveys'],
    ['', ''],
  ])('reaches the service at the address %o', async (base, origin) => {
    const sent = fakeService(() => ({ status: 201 }));
    const page = load(true, base);
    page.answer('token');
    await page.flush();
    expect(sent.map(({ url }) => url)).toEqual([`${origin}/v1/sdk/responses`]);
  });

  it.each([
    [400, 'rating_out_of_range'],
    [401, 'invalid_token'],
    [403, 'project_suspended'],
    [404, 'survey_not_found'],
  ])('is given up and reported after %i %s', async (status, code) => {
    const sent = fakeService(() => ({ status, body: { error: { code } } }));
    const page = load();
    const said = { surveyId: 'sv_1', text: 'Slow', reasons: ['slow'] };
    page.answer('token', 0, false, 9, { ...said, traits: {} });
    await minutes(10);
    expect(sent).toHaveLength(1);
    expect(page.read().outbox).toEqual([]);
    expect(page.refused).toEqual([{ status, code, missing: undefined }]);
    await vi.dynamicImportSettled();
    expect(page.lost).toEqual([{ ...said, rating: 9, code, sentence: LINK_PAGE_STRINGS.de.failed }]);
  });

  it('shows its words to nobody else', async () => {
    fakeService(() => ({ status: 403, body: { error: { code: 'project_suspended' } } }));
    const page = load(true, 'https://service', { id: () => 'ann' });
    page.answer('token', 0, false, 9, { text: 'Slow' });
    await page.flush();
    await vi.dynamicImportSettled();
    expect([page.refused.length, page.lost]).toEqual([1, []]);
  });

  it.each([
    [{ sessionId: 's' }, ['traceId', 'observationId']],
    [{ sessionId: 's', traceId: 't' }, ['observationId']],
    [{ sessionId: 's', traceId: 't', observationId: 'o' }, []],
  ])('reports missing values after a mismatch: %o', async (given, missing) => {
    fakeService(() => ({ status: 401, body: { error: { code: 'token_mismatch' } } }));
    const page = load();
    page.answer('token', 0, false, 9, given);
    await page.flush();
    expect(page.refused).toEqual([{ status: 401, code: 'token_mismatch', missing }]);
  });

  it.each([
    [200, '<html>Sign in to this network</html>'],
    [200, 'null'],
    [200, '{}'],
    [200, '{"error":{"code":"other"}}'],
    [202, '{"status":"queued"}'],
    [204, ''],
    [400, '<html>'],
    [401, '{}'],
    [403, '<html>'],
    [404, '{"message":"Not Found"}'],
    [408, '<html>'],
    [425, ''],
    [503, '<html>'],
  ])('is kept and sent again after %i %s, which is not from the service', async (status, body) => {
    const sent = fakeService((_, count) => (count < 3 ? { status, body } : { status: 201 }));
    const page = answered();
    await page.flush();
    expect(page.read()).toMatchObject({ outbox: [{ token: 'token' }], seen: {} });
    await minutes(1);
    expect(sent.map(({ at }) => at - (sent[0]?.at ?? 0))).toEqual([0, 1_000, 3_000]);
    expect(page.read()).toMatchObject({ outbox: [], seen: { 1: sent[2]?.at } });
    expect(page.refused).toEqual([]);
  });

  it('is stored once if its reply was corrupted', async () => {
    fakeService((_, count) => (count === 1 ? { status: 201, body: '<html>' } : USED));
    const page = answered();
    await minutes(1);
    expectSettled(page);
  });

  it.each([
    ['nobody', 0, 'lost' as const],
    ['a sign-in page', 200, { status: 200, body: '<html>' }],
    ['a proxy', 404, { status: 404, body: '<html>' }],
  ])('is given up and reported when every token has expired and %s answered', async (_, status, reply) => {
    const sent = fakeService(() => reply);
    const page = answered();
    await minutes(1);
    page.leave();
    vi.setSystemTime(Date.now() + 30 * 24 * 3_600_000);
    const before = sent.length;
    const last = load();
    await last.flush();
    await minutes(60);
    expect(sent).toHaveLength(before + 1);
    expect(last.read().outbox).toEqual([]);
    expect(last.refused).toEqual([{ status, code: undefined, missing: undefined, cause: expect.any(Error) }]);
  });

  it('is given up and reported if it is too large for the gateway, which sends no code', async () => {
    fakeService(() => ({ status: 413, body: '<html>' }));
    const page = answered();
    await page.flush();
    expect(page.refused).toMatchObject([{ status: 413, code: undefined }]);
  });
});

describe('an expired token', () => {
  const EXPIRED = { status: 401, body: { error: { code: 'token_expired' } } } as const;
  const issued = (showTokens: object) => ({ status: 200, body: { surveys: [], showTokens } });
  const bootstraps = (url: string) => url.endsWith('/bootstrap');

  it.each([
    ['an answer', '/v1/sdk/responses', {}, issued({ sv_1: 'fresh' }), ['token', 'bootstrap', 'fresh'], false],
    ['a dismissal', '/v1/dismissals', {}, issued({ sv_1: 'fresh' }), ['token', 'bootstrap', 'fresh'], false],
    ['a person who may not be asked now', '/v1/sdk/responses', {}, issued({}), ['token', 'bootstrap'], true],
    ['a minted token', '/v1/sdk/responses', { sessionId: 's' }, issued({ sv_1: 'fresh' }), ['token'], true],
    ['a service out of reach', '/v1/sdk/responses', {}, 'lost' as const, ['token', 'bootstrap'], false],
    [
      'a fresh one that has expired',
      '/v1/sdk/responses',
      {},
      issued({ sv_1: 'old' }),
      ['token', 'bootstrap', 'old'],
      true,
    ],
  ])(
    'is replaced once if bootstrap issued it and issues another: %s',
    async (_, path, more, reply, order, isLost) => {
      const sent = fakeService(({ url, body }) => {
        if (bootstraps(url)) return reply;
        return body.showToken === 'fresh' ? { status: 201 } : EXPIRED;
      });
      const page = load();
      const body = {
        showToken: 'token',
        surveyId: 'sv_1',
        userId: 'device',
        rating: 9,
        text: 'Slow',
        ...more,
      };
      page.put({ token: 'token', mark: 1, path, body }, 0);
      await page.flush();
      expect(sent.map(({ url, body: { showToken } }) => (bootstraps(url) ? 'bootstrap' : showToken))).toEqual(
        order,
      );
      expect(page.refused).toEqual(isLost ? [expect.objectContaining({ code: 'token_expired' })] : []);
      expect(page.read().outbox).toMatchObject(reply === 'lost' ? [{ token: 'token' }] : []);
      if (order.at(-1) === 'fresh') expect(sent[2]?.body).toEqual({ ...body, showToken: 'fresh' });
    },
  );

  it('is proved by the token of its person only', async () => {
    const sent = fakeService(({ url }) => (bootstraps(url) ? issued({}) : EXPIRED));
    for (const id of ['device', 'ann']) {
      const page = load(false, 'https://service', { id: () => id, token: async () => 'signed' });
      page.answer('token');
      await page.flush();
    }
    const asked = sent.filter(({ url }) => bootstraps(url)).map(({ body }) => body);
    expect(asked).toMatchObject([{ userId: 'device', userToken: 'signed' }, { userId: 'device' }]);
    expect(asked[1]).not.toHaveProperty('userToken');
  });
});

it.each([
  ['the answer', 0, { kind: 'response', at: '2026-11-20T12:00:00Z' }, false],
  ['an answer by a slow clock', 0, { kind: 'response', at: '2026-11-20T11:59:30Z' }, false],
  ['an earlier answer', 0, { kind: 'response', at: '2026-11-20T11:00:00Z' }, true],
  ['an answer, perhaps this one', 1, { kind: 'response', at: '2026-11-20T11:00:00Z' }, false],
  ['a dismissal', 1, { kind: 'dismissal', at: '2026-11-20T12:00:00Z' }, true],
  ['another token', 1, { kind: 'response', at: '2026-11-20T12:00:00Z', by: 'other-token' }, true],
])(
  'reports a token that something else has used: %s, after %i lost replies',
  async (_, lost, details, isLost) => {
    fakeService((_sent, count) =>
      count > lost ? { status: 409, body: { error: { code: 'token_used', details } } } : 'lost',
    );
    const page = answered();
    await minutes(1);
    expect(page.read().outbox).toEqual([]);
    expect(page.refused).toEqual(isLost ? [expect.objectContaining({ code: 'token_used' })] : []);
  },
);

describe('across page loads and tabs', () => {
  it('sends a stored answer from the next page', async () => {
    const sent = fakeService((_, count) => (count === 1 ? 'lost' : { status: 201 }));
    const page = answered();
    await page.flush();
    page.leave();
    await minutes(10);
    expect(sent).toHaveLength(1);
    await load().flush();
    expect(sent.map(({ body }) => body.showToken)).toEqual(['token', 'token']);
  });

  it('does not send what another tab is sending', async () => {
    const sent = fakeService(() => new Promise(() => undefined));
    load().answer('token');
    const other = load();
    await other.flush();
    expect(sent).toHaveLength(1);
  });

  it('remembers the time of delivery per respondent and survey', async () => {
    fakeService(() => ({ status: 201 }));
    const page = answered();
    await minutes(1);
    expect(page.read().seen).toEqual({
      1: Date.parse('2026-11-20T12:00:00Z'),
      '@device': Date.parse('2026-11-20T12:00:00Z'),
    });
  });

  it('sends an interrupted answer again, after half a minute at the earliest', async () => {
    const sent = fakeService((_, count) => (count === 1 ? new Promise(() => undefined) : USED));
    const dying = load();
    dying.answer('token');
    dying.leave();
    const next = load();
    await next.flush();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(2);
    expect(next.read().outbox).toEqual([]);
  });

  it('keeps the newest twenty answers', async () => {
    fakeService(() => 'lost');
    const page = load();
    for (let count = 0; count < 25; count++) page.answer(`token-${count}`);
    await page.flush();
    const kept = page.read().outbox.map(({ token }) => token);
    expect(kept).toHaveLength(20);
    expect(new Set(kept)).toEqual(new Set(Array.from({ length: 20 }, (_, at) => `token-${at + 5}`)));
  });
});

describe('a draft', () => {
  it('is held, replaced by the next, and sent once', async () => {
    const sent = fakeService(() => ({ status: 201 }));
    const page = load();
    page.answer('token', 600_000, false, 3);
    page.answer('token', 600_000, true, 4);
    await minutes(9);
    expect(sent).toHaveLength(0);
    page.answer('token', 0, true, 5);
    await minutes(20);
    expect(sent.map(({ body }) => body.rating)).toEqual([5]);
  });

  it('is sent after a while, and ignores later changes', async () => {
    const sent = fakeService(() => ({ status: 201 }));
    const page = load();
    page.answer('token', 600_000, false, 3);
    await minutes(10);
    page.answer('token', 0, true, 4);
    await minutes(20);
    expect(sent.map(({ body }) => body.rating)).toEqual([3]);
  });
});

it('delivers each answer once on any network, and never again after a final reply', async () => {
  const outcome = fc.constantFrom('lost', 'lost-after', 500, 503, 429, 404, 204, 201);
  const step = fc.constantFrom('wait', 'reload');
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcome, { maxLength: 12 }),
      fc.array(step, { maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
      async (outcomes, steps, count) => {
        fakeStorage();
        const taken: string[] = [];
        const settled = new Set<string>();
        fakeService(({ body }, request) => {
          const token = String(body.showToken);
          expect(settled).not.toContain(token);
          const what = outcomes[request - 1] ?? 201;
          const used = taken.includes(token);
          if (what === 'lost') return 'lost';
          if (typeof what === 'number' && what !== 201) return { status: what };
          if (!used) taken.push(token);
          if (what === 'lost-after') return 'lost';
          settled.add(token);
          return used ? USED : { status: 201 };
        });
        let page = load();
        for (let each = 0; each < count; each++) page.answer(`token-${each}`);
        for (const each of steps) {
          if (each === 'wait') await minutes(1);
          else {
            page.leave();
            page = load();
            await page.flush();
          }
        }
        await minutes(60 * 24);
        expect(taken.toSorted()).toEqual(Array.from({ length: count }, (_, at) => `token-${at}`));
        expect(page.read().outbox).toEqual([]);
        expect(page.refused).toEqual([]);
        page.leave();
      },
    ),
    { numRuns: 60 },
  );
});
