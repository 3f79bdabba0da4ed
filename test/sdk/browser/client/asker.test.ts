import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openAsk } from '../../../../sdk/browser/client/asker.ts';
import type { Client } from '../../../../sdk/browser/client/modules.ts';
import type { Submission } from '../../../../sdk/browser/client/storage.ts';
import type { Binding, BootstrapReply } from '../../../../sdk/browser/client/survey.ts';
import { ONCE } from '../../../../sdk/browser/client/times.ts';
import { localise } from '../../../../sdk/browser/widget/locales.ts';
import { aSurvey } from '../support/a-survey.ts';

const BINDING = { surveyId: 'sv_1', showToken: 'bound', sessionId: 'session', traceId: 'trace' };

const SURVEY = aSurvey({
  followUps: [{ ratings: [3], question: 'What went wrong?' }],
  thanks: [{ ratings: [9], text: 'Great' }, { text: 'Thanks' }],
  locales: { de: { question: 'Frage?' } },
});

const put = vi.fn();
const emit = vi.fn();
const post = vi.fn();
let open = true;

interface Person {
  readonly name?: string;
  readonly traits?: Record<string, unknown>;
  readonly binding?: Binding;
  readonly reply?: Partial<BootstrapReply>;
}

function ask({ name = 'ann', traits = {}, binding, reply = { showTokens: { sv_1: 'token' } } }: Person = {}) {
  open = true;
  const client: Pick<Client, 'options' | 'person' | 'emit' | 'isOpen' | 'endAsk' | 'post'> = {
    post,
    options: { key: 'svc_pk_1', baseUrl: 'https://service', locale: 'de-AT' },
    person: { name, traits, id: () => name || 'device' },
    emit,
    isOpen: () => open,
    endAsk() {
      open = false;
    },
  };
  const current = { bound: binding } as Parameters<typeof openAsk>[1];
  const survey = localise(SURVEY, 'de-AT', current);
  const eligibility = { reply: () => reply, markOf: () => 7 };
  return openAsk({ ...client, eligibility } as unknown as Client, current, survey, put);
}

const submissions = (): Submission[] => put.mock.calls.map(([submission]) => submission);
const bodies = () => submissions().map(({ body }) => body);
const events = () => emit.mock.calls.map(([event, { rating }]) => [event, rating]);

beforeEach(() => {
  put.mockClear();
  emit.mockClear();
  post.mockClear();
});

describe('an ask', () => {
  it("has its texts in the page's language", () => {
    expect(ask().survey).toMatchObject({ question: 'Frage?', language: 'de' });
  });

  it('has the texts of the latest rating, also if the page freezes the survey', () => {
    const one = ask();
    const texts = () => [one.survey.followUpQuestion, one.survey.thanks?.text];
    Object.freeze(one.survey);
    expect(texts()).toEqual([undefined, 'Thanks']);
    one.draft(3);
    expect(texts()).toEqual(['What went wrong?', 'Thanks']);
    one.answer(9);
    one.draft(3);
    expect(texts()).toEqual([undefined, 'Great']);
    expect(bodies()).toMatchObject([{ rating: 3 }, { rating: 9 }]);
  });

  it('sends rating, text and contact request once, together', () => {
    const one = ask({ traits: { plan: 'pro' } });
    one.answer(3, { text: 'Slow', followUpRequested: true });
    one.answer(4);
    one.dismiss();
    one.draft(5);
    const body = {
      key: 'svc_pk_1',
      showToken: 'token',
      surveyId: 'sv_1',
      userId: 'ann',
      identityKind: 'identified',
      traits: { plan: 'pro' },
      rating: 3,
      text: 'Slow',
      followUpRequested: true,
    };
    expect(put.mock.calls).toEqual([
      [{ token: 'token', mark: 7, path: '/v1/sdk/responses', body, again: undefined }, 0],
    ]);
    expect(events()).toEqual([['answered', 3]]);
  });

  it('sends one dismissal', () => {
    const one = ask();
    one.dismiss();
    one.dismiss();
    one.answer(4);
    const body = { key: 'svc_pk_1', showToken: 'token', surveyId: 'sv_1', userId: 'ann' };
    expect(put.mock.calls).toEqual([
      [{ token: 'token', mark: 7, path: '/v1/dismissals', body, again: undefined }, 0],
    ]);
    expect(events()).toEqual([['dismissed', undefined]]);
  });

  it('keeps a draft, which a dismissal sends', () => {
    const one = ask();
    expect(one.drafted).toBe(false);
    one.draft(3);
    one.draft(3, { text: 'Slow' });
    expect(one.drafted).toBe(true);
    one.dismiss();
    expect(put.mock.calls.map(([{ path, body, again }, holdMs]) => [path, body.text, holdMs, again])).toEqual(
      [
        ['/v1/sdk/responses', undefined, 600_000, undefined],
        ['/v1/sdk/responses', 'Slow', 600_000, true],
        ['/v1/sdk/responses', 'Slow', 0, true],
      ],
    );
    expect(events()).toEqual([['answered', 3]]);
  });

  it('sends the answers of a draft again even if an earlier draft was sent', () => {
    const one = ask();
    one.draft(3);
    one.draft(3, { answers: { use: null } });
    expect(put.mock.calls.map(([{ body, again }]) => [body.answers, again])).toEqual([
      [undefined, undefined],
      [{ use: null }, false],
    ]);
  });

  it.each([
    [{ name: 'ann' }, 'identified', false],
    [{ name: '' }, 'anon-device', true],
  ])('reports whether the page identified the person: %o', (person, identityKind, anonymous) => {
    const one = ask(person);
    one.answer(3, { contact: 'ann@example.com' });
    expect(one.anonymous).toBe(anonymous);
    expect(bodies()).toMatchObject([{ identityKind, contact: 'ann@example.com' }]);
  });

  it('sends a minted binding whole and lets the service name the respondent', () => {
    const attested = { ...BINDING, taskType: 'refund' };
    const one = ask({ name: '', binding: { ...attested, slug: 'recommend' } });
    one.answer(3);
    expect(one.anonymous).toBe(false);
    expect(submissions()[0]?.token).toBe('bound');
    expect(bodies()[0]).toMatchObject(attested);
    expect(bodies()[0]).not.toHaveProperty('slug');
    expect(bodies()[0]?.identityKind).toBeUndefined();
  });
});

