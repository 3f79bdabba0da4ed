import { describe, expect, it } from 'vitest';
import { surveyFile, toDraft } from '../../../shared/contract/survey-file.ts';
import { explain, problemsOf } from '../../../shared/contract/survey-file-problems.ts';
import { unfitTexts } from '../../../shared/domain/surveys/survey-rules.ts';

const read = (fields: object) =>
  surveyFile.safeParse(
    { surveys: [{ slug: 'a', type: 'csat', question: 'Q?', ...fields }] },
    { error: explain },
  );

/** @param stored the survey before the change */
function problems(fields: object, stored?: object): string[] {
  const { data, error } = read(fields);
  const unfit = data?.surveys.flatMap((survey) => unfitTexts(toDraft(survey), stored)) ?? [];
  const issues = (error?.issues ?? [])
    .flatMap(problemsOf)
    .map(({ path, message }) => ({ path: path.slice(2), message }));
  return [...issues, ...unfit].map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const contentOf = (fields: object) => read(fields).data?.surveys.map((survey) => toDraft(survey).content)[0];

describe('pages and an event in a survey file', () => {
  it('are sent to clients, with times in their shortest form', () => {
    const pages = ['/', '/orders/', '/orders/*/edit', '/help/**', '/%C3%BCber/a.b~c', `/${'a'.repeat(127)}`];
    expect(contentOf({ pages, on: { event: 'order-paid', after: '120s', times: 3 } })).toMatchObject({
      pages,
      on: { event: 'order-paid', after: '2m', times: 3 },
    });
    expect(contentOf({ on: { event: 'a' } })).toMatchObject({ on: { event: 'a' } });
    for (const after of ['1s', '24h', '1d']) expect(problems({ on: { event: 'a', after } })).toEqual([]);
    expect(Object.keys(contentOf({}) ?? {})).not.toEqual(expect.arrayContaining(['pages']));
  });

  it.each<[string, object]>([
    ['pages: must have a page', { pages: [] }],
    ['pages: must not have more than 10 pages', { pages: Array(11).fill('/') }],
    ['pages.0: must start with /, such as /orders', { pages: ['orders'] }],
    ['pages.0: must start with /, such as /orders', { pages: ['https://shop.example/orders'] }],
    ['pages.1: must be at most 128 characters', { pages: ['/', `/${'a'.repeat(128)}`] }],
    ...['/a?b', '/a#b', '/ü', '/a b', '/<b>', '/"', '/\u0000', '/{a}'].map((page): [string, object] => [
      'pages.0: must not contain ? or #. Special characters must be encoded, such as %C3%BC for ü',
      { pages: [page] },
    ]),
    [
      'pages.0: must use ** only at the end. For one part before it, use *, such as /shops/*/orders/**',
      { pages: ['/**/edit'] },
    ],
    [
      'pages.0: must use * only in place of a whole part of the path, such as /orders/*/edit',
      { pages: ['/order-*'] },
    ],
    [
      'pages.0: must use * only in place of a whole part of the path, such as /orders/*/edit',
      { pages: ['/***'] },
    ],
    ['on.event: must match ^[a-z][a-z0-9-]{0,63}$', { on: { event: 'Order paid' } }],
    ['on.event: must match ^[a-z][a-z0-9-]{0,63}$', { on: { event: `a${'b'.repeat(64)}` } }],
    ...['2', '0', '0s', '25h', '2d', 'soon'].map((after): [string, object] => [
      'on.after: must be a duration of 1s to 1d, such as 2s',
      { on: { event: 'a', after } },
    ]),
    [
      'on: must be absent with trigger: manual, because the page then calls show()',
      { on: { event: 'a' }, trigger: 'manual' },
    ],
  ])('%s: %o', (problem, fields) => {
    expect(problems(fields)).toEqual([problem]);
  });

  it.each([
    { pages: '/orders' },
    { pages: [7] },
    { on: 'order-paid' },
    { on: { after: '2s' } },
    { on: { event: 'a', times: 0 } },
    { on: { event: 'a', times: 1.5 } },
    { on: { event: 'a', times: 101 } },
    { on: { event: 'a', at: '2s' } },
  ])('are refused with an unknown field or an invalid value: %o', (fields) => {
    expect(read(fields).success).toBe(false);
  });
});

describe('a survey file', () => {
  it('accepts words, thanks and priority of a survey, and words and thanks for each language', () => {
    const fields = {
      priority: 2,
      thanks: { text: 'Thanks', link: { label: 'More', url: 'https://example.com' } },
      words: { send: 'Go', close: 'No', contact: 'Call', contactAddress: 'Number', values: ['Low', 'High'] },
      locales: { de: { thanks: { text: 'Danke' }, words: { values: ['1', '2', '3', '4', '5'] } } },
    };
    const { data } = read(fields);
    expect(data?.surveys.map((survey) => toDraft(survey).content)).toMatchObject([fields]);
  });

  it.each([
    [
      { words: { values: ['1', '2', '3'] } },
      'words.values: must have 2 words, for the ends, or 5, lowest first',
    ],
    [
      { locales: { de: { words: { values: ['1'] } } } },
      'locales.de.words.values: must have 2 words, for the ends, or 5, lowest first',
    ],
    [{ type: 'pmf', words: { values: ['1', '2'] } }, 'words.values: must have 3 words, lowest first'],
    [{ type: 'thumbs', words: { values: ['1'] } }, 'words.values: must have 2 words, lowest first'],
    ...[
      ['javascript:alert(1)', 'must start with https:// or http://'],
      ['https://user:pw@host.example/', 'must not have a user name or password'],
      ['https:// user@host.example', 'must not have a user name or password'],
      ['http://:pw@host.example/a', 'must not have a user name or password'],
    ].map(([url, problem]): [object, string] => [
      { thanks: { text: 'T', link: { label: 'L', url } } },
      `thanks.link.url: ${problem}`,
    ]),
  ])('is refused if they do not fit: %o', (fields, problem) => {
    expect(problems(fields)).toEqual([problem]);
  });

  it.each([
    { words: { sned: 'Go' } },
    { thanks: { text: 'T', url: 'x' } },
    { priority: 1.5 },
    { thanks: {} },
  ])('is refused with an unknown field or an invalid value: %o', (fields) => {
    expect(read(fields).success).toBe(false);
  });

  const rated = { ratings: [5], text: 'T' };
  it.each([
    [
      { followUps: [{ ratings: [2, 1, 2], question: ' Why? ' }], thanks: [{ ...rated, ratings: [5, 4] }] },
      { followUps: [{ ratings: [1, 2], question: 'Why?' }], thanks: [{ ...rated, ratings: [4, 5] }] },
    ],
    [{ thanks: [{ text: 'T' }] }, { thanks: { text: 'T' } }],
    [
      { thanks: { text: 'T' }, locales: { de: { thanks: [{ text: 'D' }] } } },
      { locales: { de: { thanks: { text: 'D' } } } },
    ],
  ])('has texts by rating in one form: %o', (fields, content) => {
    expect(contentOf(fields)).toMatchObject(content);
  });

  it.each([
    [{ followUps: [] }, 'followUps: must have a follow-up question'],
    [{ followUps: [{ ratings: [], question: 'Q' }] }, 'followUps.0.ratings: must have a rating'],
    [
      { followUps: [{ ratings: [6], question: 'Q' }] },
      'followUps.0.ratings: must have only ratings from 1 to 5',
    ],
    [{ followUps: [{ ratings: [1], question: '' }] }, 'followUps.0.question: must not be empty'],
    [{ thanks: [] }, 'thanks: must have an entry'],
    [{ thanks: 'T' }, 'thanks: must be a map or a list'],
    [{ thanks: {} }, 'thanks.text: is missing'],
    [{ thanks: [rated, {}] }, 'thanks.1.text: is missing'],
    ...[rated, { text: 'U' }].map((last): [object, string] => [
      { thanks: [{ text: 'T' }, last] },
      'thanks.0.ratings: must not be missing, except in the last entry',
    ]),
    [
      { thanks: [rated], locales: { de: { thanks: [{ text: 'T' }, rated] } } },
      'locales.de.thanks.0.ratings: must not be missing, except in the last entry',
    ],
    [
      { thanks: [{ ...rated, link: { label: 'L', url: 'x' } }] },
      'thanks.0.link.url: must start with https:// or http://',
    ],
    [
      { thanks: [rated], locales: { de: { thanks: [{ ...rated, ratings: [4] }] } } },
      'locales.de.thanks.0.ratings: must be the ratings of an entry of thanks',
    ],
  ])('is refused if its texts by rating do not fit: %o', (fields, problem) => {
    expect(problems(fields)).toEqual([problem]);
  });

  const PLACES: readonly (readonly [string, (text: string) => object])[] = [
    ['question', (question) => ({ question })],
    ['followUpQuestion', (followUpQuestion) => ({ followUpQuestion })],
    ['endLabels.low', (low) => ({ endLabels: { low, high: 'b' } })],
    ['reasons.0.label', (label) => ({ reasons: [{ code: 'a', label }] })],
    ['thanks.text', (text) => ({ thanks: { text } })],
    ['thanks.link.label', (label) => ({ thanks: { text: 'T', link: { label, url: 'https://a.example' } } })],
    ['words.send', (send) => ({ words: { send } })],
    ['words.contact', (contact) => ({ words: { contact } })],
    ['words.values.1', (text) => ({ words: { values: ['a', text] } })],
    ['locales.de.question', (question) => ({ locales: { de: { question } } })],
    ['locales.de.thanks.text', (text) => ({ locales: { de: { thanks: { text } } } })],
    [
      'locales.de.reasons.a',
      (text) => ({ reasons: [{ code: 'a', label: 'A' }], locales: { de: { reasons: { a: text } } } }),
    ],
  ];
  const at = (content: unknown, path: string): unknown =>
    path.split('.').reduce<unknown>((part, name) => Object(part)[name], content);

  it.each(PLACES)('has no spaces or line breaks at the ends of %s, and may have them within', (path, put) => {
    expect(at(contentOf(put(' \n One\nline\r\n and\ttwo \n')), path)).toBe('One\nline\r\n and\ttwo');
  });

  it.each([
    ...PLACES,
    ['targeting.0.value', (value: string) => ({ targeting: [{ trait: 'plan', op: 'eq', value }] })] as const,
    ['targeting.0.trait', (trait: string) => ({ targeting: [{ trait, op: 'exists' }] })] as const,
    ['segments.plan.0', (value: string) => ({ segments: { plan: [value] } })] as const,
    [
      'thanks.link.url',
      (rest: string) => ({ thanks: { text: 'T', link: { label: 'L', url: `https://a.example/${rest}` } } }),
    ] as const,
  ])('has no control characters or direction overrides in %s, but marks and joiners', (path, put) => {
    const problem = `${path}: must not have control characters or direction overrides`;
    for (const sign of ['\0', '\u001b', '\u007f', '\u0085', '\u202d', '\u202e']) {
      const fields = put(`a${sign}b`);
      expect(problems(fields), JSON.stringify(sign)).toEqual([problem]);
      expect(problems(fields, put(`a${sign}c`)), JSON.stringify(sign)).toEqual([problem]);
      // An earlier release accepted it.
      expect(problems(fields, { id: 'sv_1', content: fields }), JSON.stringify(sign)).toEqual([]);
    }
    expect(problems(put('a\u200e\u200f\u200c\u200d\u202b\u202c\u2067\u2069b'))).toEqual([]);
  });

  const LATER = 'endsAt: must be later than startsAt';
  it.each<[object, object | string]>([
    [{ endsAt: '2026-12-01' }, { endsAt: '2026-12-02T00:00:00.000Z' }],
    [{ endsAt: '2026-12-01Z' }, { endsAt: '2026-12-02T00:00:00.000Z' }],
    [{ endsAt: '2026-12-01+02:00' }, { endsAt: '2026-12-01T22:00:00.000Z' }],
    [{ endsAt: '2028-02-29-05:00' }, { endsAt: '2028-03-01T05:00:00.000Z' }],
    [{ endsAt: '2026-12-01T00:00:00Z' }, { endsAt: '2026-12-01T00:00:00.000Z' }],
    [{ endsAt: '9999-12-31' }, { endsAt: '9999-12-31T23:59:59.999Z' }],
    [{ startsAt: '2026-12-01+02:00' }, { startsAt: '2026-11-30T22:00:00.000Z' }],
    [
      { startsAt: '2026-12-01', endsAt: '2026-12-01' },
      { startsAt: '2026-12-01T00:00:00.000Z', endsAt: '2026-12-02T00:00:00.000Z' },
    ],
    [
      { startsAt: '2026-12-01T18:00:00Z', endsAt: '2026-12-01' },
      { startsAt: '2026-12-01T18:00:00.000Z', endsAt: '2026-12-02T00:00:00.000Z' },
    ],
    [{ startsAt: '2026-12-02', endsAt: '2026-12-01' }, LATER],
    [{ startsAt: '2026-12-01T09:00:00Z', endsAt: '2026-12-01T09:00:00Z' }, LATER],
    ...['2026-02-29', '2026-12-01+25:00', '2026-12-01 ', '2026-12-1'].map((endsAt): [object, string] => [
      { endsAt },
      'endsAt: must be a date, such as 2026-12-01, or a time with its zone, such as 2026-12-01T09:00:00Z',
    ]),
  ])('reads a date as its whole day: %o', (fields, expected) => {
    if (typeof expected === 'string') return expect(problems(fields)).toEqual([expected]);
    const [{ startsAt, endsAt } = {}] = read(fields).data?.surveys.map(toDraft) ?? [];
    expect({ startsAt, endsAt }).toEqual({ startsAt: undefined, endsAt: undefined, ...expected });
  });
});
