import { afterEach, describe, expect, it, vi } from 'vitest';
import type { MessageRating } from '../../../sdk/browser/client/message-rating.ts';
import { createPost } from '../../../sdk/browser/client/post.ts';
import { createStorage } from '../../../sdk/browser/client/storage.ts';
import { type Binding, createFakeCanvass } from '../../../sdk/browser/testing.ts';
import { CanvassError } from '../../../sdk/server/canvass-error.ts';
import { createFakeService } from '../../../sdk/server/testing.ts';
import { fakeStorage } from './support/fake-service.ts';

const BINDING = { surveyId: 'sv_1', slug: 'helpful', showToken: 'Ag', sessionId: 's', traceId: 't' };

/** The parts of a DOM element that two buttons need. */
class FakeElement {
  readonly attributes = new Map<string, string>();
  children: FakeElement[] = [];
  ownerDocument = { createElement: () => new FakeElement() };
  click = () => undefined as unknown;
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  addEventListener(_: string, listener: () => void): void {
    this.click = listener;
  }
  replaceChildren(...children: FakeElement[]): void {
    this.children = children;
  }
}

const pressed = ({ children }: FakeElement) =>
  children.map(({ attributes }) => `${attributes.get('aria-label')} ${attributes.get('aria-pressed')}`);

describe('a survey', () => {
  it('is asked, and its answer is recorded and emitted', async () => {
    const canvass = createFakeCanvass();
    const told: unknown[] = [];
    canvass.on('answered', ({ survey, rating }) => told.push([survey.slug, rating]));
    canvass.on('ask', (ask) => ask.answer(9, { text: 'quick' }));
    const ask = canvass.ask({ slug: 'after-checkout', type: 'nps' });
    expect(ask.survey).toMatchObject({ slug: 'after-checkout', scale: { min: 0, max: 10 } });
    await Promise.resolve();
    await Promise.resolve();
    expect(canvass.answers).toEqual([{ slug: 'after-checkout', rating: 9, text: 'quick' }]);
    expect(told).toEqual([['after-checkout', 9]]);
    ask.answer(1);
    ask.dismiss();
    expect([canvass.answers.length, canvass.dismissals]).toEqual([1, []]);
  });

  it('is dismissed, or answered with its draft', () => {
    const canvass = createFakeCanvass();
    canvass.ask({ slug: 'a' }).dismiss();
    const drafted = canvass.ask({ slug: 'b' });
    drafted.draft(4);
    expect(drafted.drafted).toBe(true);
    drafted.dismiss();
    expect([canvass.dismissals, canvass.answers]).toEqual([['a'], [{ slug: 'b', rating: 4 }]]);
  });

  it('has the texts of the latest rating', () => {
    const canvass = createFakeCanvass();
    const ask = canvass.ask({
      slug: 'a',
      followUps: [{ ratings: [1, 2], question: 'What went wrong?' }],
      thanks: [{ ratings: [5], text: 'Great' }, { text: 'Thanks' }],
    });
    const texts = () => [ask.survey.followUpQuestion, ask.survey.thanks?.text];
    expect(texts()).toEqual([undefined, 'Thanks']);
    Object.freeze(ask.survey);
    ask.draft(2);
    expect(texts()).toEqual(['What went wrong?', 'Thanks']);
    ask.answer(5);
    expect(texts()).toEqual([undefined, 'Great']);
    expect(canvass.answers).toEqual([{ slug: 'a', rating: 5 }]);
  });

  it('is asked by `show` if the test has it, and otherwise unknown', async () => {
    const canvass = createFakeCanvass({ surveys: [{ slug: 'known' }] });
    const events: unknown[] = [];
    canvass.on('ask', ({ survey }) => events.push(survey.slug));
    canvass.on('notshown', (detail) => events.push(detail));
    canvass.show('known');
    canvass.show('other');
    await Promise.resolve();
    expect(events).toEqual(['known', { slug: 'other', reason: 'unknown-slug' }]);
    expect(canvass.shows).toEqual(['known', 'other']);
  });
});

it('records the person and the end of the client', () => {
  const canvass = createFakeCanvass();
  expect(canvass.ask({ slug: 'a' }).anonymous).toBe(true);
  canvass.identify('ann', { plan: 'pro' });
  expect(canvass.ask({ slug: 'a' }).anonymous).toBe(false);
  canvass.destroy();
  expect([canvass.people, canvass.destroyed]).toEqual([[{ userId: 'ann', traits: { plan: 'pro' } }], true]);
});

