import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOffers } from '../../../sdk/browser/offers.ts';
import type { Reply } from '../../../sdk/browser/post.ts';
import { createStorage } from '../../../sdk/browser/storage.ts';
import type { BootstrapReply } from '../../../sdk/browser/wire.ts';
import { aSurvey } from './support/a-survey.ts';

const survey = aSurvey();
const binding = { surveyId: 'sv_1', showToken: 'bound', sessionId: 'session' };

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
});

function offers(reply: Partial<BootstrapReply> = { showTokens: { sv_1: 'token' } }) {
  const storage = createStorage('canvass', false);
  const person = { name: 'ann', traits: {}, id: () => 'ann' };
  const post = vi.fn(
    async (): Promise<Reply> => ({ status: 200, data: { surveys: [survey], ...reply }, retryMs: 0 }),
  );
  return { storage, person, post, ...createOffers('svc_pk_1', person, storage, async () => {}, post) };
}

describe('why a survey may not be asked', () => {
  it.each([
    [undefined, {}, survey],
    ['no-token', { showTokens: {} }, survey],
    ['suppressed', { showTokens: {}, suppression: ['sv_1'] }, survey],
    ['targeting', {}, aSurvey({ targeting: [{ trait: 'plan', op: 'exists' }] })],
    ['sampled-out', {}, aSurvey({ samplePercent: 0 })],
  ])('%s', async (reason, reply, asked) => {
    const { fetch, refusal } = offers({ showTokens: { sv_1: 'token' }, ...reply });
    await fetch();
    expect(refusal(asked, undefined)).toBe(reason);
  });

  it('a bound token needs no other, whatever was answered before', async () => {
    const { fetch, refusal } = offers({ suppression: ['sv_1'] });
    await fetch();
    expect(refusal(survey, binding)).toBeUndefined();
    expect(refusal(aSurvey({ samplePercent: 0 }), binding)).toBe('sampled-out');
  });
});

describe('what was answered here', () => {
  it('is suppressed while it waits to be sent', async () => {
    const { storage, fetch, refusal, markOf } = offers();
    await fetch();
    const waiting = {
      token: 'token',
      mark: markOf(survey),
      path: '',
      body: {},
      at: Date.now() + MINUTE,
      tries: 0,
    };
    storage.update({ outbox: [waiting] });
    expect(refusal(survey, undefined)).toBe('suppressed');
  });

  it('is suppressed after it has arrived, until the service has been asked again: then its word holds', async () => {
    const { storage, fetch, forget, refusal, markOf } = offers();
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

describe('the word of the service', () => {
  it('is asked for once, and again after half an hour', async () => {
    const { fetch, post } = offers();
    await Promise.all([fetch(), fetch()]);
    vi.advanceTimersByTime(30 * MINUTE);
    await fetch();
    expect(post).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    await fetch();
    expect(post).toHaveBeenCalledTimes(2);
  });

  it('that comes after it was forgotten does not count', async () => {
    const { fetch, forget, tokenOf } = offers();
    const late = fetch();
    forget();
    expect(await late).toBeUndefined();
    expect(tokenOf(survey)).toBeUndefined();
  });
});
