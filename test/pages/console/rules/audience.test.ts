import { describe, expect, it, vi } from 'vitest';
import { type Audience, describeAudience } from '../../../../pages/console/rules/audience.ts';

const anAudience = (more: Partial<Audience> = {}): Audience => ({ slug: 'orders', trigger: 'auto', ...more });

describe('who is asked, as a sentence', () => {
  it.each<[string, Partial<Audience>]>([
    ['Everyone, once.', {}],
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
    ['Everyone, on /, /orders/*/edit or /help/…, once.', { pages: ['/', '/orders/*/edit', '/help/**'] }],
    ['Everyone, on every page, once.', { pages: ['/**'] }],
    ['Everyone, once order-paid has happened, once.', { on: { event: 'order-paid' }, delayMs: 9_000 }],
    [
      'Everyone, once order-paid has happened 3 times, 2 seconds later, once.',
      { on: { event: 'order-paid', times: 3, after: '2s' } },
    ],
    ['Everyone, after 1 second, once.', { delayMs: 1_000 }],
    ["Everyone, when the page calls show('orders'), once.", { trigger: 'manual', delayMs: 1_000 }],
    ['Everyone, one in 100, once.', { samplePercent: 1 }],
    ['Everyone, one in two, once.', { samplePercent: 50 }],
    ['Everyone, 35% of them, once.', { samplePercent: 35 }],
    ['No one: the percentage of people asked is 0%.', { samplePercent: 0, repeat: '90d' }],
    ['Everyone, once per session.', { repeat: 'session' }],
    ['Everyone, once per message.', { repeat: 'observation' }],
    [
      'Everyone, again 90 days after an answer and 1 day after a dismissal at the earliest.',
      { repeat: { answered: '90d', dismissed: '1d' } },
    ],
    [
      'Everyone, again 14 days after a dismissal at the earliest, never after an answer.',
      { repeat: { dismissed: '14d' } },
    ],
    ['Everyone, once.', { repeat: {} }],
    [
      'Everyone, once, 1 day after any other survey at the earliest, until 1000 responses.',
      { limits: { maxResponses: 1_000, quietPeriod: '1d' } },
    ],
    ['Everyone, once, ignoring other surveys.', { limits: { ignoreQuietPeriod: true, quietPeriod: '1d' } }],
    ['Everyone, once.', { limits: { quietPeriod: '0', maxResponses: 0 } }],
  ])('%s', (sentence, more) => {
    expect(describeAudience(anAudience(more)).sentence).toBe(sentence);
  });
});

it('gives the schedule in the time zone of the person', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const schedule = { startsAt: '2026-12-01T09:00:00.000Z', endsAt: '2026-12-31T18:00:00.000Z' };
  expect(describeAudience(anAudience(schedule)).sentence.replaceAll(/\s/g, ' ')).toBe(
    'Everyone, once, from Dec 1, 2026, 10:00 AM until Dec 31, 2026, 7:00 PM Germany Time.',
  );
});

describe('what no sentence can say', () => {
  const OF_THE_PROJECT = 'The project’s quiet period and monthly cap also decide whether a person is asked.';

  it('is at least what the project adds, but for a survey beside a message', () => {
    expect(describeAudience(anAudience()).unsaid).toEqual([OF_THE_PROJECT]);
    expect(describeAudience(anAudience({ repeat: 'observation' })).unsaid).toEqual([
      'Only your server can ask it, by minting a token. The token works on every page.',
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
      'The number of people depends on the traits that your product sends.',
      'People are asked only if your product sends their plan and seats.',
      'People can be asked even if your product does not send their role, beta and team.',
      OF_THE_PROJECT,
    ]);
  });

  it('is what the code of the page has to do, and which clients never ask', () => {
    expect(describeAudience(anAudience({ trigger: 'manual', pages: ['/'] })).unsaid).toEqual([
      "The page's code decides when it appears, by calling show('orders').",
      'Older clients that do not support pages never show it.',
      OF_THE_PROJECT,
    ]);
    expect(describeAudience(anAudience({ pages: ['/'], on: { event: 'order-paid' } })).unsaid).toEqual([
      "The page's code reports order-paid by calling track('order-paid').",
      'Older clients that do not support pages and events never show it.',
      OF_THE_PROJECT,
    ]);
  });
});
