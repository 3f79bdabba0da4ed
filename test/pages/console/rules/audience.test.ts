import { describe, expect, it, vi } from 'vitest';
import { type Audience, describeAudience } from '../../../../pages/console/rules/audience.ts';
import { describeTyped, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';

const anAudience = (more: Partial<Audience> = {}): Audience => ({ slug: 'orders', trigger: 'auto', ...more });
const PRO = { trait: 'plan', op: 'eq', value: 'pro' } as const;

describe('the audience in sentences', () => {
  it.each<[string, Partial<Audience>]>([
    ['Everyone can be asked.', {}],
    [
      'People whose plan is one of team or pro, seats is at least 5, company is known, and beta is not known can be asked.',
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
      'People whose plan is not free and seats is “5” can be asked.',
      {
        targeting: [
          { trait: 'plan', op: 'neq', value: 'free' },
          { trait: 'seats', op: 'eq', value: '5' },
        ],
      },
    ],
    [
      'Everyone can be asked on /, /orders/*/edit, or on /help and all pages below it.',
      { pages: ['/', '/orders/*/edit', '/help/**'] },
    ],
    ['Everyone can be asked on every page.', { pages: ['/**'] }],
    ['Everyone can be asked after order-paid.', { on: { event: 'order-paid' }, delayMs: 9_000 }],
    [
      'Everyone can be asked 2 seconds after order-paid has happened 3 times.',
      { on: { event: 'order-paid', times: 3, after: '2s' } },
    ],
    ['Everyone can be asked 1 second after the page opens.', { delayMs: 1_000 }],
    ["Everyone can be asked when your product calls show('orders').", { trigger: 'manual', delayMs: 1_000 }],
    ['Everyone can be asked. One in 100 of them is asked.', { samplePercent: 1 }],
    ['Everyone can be asked. One in two of them is asked.', { samplePercent: 50 }],
    ['Everyone can be asked. 35% of them are asked.', { samplePercent: 35 }],
    ['Everyone can be asked.', { repeat: {} }],
    ['Everyone can be asked.', { limits: { quietPeriod: '0', maxResponses: 0 } }],
  ])('%s Each person is asked once.', (text, more) => {
    expect(describeAudience(anAudience(more)).text).toBe(`${text} Each person is asked once.`);
  });

  it.each<[string, Partial<Audience>]>([
    [
      'People whose plan is pro can be asked on /orders and all pages below it. One in ten of them is asked. Each person can be asked again after 90 days.',
      { targeting: [PRO], pages: ['/orders/**'], samplePercent: 10, repeat: '90d' },
    ],
    ['No one is asked, because the percentage of people asked is 0%.', { samplePercent: 0, repeat: '90d' }],
    ['Everyone can be asked. Each person is asked once per session.', { repeat: 'session' }],
    [
      'People whose plan is pro can open the survey on /orders. Each person can answer up to ten times a day. The survey ends after 9 responses.',
      { trigger: 'person', targeting: [PRO], pages: ['/orders'], limits: { maxResponses: 9 } },
    ],
    ['Everyone can be asked. Each person is asked once per message.', { repeat: 'observation' }],
    [
      'Everyone can be asked. Each person can be asked again 90 days after a response or 1 day after a dismissal.',
      { repeat: { answered: '90d', dismissed: '1d' } },
    ],
    [
      'Everyone can be asked. Each person can be asked again 14 days after a dismissal, but never after a response.',
      { repeat: { dismissed: '14d' } },
    ],
    [
      'Everyone can be asked. Each person is asked once. The survey waits at least 1 day after any other survey. The survey ends after 1,000 responses.',
      { limits: { maxResponses: 1_000, quietPeriod: '1d' } },
    ],
    [
      'Everyone can be asked. Each person is asked once. The survey ends after 1 response.',
      { limits: { maxResponses: 1 } },
    ],
    [
      'Everyone can be asked. Each person is asked once. The survey ignores the quiet period.',
      { limits: { ignoreQuietPeriod: true, quietPeriod: '1d' } },
    ],
  ])('%s', (text, more) => {
    expect(describeAudience(anAudience(more)).text).toBe(text);
  });

  it('shows the schedule in the time zone of the person', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const schedule = { startsAt: '2026-12-01T09:00:00.000Z', endsAt: '2026-12-31T18:00:00.000Z' };
    expect(describeAudience(anAudience(schedule)).text.replaceAll(/\s/g, ' ')).toContain(
      'The survey runs from Dec 1, 2026, 10:00 AM until Dec 31, 2026, 7:00 PM Germany Time.',
    );
  });

  it('leaves out conditions that are still being typed', () => {
    const survey = newSurvey('nps', []);
    const targeting: Audience['targeting'] = [
      PRO,
      { trait: '', op: 'eq', value: '' },
      { trait: 'role', op: 'in', value: [] },
    ];
    expect(describeTyped({ ...survey, targeting, pages: [''], on: { event: '' } }).text).toContain(
      'People whose plan is pro can be asked.',
    );
    const whole = [...targeting, { trait: 'team', op: 'exists' } as const];
    expect(
      describeTyped({ ...survey, targeting: whole, pages: ['/a'], on: { event: 'paid' } }).text,
    ).toContain('People whose plan is pro and team is known can be asked on /a after paid.');
  });
});

