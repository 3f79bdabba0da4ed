import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addTrait, checkClientRules } from '../../../../bin/admin/survey/why.ts';
import { createConditions } from '../../../../sdk/browser/client/conditions.ts';
import {
  type Conditions,
  createEligibility,
  type Eligibility,
  nameOf,
  type Person,
} from '../../../../sdk/browser/client/eligibility.ts';
import { createPost, type Post, type Reply } from '../../../../sdk/browser/client/post.ts';
import { type ClientStorage, createStorage } from '../../../../sdk/browser/client/storage.ts';
import type { BootstrapReply, TargetingRule } from '../../../../sdk/browser/client/survey.ts';
import { isTargeted } from '../../../../sdk/browser/client/targeting.ts';
import { aSurvey as aStoredSurvey } from '../../../support/fixtures/builders.ts';
import { aSurvey } from '../support/a-survey.ts';
import { fakeService, useFakePage } from '../support/fake-service.ts';

const survey = aSurvey();
const binding = { surveyId: 'sv_1', showToken: 'bound', sessionId: 'session' };

const MINUTE = 60_000;

const REFUSED: Reply = { status: 401, data: { error: { code: 'invalid_identity' } }, retryMs: 0 };

useFakePage();

function eligibility(
  reply: Partial<BootstrapReply> = { showTokens: { sv_1: 'token' } },
  token?: Person['token'],
  refused: readonly string[] = [],
  usePost?: (storage: ClientStorage) => Post,
) {
  const storage = createStorage('canvass', false, 'sessionStorage');
  const person: Person = { name: 'ann', traits: {}, token, id: () => 'ann' };
  const post = vi.fn(async (_path: string, body: { userToken?: string }): Promise<Reply> => {
    if (refused.includes(body.userToken ?? '')) return REFUSED;
    return { status: 200, data: { surveys: [survey], ...reply }, retryMs: 0 };
  });
  const conditions = vi.fn(
    async (): Promise<Conditions> => ({
      refusal: ({ targeting, samplePercent }) =>
        !isTargeted(person.traits, targeting) ? 'targeting' : samplePercent === 0 ? 'sampled-out' : undefined,
      dueIn: () => 7,
    }),
  );
  const lifetime = new AbortController();
  const made = createEligibility(
    'svc_pk_1',
    person,
    storage,
    lifetime.signal,
    async () => {},
    usePost?.(storage) ?? post,
    conditions,
  );
  return { storage, person, post, conditions, lifetime, ...made };
}

const said = (text: string) => ({ toString: () => text });
it.each([
  ...['u', ' u ', '0', 'nullable', 'Ünal', '[7]'].map((id) => [id, id] as const),
  ...[[7, '7'] as const, [0, '0'] as const, [7n, '7'] as const],
  ...['', '  ', 'undefined', 'null', ' null ', 'NaN', 'true', 'false', '[object Object]'].map(
    (id) => [id, ''] as const,
  ),
  ...[undefined, null, Number.NaN, true, false, {}, [], [7], ['u'], said('u'), new Date(), () => 7].map(
    (id) => [id, ''] as const,
  ),
])('the id %o names %o', (id, name) => {
  expect(nameOf(id)).toBe(name);
});

describe('why a survey may not be asked', () => {
  it.each([
    [undefined, {}, survey],
    ['no-token', { showTokens: {} }, survey],
    ['suppressed', { showTokens: {}, suppression: ['sv_1'] }, survey],
    ['targeting', {}, aSurvey({ targeting: [{ trait: 'plan', op: 'exists' }] })],
    ['sampled-out', {}, aSurvey({ samplePercent: 0 })],
  ])('%s', async (reason, reply, asked) => {
    const { fetch, refusal } = eligibility({ surveys: [asked], showTokens: { sv_1: 'token' }, ...reply });
    await fetch();
    expect(refusal(asked, undefined)).toBe(reason);
  });

  it('needs only the bound token, whatever was answered before', async () => {
    const sampled = aSurvey({ samplePercent: 0 });
    const { fetch, refusal } = eligibility({ surveys: [survey, sampled], suppression: ['sv_1'] });
    await fetch();
    expect(refusal(survey, binding)).toBeUndefined();
    expect(refusal(sampled, binding)).toBe('sampled-out');
  });
});