describe('an impression', () => {
  it('is reported once without retries and leaves the token to the answer', () => {
    const one = ask();
    one.shown();
    one.shown();
    const body = { key: 'svc_pk_1', showToken: 'token', surveyId: 'sv_1', userId: 'ann' };
    expect(post.mock.calls).toEqual([['/v1/impressions', body, ONCE]]);
    one.answer(3);
    expect(submissions()).toHaveLength(1);
  });

  it('contains what a bound token attests', () => {
    ask({ binding: BINDING }).shown();
    expect(post.mock.calls[0]?.[1]).toMatchObject(BINDING);
  });

  it('is not reported if the project records none, without a token, or after the survey is gone', () => {
    ask({ reply: { showTokens: { sv_1: 'token' }, impressions: false } }).shown();
    ask({ reply: {} }).shown();
    const answered = ask();
    answered.answer(3);
    answered.shown();
    expect(post).not.toHaveBeenCalled();
  });
});

describe('the traits of an answer', () => {
  const sent = (traits: Record<string, unknown>) => {
    put.mockClear();
    ask({ traits }).answer(3);
    return JSON.parse(JSON.stringify(bodies()[0]?.traits));
  };

  it('are dropped one by one if they are too large, so that the answer fits a beacon', () => {
    const fits = 'x'.repeat(4_000);
    expect(sent({ note: fits, plan: 'pro' })).toEqual({ note: fits, plan: 'pro' });
    expect(sent({ note: 'x'.repeat(4_100), plan: 'pro' })).toEqual({ plan: 'pro' });
    expect(sent({ note: fits, more: fits, plan: 'pro' })).toEqual({ note: fits, plan: 'pro' });
  });

  it('keep scalars first: a long list displaces none of them', () => {
    const note = 'x'.repeat(2_000);
    expect(sent({ orgs: [note, note.slice(100)], plan: 'pro', note })).toEqual({ plan: 'pro', note });
    expect(sent({ orgs: [1], plan: 'pro' })).toEqual({ plan: 'pro', orgs: '[1]' });
  });

  it('are kept if reading another one throws', () => {
    const traits = {
      get plan(): string {
        throw new Error('Not yet.');
      },
      seats: 3,
    };
    expect(sent(traits)).toEqual({ seats: 3 });
  });

  it('are scalars: lists and objects become JSON text, and what is not JSON is dropped', () => {
    const round: Record<string, unknown> = {};
    round.self = round;
    const traits = {
      plan: 'pro',
      seats: 3,
      team: null,
      beta: false,
      since: new Date(0),
      orgs: [{ id: 1 }],
      place: { city: 'Wien' },
      round,
      call: () => 1,
      id: 1n,
      none: undefined,
    };
    expect(sent(traits)).toEqual({
      plan: 'pro',
      seats: 3,
      team: null,
      beta: false,
      since: '1970-01-01T00:00:00.000Z',
      orgs: '[{"id":1}]',
      place: '{"city":"Wien"}',
    });
  });
});