describe('other conditions', () => {
  const OF_THE_PROJECT = 'The project’s quiet period and monthly cap also apply.';

  it.each<[string, Partial<Audience>, string[]]>([
    ['the project’s limits', {}, [OF_THE_PROJECT]],
    ...[{ ignoreQuietPeriod: true }, { quietPeriod: '0' }].map(
      (limits): [string, Partial<Audience>, string[]] => [
        `only the monthly cap with ${JSON.stringify(limits)}`,
        { limits },
        ['The project’s monthly cap also applies.'],
      ],
    ),
    [
      'the server’s token, for a survey under a message',
      { repeat: 'observation' },
      ['Only your server can show the survey, with a token that it creates. The token works on every page.'],
    ],
    [
      'which traits the product must send',
      {
        targeting: [
          PRO,
          { trait: 'seats', op: 'gt', value: 1 },
          { trait: 'seats', op: 'lt', value: 9 },
          { trait: 'role', op: 'neq', value: 'admin' },
          { trait: 'beta', op: 'exists', value: false },
          { trait: 'team', op: 'in', value: ['a', null] },
        ],
      },
      [
        'The number of people depends on the traits that your product sends.',
        'People are asked only if your product sends their plan and seats.',
        'People can be asked even if your product does not send their role, beta, and team.',
        OF_THE_PROJECT,
      ],
    ],
    [
      'the call that shows the survey',
      { trigger: 'manual', pages: ['/'] },
      [
        "Your product decides when the survey appears by calling show('orders').",
        'Older versions of the Canvass client, which do not support pages, never show the survey.',
        OF_THE_PROJECT,
      ],
    ],
    [
      'the button of a survey that the person opens',
      { trigger: 'person', targeting: [PRO, { trait: 'role', op: 'neq', value: 'admin' }] },
      [
        'The number of people depends on the traits that your product sends.',
        'People can open it only if your product sends their plan.',
        'People can open it even if your product does not send their role.',
        `Your product has a button with data-canvass-open="orders", or calls open('orders').`,
        'Older versions of the Canvass client, which do not support surveys that the person opens, never show the survey.',
        'The project’s quiet period and monthly cap do not apply.',
      ],
    ],
    [
      'the call that reports the event',
      { pages: ['/'], on: { event: 'order-paid' } },
      [
        "Your product reports the event by calling track('order-paid').",
        'Older versions of the Canvass client, which do not support pages and events, never show the survey.',
        OF_THE_PROJECT,
      ],
    ],
  ])('name %s', (_, more, unsaid) => {
    expect(describeAudience(anAudience(more)).unsaid).toEqual(unsaid);
  });
});
