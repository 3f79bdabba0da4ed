import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConditions } from '../../../../sdk/browser/client/conditions.ts';
import { CAPABILITIES } from '../../../../sdk/browser/client/eligibility.ts';
import { createEmitter } from '../../../../sdk/browser/client/events.ts';
import type { OwnEvents } from '../../../../sdk/browser/client/modules.ts';
import type { Post } from '../../../../sdk/browser/client/post.ts';
import { createStorage } from '../../../../sdk/browser/client/storage.ts';
import type { Survey, SurveyEvent } from '../../../../sdk/browser/client/survey.ts';
import { aSurvey } from '../support/a-survey.ts';

const BINDING = { surveyId: 'sv_1', showToken: 'token', sessionId: 'session' };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Scene {
  readonly surveys?: Survey[];
  readonly pathname?: string;
  /** Whether the browser has the Navigation API. */
  readonly navigation?: boolean;
  readonly name?: string;
  readonly post?: Post;
}

const nobody: Post = async () => ({ status: 0, data: {} });

function scene({ surveys = [], pathname = '/', navigation = true, name = 'ann', post = nobody }: Scene = {}) {
  const place = { pathname };
  vi.stubGlobal('location', place);
  vi.stubGlobal('window', { navigation: navigation ? {} : undefined });
  const { on, emit } = createEmitter<OwnEvents>();
  const visit = createStorage('canvass', false, 'sessionStorage');
  const lifetime = new AbortController();
  const consider = vi.fn();
  const client = {
    eligibility: { reply: () => ({ surveys }), markOf: () => 40 } as never,
    person: { name, traits: { plan: 'pro' }, id: () => name || 'device' },
    visit,
    storage: visit,
    post,
    options: { key: 'svc_pk_1', baseUrl: '' },
    signal: lifetime.signal,
  };
  const conditions = createConditions(client, on, consider);
  return {
    ...conditions,
    storage: visit,
    place,
    lifetime,
    consider,
    again: () => createConditions(client, on, consider),
    /** Works like the client: counts immediately and emits later. */
    async track(...names: string[]) {
      for (const name of names) {
        visit.update({ events: [...visit.read().events, name] });
        emit('track', name);
      }
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

const awaiting = (on: SurveyEvent, more: Partial<Survey> = {}) => aSurvey({ on, trigger: 'auto', ...more });

describe('pages', () => {
  it('refuse a survey if no pattern matches the current address, except for a bound token', () => {
    const { refusal, place } = scene({ pathname: '/orders/7' });
    const survey = aSurvey({ pages: ['/orders/*', '/help/**'] });
    expect(refusal(survey, undefined)).toBeUndefined();
    place.pathname = '/about';
    expect(refusal(survey, undefined)).toBe('page');
    expect(refusal(survey, BINDING)).toBeUndefined();
    expect(refusal(aSurvey(), undefined)).toBeUndefined();
  });

  it('are checked before targeting, which also applies to bound tokens', () => {
    const { refusal } = scene();
    const targeting = [{ trait: 'plan', op: 'eq', value: 'free' } as const];
    expect(refusal(aSurvey({ pages: ['/a'], targeting }), undefined)).toBe('page');
    expect(refusal(aSurvey({ pages: ['/a'], targeting, samplePercent: 0 }), BINDING)).toBe('targeting');
    expect(refusal(aSurvey({ pages: ['/'], samplePercent: 40 }), undefined)).toBe('sampled-out');
    expect(refusal(aSurvey({ pages: ['/'], samplePercent: 41 }), undefined)).toBeUndefined();
  });

  it('are polled in browsers without navigation events, until the client ends', async () => {
    const { place, consider, lifetime } = scene({ navigation: false });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(consider).not.toHaveBeenCalled();
    place.pathname = '/orders';
    await vi.advanceTimersByTimeAsync(5_000);
    expect(consider).toHaveBeenCalledTimes(1);
    lifetime.abort();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('need no timer in browsers with navigation events', () => {
    scene();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an event', () => {
  it('is waited for indefinitely, then for its own delay', async () => {
    const survey = awaiting({ event: 'order-paid', after: '2s' }, { delayMs: 9_000 });
    const { dueIn, track, consider } = scene({ surveys: [survey] });
    expect(dueIn(survey)).toBe(Number.POSITIVE_INFINITY);
    await track('other');
    expect(consider).not.toHaveBeenCalled();
    await track('order-paid');
    expect(consider).toHaveBeenCalledTimes(1);
    expect(dueIn(survey)).toBe(2_000);
    expect(dueIn(aSurvey({ delayMs: 9_000 }))).toBe(9_000);
  });

  it.each([
    ['90s', 90_000],
    ['3m', 180_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    [undefined, 0],
    ['soon', 0],
    ['2w', 0],
  ])('uses %s as %d ms', async (after, due) => {
    const survey = awaiting({ event: 'a', ...(after !== undefined && { after }) });
    const { dueIn, track } = scene({ surveys: [survey] });
    await track('a');
    expect(dueIn(survey)).toBe(due);
  });

  it('can be required more than once', async () => {
    const survey = awaiting({ event: 'a', times: 3 });
    const { dueIn, track, consider } = scene({ surveys: [survey] });
    await track('a', 'a');
    expect([dueIn(survey), consider.mock.calls.length]).toEqual([Number.POSITIVE_INFINITY, 0]);
    await track('a');
    expect([dueIn(survey), consider.mock.calls.length]).toEqual([0, 1]);
  });

  it('makes a survey appear once: repeated events, even simultaneous ones, do not restart the wait', async () => {
    const survey = awaiting({ event: 'a' });
    const { dueIn, track, consider } = scene({ surveys: [survey] });
    consider.mockImplementation(() => void dueIn(survey));
    await track('a', 'a');
    await track('a');
    expect(consider).toHaveBeenCalledTimes(1);
  });

  it('ignores names of inherited properties', () => {
    const { dueIn } = scene();
    expect(dueIn(awaiting({ event: 'constructor' }))).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('an answer in this browser', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const DAY = 24 * 3_600_000;
  it.each([
    ['after signing in', 'u', { '@device': now }, 'device', 'suppressed'],
    ['after signing out', '', { '@u': now, '@v': now - 1 }, 'u', 'suppressed'],
    ['of another signed-in person', 'u', { '@v': now }, undefined, undefined],
    ['of the same person', 'u', { '@u': now }, undefined, undefined],
    ['of 31 days ago', 'u', { '@device': now - 31 * DAY }, undefined, undefined],
    ['without a known respondent', '', { '@undefined': now }, undefined, undefined],
  ])('counts for the next person %s: %s %o', async (_, name, seen, asked, reason) => {
    vi.setSystemTime(now);
    const post = vi.fn(async () => ({
      status: 200,
      data: { surveys: [], suppression: ['sv_1'], showTokens: { sv_other: 'token' } },
    }));
    const { refusal, remember, storage } = scene({ name, post });
    storage.update({ device: 'device', seen });
    await remember();
    await remember();
    expect(post.mock.calls).toEqual(
      asked ? [['/v1/sdk/bootstrap', { key: 'svc_pk_1', userId: asked, types: CAPABILITIES }]] : [],
    );
    expect(refusal(aSurvey(), undefined)).toBe(reason);
    expect(refusal(aSurvey({ id: 'sv_quiet' }), undefined)).toBe(reason && 'no-token');
    expect(refusal(aSurvey({ id: 'sv_other' }), undefined)).toBeUndefined();
    expect(refusal(aSurvey(), BINDING)).toBeUndefined();
  });
});

describe('an answer in this browser that waits', () => {
  const answer = (userId: string, more = {}) => ({ body: { userId, surveyId: 'sv_1', traits: {}, ...more } });
  const dismissal = { body: { userId: 'device', surveyId: 'sv_1' }, path: '/v1/dismissals' };
  it.each([
    ['after signing in', 'u', answer('device'), 'suppressed'],
    ['after signing in, a dismissal', 'u', dismissal, 'suppressed'],
    ['after signing out', '', answer('u'), 'suppressed'],
    ['of another signed-in person', 'u', answer('v'), undefined],
    ['of the same person', 'u', answer('u'), undefined],
    ['of the same device', '', answer('device'), undefined],
    ['for a message', 'u', answer('device', { traits: undefined, sessionId: 's' }), undefined],
  ])('holds surveys back until it is delivered: %s', async (_, name, waiting, reason) => {
    const reply = { status: 200, data: { surveys: [], showTokens: { sv_1: 'token', sv_2: 'token' } } };
    const { refusal, remember, storage } = scene({ name, post: async () => reply });
    const kept = { token: 'token', mark: 1, path: '/v1/sdk/responses', at: Date.now(), tries: 1, ...waiting };
    storage.update({ device: 'device', outbox: [kept] });
    await remember();
    expect(refusal(aSurvey(), undefined)).toBe(reason);
    expect(refusal(aSurvey({ id: 'sv_2' }), undefined)).toBe(reason && 'no-token');
    expect(refusal(aSurvey(), BINDING)).toBeUndefined();
    storage.update({ outbox: [], seen: { [`@${waiting.body.userId}`]: Date.now() } });
    await remember();
    expect(refusal(aSurvey({ id: 'sv_2' }), undefined)).toBeUndefined();
  });
});

it('returns the same conditions for the same client', async () => {
  const survey = awaiting({ event: 'a' });
  const { again, track, consider } = scene({ surveys: [survey], navigation: false });
  again();
  expect(vi.getTimerCount()).toBe(1);
  await track('a');
  expect(consider).toHaveBeenCalledTimes(1);
});