describe('conditions', () => {
  it.each([
    [{ targeting: [] }, 7],
    [{ pages: ['/'] }, 7],
    [{ on: { event: 'order-paid' } }, 7],
    [{ samplePercent: 5 }, 7],
    [{ delayMs: 3 }, 3],
  ])('are fetched if a survey has some: %o', async (fields, due) => {
    const asked = aSurvey(fields);
    const { fetch, conditions, dueIn } = eligibility({ surveys: [survey, asked] });
    await fetch();
    expect(conditions).toHaveBeenCalledTimes(due === 7 ? 1 : 0);
    expect(dueIn(asked)).toBe(due);
    await fetch();
    expect(conditions).toHaveBeenCalledTimes(due === 7 ? 2 : 0);
  });
});

describe('a local answer', () => {
  it('suppresses the survey while it waits to be sent', async () => {
    const { storage, fetch, refusal, markOf } = eligibility();
    await fetch();
    const waiting = { token: 'token', path: '', body: {}, at: Date.now() + MINUTE, tries: 0 };
    storage.update({ outbox: [{ ...waiting, mark: markOf(survey) }] });
    expect(refusal(survey, undefined)).toBe('suppressed');
  });

  it("suppresses the survey after delivery, until the service's next reply", async () => {
    const { storage, fetch, forget, refusal, markOf } = eligibility();
    await fetch();
    vi.advanceTimersByTime(MINUTE);
    storage.update({ seen: { [markOf(survey)]: Date.now() } });
    expect(refusal(survey, undefined)).toBe('suppressed');
    forget();
    vi.advanceTimersByTime(MINUTE);
    await fetch();
    expect(refusal(survey, undefined)).toBeUndefined();
  });
});

describe("the service's reply", () => {
  it('is fetched once, and again after half an hour', async () => {
    const { fetch, post } = eligibility();
    await Promise.all([fetch(), fetch()]);
    vi.advanceTimersByTime(30 * MINUTE);
    await fetch();
    expect(post).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    await fetch();
    expect(post).toHaveBeenCalledTimes(2);
  });

  it('is ignored if it arrives after the client has discarded the request', async () => {
    const { fetch, forget, reply } = eligibility();
    const late = fetch();
    forget();
    expect(await late).toBeUndefined();
    expect(reply()).toEqual({});
  });
});

describe('a request that hangs', () => {
  const open = () => eligibility({}, undefined, [], (storage) => createPost('https://service', storage));

  it.each([
    ['is sent again once', 1, 200],
    ['fails if that hangs as well', 2, 0],
  ])('ends after twelve seconds and %s', async (_, hanging, status) => {
    const sent = fakeService((_sent, count) =>
      count > hanging ? { status: 200, body: { ok: true, surveys: [] } } : new Promise(() => {}),
    );
    const reply = open().fetch();
    await vi.advanceTimersByTimeAsync(65_000);
    expect(await reply).toMatchObject({ status });
    expect(sent.map(({ at }) => at - (sent[0]?.at ?? 0))).toEqual([0, 12_000]);
  });

  it('ends with the client and is not sent again', async () => {
    const sent = fakeService(() => new Promise(() => {}));
    const { fetch, lifetime } = open();
    const reply = fetch();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(1);
    lifetime.abort();
    expect(await reply).toMatchObject({ status: 0 });
    expect(sent[0]?.init.signal?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(65_000);
    expect(sent).toHaveLength(1);
  });
});

describe('a user token', () => {
  const sent = ({ post }: ReturnType<typeof eligibility>) =>
    post.mock.calls.map(([, body]) => body.userToken);

  it('is sent unchanged with each request', async () => {
    const all = eligibility({}, 'signed');
    await all.fetch();
    all.forget();
    await all.fetch();
    expect(sent(all)).toEqual(['signed', 'signed']);
  });

  it('is fetched for each request, and not before', async () => {
    const token = vi.fn(async () => `signed ${token.mock.calls.length}`);
    const all = eligibility({}, token);
    expect(token).not.toHaveBeenCalled();
    await all.fetch();
    await all.fetch();
    expect(sent(all)).toEqual(['signed 1']);
    vi.advanceTimersByTime(31 * MINUTE);
    await all.fetch();
    expect(sent(all)).toEqual(['signed 1', 'signed 2']);
  });

  it('can be returned synchronously', async () => {
    const all = eligibility({}, () => 'signed');
    await all.fetch();
    expect(sent(all)).toEqual(['signed']);
  });

  it('is fetched once more when the service refuses it', async () => {
    const tokens = ['expired', 'signed'];
    const all = eligibility({}, () => tokens.shift() ?? '', ['expired']);
    expect(await all.fetch()).toMatchObject({ status: 200 });
    expect(sent(all)).toEqual(['expired', 'signed']);
  });

  it('is reported as refused when the second one is refused, too', async () => {
    const all = eligibility({}, async () => 'expired', ['expired']);
    expect(await all.fetch()).toEqual(REFUSED);
    expect(sent(all)).toEqual(['expired', 'expired']);
  });

  it('is reported as refused immediately if it is a fixed text', async () => {
    const all = eligibility({}, 'expired', ['expired']);
    expect(await all.fetch()).toEqual(REFUSED);
    expect(sent(all)).toEqual(['expired']);
  });

  it.each([
    async (): Promise<string> => Promise.reject('signed out'),
    (): string => {
      throw 'signed out';
    },
  ])('prevents requests while it cannot be fetched: %o', async (token) => {
    const all = eligibility({}, token);
    expect(await all.fetch()).toMatchObject({ data: {}, cause: 'signed out' });
    expect(all.post).not.toHaveBeenCalled();
  });
});

const BINDING = { surveyId: 'sv_1', showToken: 'token', sessionId: 'session' };
const NO_PAGE = { signal: new AbortController().signal };
const OPERATORS = ['eq', 'neq', 'in', 'gt', 'lt', 'gte', 'lte', 'exists'] as const;

const name = fc.constantFrom('plan', 'seats', 'constructor', '__proto__', 'Zoë');
const scalar = fc.oneof(
  fc.constantFrom('pro', '5', '2026-01-01', '', 5, -1.5, 0, true, false),
  fc.string({ maxLength: 3 }),
  fc.integer({ min: -9, max: 9 }),
);
const rule: fc.Arbitrary<TargetingRule> = fc.record(
  {
    trait: name,
    op: fc.constantFrom(...OPERATORS),
    value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  },
  { requiredKeys: ['trait', 'op'] },
);
const asked = fc.record({
  id: fc.string({ minLength: 1, maxLength: 8 }),
  respondent: fc.string({ minLength: 1, maxLength: 8 }),
  rules: fc.array(rule, { maxLength: 3 }),
  given: fc.dictionary(name, fc.option(scalar), { maxKeys: 3, noNullPrototype: true }),
  samplePercent: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined }),
});