it("draws thumbs as two buttons that show the message's rating", async () => {
  const canvass = createFakeCanvass();
  const bind = (binding: Binding) => {
    const place = new FakeElement();
    canvass.bind(binding, place as unknown as Element);
    return place;
  };
  const place = bind(BINDING);
  expect(pressed(place)).toEqual(['Thumbs up false', 'Thumbs down false']);
  place.children[1]?.click();
  expect(pressed(place)).toEqual(['Thumbs up false', 'Thumbs down true']);
  place.children[0]?.click();
  expect(pressed(bind({ ...BINDING, showToken: 'Bh' }))).toEqual(['Thumbs up true', 'Thumbs down false']);
  expect(pressed(bind({ ...BINDING, traceId: 'other' }))).toEqual(['Thumbs up false', 'Thumbs down false']);
  place.children[0]?.click();
  expect(canvass.answers.map(({ slug, rating }) => [slug, rating])).toEqual([
    ['helpful', 0],
    ['helpful', 1],
  ]);
  expect(canvass.withdrawals).toEqual([BINDING]);
});

describe("the page's own buttons", () => {
  const listen = (canvass: ReturnType<typeof createFakeCanvass>) => {
    const told: unknown[] = [];
    for (const event of ['answered', 'rated', 'withdrawn'] as const)
      canvass.on(event, ({ rating }) => told.push([event, rating]));
    return told;
  };

  it('receive the rating, rate with words and reasons, and withdraw; a repeat is ignored', async () => {
    const canvass = createFakeCanvass();
    const told = listen(canvass);
    const known: (number | undefined)[] = [];
    let act: MessageRating | undefined;
    canvass.bind(BINDING, (now) => {
      known.push(now.rating);
      act = now;
    });
    act?.rate(0, { text: 'Wrong', reasons: ['slow'] });
    act?.rate(0, { text: 'Wrong', reasons: ['slow'] });
    act?.rate(1);
    act?.withdraw();
    act?.withdraw();
    await Promise.resolve();
    expect(known).toEqual([undefined, 0, 1, undefined]);
    expect(canvass.answers).toEqual([
      { slug: 'helpful', rating: 0, text: 'Wrong', reasons: ['slow'], binding: BINDING },
      { slug: 'helpful', rating: 1, binding: BINDING },
    ]);
    expect(canvass.withdrawals).toEqual([BINDING]);
    // Like the client, the fake emits `answered` for surveys that it draws.
    expect(told).toEqual([
      ['rated', 0],
      ['rated', 1],
      ['withdrawn', undefined],
    ]);
  });

  it("share a message's rating with thumbs, until they stop listening", () => {
    const canvass = createFakeCanvass();
    const place = new FakeElement();
    canvass.bind(BINDING, place as unknown as Element);
    const known: (number | undefined)[] = [];
    canvass.bind(BINDING, ({ rating }) => known.push(rating) < 3);
    place.children[0]?.click();
    expect(known).toEqual([undefined, 1]);
    canvass.rate(BINDING, 0);
    expect(pressed(place)).toEqual(['Thumbs up false', 'Thumbs down true']);
    place.children[1]?.click();
    expect(known).toEqual([undefined, 1, 0]);
    expect(canvass.withdrawals).toEqual([BINDING]);
  });

  it('rate, withdraw and know a rating headless', async () => {
    const canvass = createFakeCanvass();
    expect(await canvass.rate(BINDING, 0, { reasons: ['slow'] })).toEqual({ status: 'stored' });
    canvass.rate(BINDING, 0, { reasons: ['slow'] });
    expect([canvass.ratingOf(BINDING), canvass.ratingOf({ ...BINDING, traceId: 'other' })]).toEqual([
      0,
      undefined,
    ]);
    expect(canvass.answers).toMatchObject([{ rating: 0, reasons: ['slow'] }]);
    canvass.withdraw(BINDING);
    expect([canvass.ratingOf(BINDING), canvass.ratingOf(undefined)]).toEqual([undefined, undefined]);
  });

  it('rate nothing without what the client needs, which is reported', async () => {
    const canvass = createFakeCanvass();
    const told: unknown[] = [];
    canvass.on('error', ({ missing }) => told.push(missing?.[0]));
    canvass.on('notshown', ({ reason }) => told.push(reason));
    const { showToken: _, ...tokenless } = BINDING;
    expect(await canvass.rate(tokenless, 1)).toEqual({
      status: 'refused',
      surveyId: BINDING.surveyId,
      rating: 1,
      binding: tokenless,
    });
    canvass.rate({ ...BINDING, sessionId: '' }, 1);
    canvass.bind({ ...BINDING, surveyId: '' }, () => expect.fail('nothing is known of it'));
    const place = new FakeElement();
    canvass.bind(tokenless, place as unknown as Element);
    canvass.bind(tokenless);
    canvass.bind({ ...BINDING, sessionId: '' });
    await Promise.resolve();
    expect(told).toEqual(['showToken', 'sessionId', 'surveyId', 'no-token', 'sessionId']);
    vi.spyOn(console, 'warn').mockReturnValue();
    expect(await canvass.rate(undefined, 1)).toEqual({ status: 'not-asked' });
    expect([canvass.answers, place.children]).toEqual([[], []]);
    canvass.rate(BINDING, 1);
    canvass.rate(tokenless, 0);
    expect(canvass.answers.map(({ rating, binding }) => [rating, binding])).toEqual([
      [1, BINDING],
      [0, BINDING],
    ]);
  });

  it('rate nothing for the previous person, but keep an anonymous message', () => {
    const canvass = createFakeCanvass();
    let act: MessageRating | undefined;
    canvass.bind(BINDING, (known) => {
      act = known;
    });
    canvass.identify('ann');
    act?.rate(1);
    const place = new FakeElement();
    canvass.bind(BINDING, place as unknown as Element);
    canvass.identify('ben');
    act?.rate(0);
    canvass.rate(BINDING, 0);
    place.children[0]?.click();
    expect(place.children).toEqual([]);
    expect(canvass.answers).toMatchObject([{ rating: 1 }]);
    expect([canvass.ratingOf(BINDING), canvass.withdrawals]).toEqual([undefined, []]);
    canvass.identify('ann');
    canvass.destroy();
    act?.rate(0);
    expect(canvass.answers).toHaveLength(1);
  });
});

