import { describe, expect, it } from 'vitest';
import { type Audience, describeAudience } from '../../../../shared/domain/surveys/audience.ts';

const anAudience = (more: Partial<Audience> = {}): Audience => ({ slug: 'orders', trigger: 'auto', ...more });

describe('who is asked, as a sentence', () => {
  it.each<[string, Partial<Audience>]>([
    ['Everybody, once.', {}],
    [
      'People with plan = pro, on /orders/…, one in ten, again after 90 days at the earliest.',
      {
        targeting: [{ trait: 'plan', op: 'eq', value: 'pro' }],
        pages: ['/orders/**'],
        samplePercent: 10,
        repeat: '90d',
      },
    ],
    [
      'People with plan = team or pro, seats ≥ 5, any company and no beta, once.',
      {
        targeting: [
          { trait: 'plan', op: 'in', value: ['team', 'pro'] },
          { trait: 'seats', op: 'gte', value: 5 },
          { trait: 'company', op: 'exists' },
          { trait: 'beta', op: 'exists', value: false },
        ],
      },
    ],
    [
      'People with plan other than free and seats = "5", once.',
      {
        targeting: [
          { trait: 'plan', op: 'neq', value: 'free' },
          { trait: 'seats', op: 'eq', value: '5' },
        ],
      },
    ],
    ['Everybody, on /, /orders/*/edit or /help/…, once.', { pages: ['/', '/orders/*/edit', '/help/**'] }],
    ['Everybody, on every page, once.', { pages: ['/**'] }],
    ['Everybody, once order-paid has happened, once.', { on: { event: 'order-paid' }, delayMs: 9_000 }],
    [
      'Everybody, once order-paid has happened 3 times, 2 seconds later, once.',
      { on: { event: 'order-paid', times: 3, after: '2s' } },
    ],
    ['Everybody, after 1 second, once.', { delayMs: 1_000 }],
    ["Everybody, when the page calls show('orders'), once.", { trigger: 'manual', delayMs: 1_000 }],
    ['Everybody, one in 100, once.', { samplePercent: 1 }],
    ['Everybody, one in two, once.', { samplePercent: 50 }],
    ['Everybody, 35 % of them, once.', { samplePercent: 35 }],
    ['Nobody: the sample is 0 %.', { samplePercent: 0, repeat: '90d' }],
    ['Everybody, once in a session.', { repeat: 'session' }],
    ['Everybody, once for each message.', { repeat: 'observation' }],
    [
      'Everybody, again 90 days after an answer and 1 day after a dismissal at the earliest.',
      { repeat: { answered: '90d', dismissed: '1d' } },
    ],
    [
      'Everybody, again 14 days after a dismissal at the earliest, never after an answer.',
      { repeat: { dismissed: '14d' } },
    ],
    ['Everybody, once.', { repeat: {} }],
    [
      'Everybody, once, 1 day after any other survey at the earliest, from 1 December 2026, until 31 December 2026 18:00 UTC, until 1000 have answered.',
      {
        startsAt: '2026-12-01T00:00:00.000Z',
        endsAt: '2026-12-31T18:00:00.000Z',
        limits: { maxResponses: 1_000, quietPeriod: '1d' },
      },
    ],
    [
      'Everybody, once, whatever they were asked before.',
      { limits: { ignoreQuietPeriod: true, quietPeriod: '1d' } },
    ],
    ['Everybody, once.', { limits: { quietPeriod: '0', maxResponses: 0 } }],
  ])('%s', (sentence, more) => {
    expect(describeAudience(anAudience(more)).sentence).toBe(sentence);
  });
});

describe('what no sentence can say', () => {
  const OF_THE_PROJECT =
    'Whether one person is asked now: quiet period, monthly cap and shows of the project count as well.';

  it('is at least what the project adds, but for a survey beside a message', () => {
    expect(describeAudience(anAudience()).unsaid).toEqual([OF_THE_PROJECT]);
    expect(describeAudience(anAudience({ repeat: 'observation' })).unsaid).toEqual([
      'Only a server asks it, by minting a token; that one holds on every page.',
    ]);
  });

  it('is what the page says of people, and what it does not say', () => {
    const targeting: Audience['targeting'] = [
      { trait: 'plan', op: 'eq', value: 'pro' },
      { trait: 'seats', op: 'gt', value: 1 },
      { trait: 'seats', op: 'lt', value: 9 },
      { trait: 'role', op: 'neq', value: 'admin' },
      { trait: 'beta', op: 'exists', value: false },
      { trait: 'team', op: 'in', value: ['a', null] },
    ];
    expect(describeAudience(anAudience({ targeting })).unsaid).toEqual([
      'How many people these are: your product says who has which trait.',
      'A person is not asked unless your product says their plan and seats.',
      'A person may be asked although your product does not say their role, beta and team.',
      OF_THE_PROJECT,
    ]);
  });

  it('is what the code of the page has to do, and which clients never ask', () => {
    expect(describeAudience(anAudience({ trigger: 'manual', pages: ['/'] })).unsaid).toEqual([
      "When that is: the page's code calls show('orders').",
      'Older clients in your product, which do not know pages, never ask it.',
      OF_THE_PROJECT,
    ]);
    expect(describeAudience(anAudience({ pages: ['/'], on: { event: 'order-paid' } })).unsaid).toEqual([
      "When order-paid happens: the page's code calls track('order-paid').",
      'Older clients in your product, which do not know pages and events, never ask it.',
      OF_THE_PROJECT,
    ]);
  });
});