it('gives the same verdict and reason for any rules, traits, sample and person', async () => {
  vi.stubGlobal('window', { navigation: {} });
  onTestFinished(() => void vi.unstubAllGlobals());
  const seen = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(asked, async ({ id, respondent, rules, given, samplePercent }) => {
      const targets = { targeting: rules, ...(samplePercent !== undefined && { samplePercent }) };
      const person = { name: respondent, traits: given, id: () => respondent };
      const meant = aSurvey({ id, ...targets });
      const post = async () => ({ status: 200, data: { surveys: [meant] } });
      const storage = createStorage('canvass', false, 'sessionStorage');
      const eligibility: Eligibility = createEligibility(
        'key',
        person,
        storage,
        new AbortController().signal,
        async () => {},
        post,
        async () =>
          createConditions(
            {
              ...NO_PAGE,
              eligibility,
              person,
              visit: storage,
              storage,
              post,
              options: { key: '', baseUrl: '' },
            },
            () => () => undefined,
            () => undefined,
          ),
      );
      await eligibility.fetch();
      const reason = eligibility.refusal(meant, BINDING);
      seen.add(reason);

      const traits = Object.entries(given).reduce(
        (all, [trait, value]) => addTrait(`${trait}=${JSON.stringify(value)}`, all),
        addTrait('other=1'),
      );
      const stored = aStoredSurvey({ id });
      const survey = { ...stored, content: { ...stored.content, ...targets } };
      const [targeting, sample] = checkClientRules(survey, respondent, traits);
      expect(
        targeting?.passed === false ? 'targeting' : sample?.passed === false ? 'sampled-out' : undefined,
      ).toBe(reason);
    }),
    { numRuns: 300 },
  );
  expect(seen).toEqual(new Set([undefined, 'targeting', 'sampled-out']));
});

it.each([
  ['plan=pro', 'pro'],
  ['plan=', ''],
  ['plan=a=b', 'a=b'],
  ['plan=5', 5],
  ['plan="5"', '5'],
  ['plan=007', '007'],
  ['plan=true', true],
  ['plan=null', null],
  ['plan=[1]', '[1]'],
  ['plan=2026-01-01', '2026-01-01'],
])('parses --trait %s', (flag, value) => {
  expect(addTrait(flag)).toEqual({ plan: value });
});