describe('a fake service, through MSW', () => {
  afterEach(() => vi.unstubAllGlobals());
  const base = 'https://surveys.example.com/api';
  const page = () => {
    const fake = createFakeService({ surveys: [{ slug: 'nps', type: 'nps', trigger: 'auto' }, 'helpful'] });
    fakeStorage();
    // MSW passes a `Request`, and the page's requests have the type of plain text.
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => fake.handle(new Request(url, init)));
    return { fake, post: createPost(base, createStorage('canvass', false, 'localStorage')) };
  };

  it('serves surveys with tokens to the browser client, and stores its answers', async () => {
    const { fake, post } = page();
    const { data } = await post('/v1/sdk/bootstrap', { key: 'svc_pk_1', userId: 'ann' });
    expect(data.surveys).toMatchObject([
      { slug: 'nps', trigger: 'auto', scale: { min: 0, max: 10 } },
      { slug: 'helpful', type: 'thumbs', scale: { min: 0, max: 1 } },
    ]);
    const said = { surveyId: 'sv_nps', showToken: data.showTokens?.sv_nps };
    await post('/v1/impressions', { key: 'svc_pk_1', ...said });
    const answer = { key: 'svc_pk_1', ...said, rating: 9, identityKind: 'identified' };
    expect(await post('/v1/sdk/responses', answer)).toMatchObject({ status: 200, data: { ok: true } });
    const again = await post('/v1/sdk/responses', answer);
    expect(again).toMatchObject({ status: 409, data: { error: { code: 'token_used' } } });
    expect(fake.answers).toEqual([{ surveyId: 'sv_nps', rating: 9, identityKind: 'identified' }]);
    fake.suppressed.push('ann');
    const none = await post('/v1/sdk/bootstrap', { key: 'svc_pk_1', userId: 'ann' });
    expect(none.data).toMatchObject({ suppression: ['sv_nps', 'sv_helpful'], showTokens: {} });
    fake.replies['/v1/sdk/bootstrap'] = new Response('<h1>Busy</h1>', { status: 503 });
    expect((await post('/v1/sdk/bootstrap', {})).status).toBe(503);
    fake.replies['/v1/sdk/bootstrap'] = new CanvassError('', { status: 0, code: 'network_error' });
    expect(
      (await fake.handle(new Request(`${base}/v1/sdk/bootstrap`, { method: 'POST', body: '{}' }))).type,
    ).toBe('error');
  });

  it('refuses a body that is not JSON', async () => {
    const { fake } = page();
    const reply = await fake.handle(new Request(`${base}/v1/dismissals`, { method: 'POST', body: '{' }));
    expect([reply.status, (await reply.json()).error.code]).toEqual([400, 'invalid_request']);
  });
});
