import { describe, expect, it } from 'vitest';
import { changed, newSurvey, type Patch } from '../../../../pages/console/rules/edited-survey.ts';
import { problemsIn, wordsFor } from '../../../../pages/console/rules/problems.ts';

const NPS = newSurvey('nps', []);
const A_REVIEW = { ratings: [9, 10], text: 'Thanks', link: { label: 'Review', url: 'https://a' } };
const pathsOf = (patch: Parameters<typeof changed>[1], taken: readonly string[] = []) =>
  problemsIn(changed(NPS, patch), { taken }).map(({ path }) => path);

describe('problemsIn', () => {
  it.each(['nps', 'csat', 'ces', 'pmf', 'thumbs'] as const)(
    'finds nothing in a new survey of type %s',
    (type) => {
      expect(problemsIn(newSurvey(type, []), { taken: [] })).toEqual([]);
    },
  );

  it.each<[Parameters<typeof changed>[1], string]>([
    [{ question: '' }, 'question'],
    [{ slug: 'After Checkout' }, 'slug'],
    [{ samplePercent: 101 }, 'samplePercent'],
    [{ limits: { quietPeriod: 'soon' } }, 'limits.quietPeriod'],
    [{ reasons: [{ code: 'price', label: '' }] }, 'reasons[0].label'],
    [{ startsAt: '2026-12-01', endsAt: '2026-11-01' }, 'endsAt'],
    [{ locales: { 'not a language': {} } }, 'locales.not a language'],
    [{ targeting: [{ trait: 'plan', op: 'eq' }] }, 'targeting[0].value'],
    [{ question: 'x'.repeat(9_000) }, ''],
    [{ followUps: [{ ratings: [], question: 'Why?' }] }, 'followUps[0].ratings'],
    [{ followUps: [{ ratings: [0], question: '' }] }, 'followUps[0].question'],
    [{ thanks: [{ ratings: [], text: 'Thanks' }] }, 'thanks[0].ratings'],
    [{ thanks: [{ ratings: [9], text: '' }, { text: 'Thanks' }] }, 'thanks[0].text'],
    [{ thanks: [{ ratings: [9], text: 'Thanks' }, { text: '' }] }, 'thanks[1].text'],
    [
      { thanks: [A_REVIEW, { ...A_REVIEW, ratings: [8], link: { label: 'Ok', url: 'x' } }] },
      'thanks[1].link.url',
    ],
    [
      {
        thanks: [A_REVIEW],
        locales: { de: { thanks: [{ ...A_REVIEW, link: { label: '', url: 'https://a' } }] } },
      },
      'locales.de.thanks[0].link.label',
    ],
  ])('finds the problem of %j at %j', (patch, path) => {
    expect(pathsOf(patch)).toEqual([path]);
  });

  it('refuses a taken name for a new survey', () => {
    expect(pathsOf({}, ['nps'])).toEqual(['slug']);
    expect(problemsIn(NPS, { base: NPS, taken: ['nps'] })).toEqual([]);
  });

  it('refuses an unencrypted link unless the stored survey has it', () => {
    const linked = changed(NPS, {
      thanks: { text: 'Thanks', link: { label: 'More', url: 'http://example.com' } },
    });
    expect(problemsIn(linked, { taken: [] })).toEqual([
      {
        path: 'thanks.link.url',
        words: 'Enter a link that starts with https://, such as https://example.com.',
      },
    ]);
    expect(problemsIn(linked, { base: linked, taken: [] })).toEqual([]);
  });

  it('refuses more events than a survey can wait for', () => {
    const often = (times: number) => changed(NPS, { on: { event: 'paid', times } });
    expect(problemsIn(often(100), { taken: [] })).toEqual([]);
    expect(problemsIn(often(101), { taken: [] })).toEqual([
      { path: 'on.times', words: 'Enter a whole number from 1 to 100.' },
    ]);
  });

  it.each<[string, Parameters<typeof changed>[1]]>([
    ['Enter a question.', { question: '' }],
    ['Use up to 64 lowercase letters, digits, and hyphens. Start with a letter or a digit.', { slug: 'A b' }],
    ['Enter a percentage from 0 to 100.', { samplePercent: -1 }],
    ['Enter a whole number. The time must be between 1 second and 100 years.', { repeat: 'sometimes' }],
    ['Enter a whole number, or 0 for no quiet period.', { limits: { quietPeriod: 'soon' } }],
    ['Enter a whole number, or 0 for no limit.', { limits: { maxResponses: -1 } }],
    ['Enter a whole number.', { priority: Number.NaN }],
    ['Enter a number of seconds, such as 5 or 0.5.', { delayMs: Number.NaN }],
    ['Enter a date and a time after the start time.', { startsAt: '2026-12-01', endsAt: '2026-11-01' }],
    ['Enter a reason.', { reasons: [{ code: 'a', label: '' }] }],
    ['The reason must be at most 60 characters.', { reasons: [{ code: 'a', label: 'x'.repeat(61) }] }],
    [
      'The survey must not have more than 8 reasons.',
      { reasons: Array.from({ length: 9 }, (_, at) => ({ code: `${at}`, label: 'x' })) },
    ],
    ['Enter a value.', { targeting: [{ trait: 'plan', op: 'eq', value: undefined }] }],
    ['Enter a trait.', { targeting: [{ trait: ' ', op: 'exists' }] }],
    ['Enter a number or text to compare with.', { targeting: [{ trait: 'seats', op: 'gt', value: true }] }],
    ['The page must start with /, such as /orders.', { pages: ['orders'] }],
    [
      'The page must not contain ? or #. Special characters must be encoded, such as %C3%BC for ü.',
      { pages: ['/a?b=c'] },
    ],
    ['The page must be at most 128 characters.', { pages: [`/${'a'.repeat(128)}`] }],
    [
      'The page must use ** only at the end. For one part before it, use *, such as /shops/*/orders/**.',
      { pages: ['/**/edit'] },
    ],
    [
      'The page must use * only in place of a whole part of the path, such as /orders/*/edit.',
      { pages: ['/order*'] },
    ],
    ['Use up to 64 lowercase letters, digits, and hyphens. Start with a letter.', { on: { event: '' } }],
    [
      'Enter a whole number. The time must be between 1 second and 1 day.',
      { on: { event: 'paid', after: 'xs' } },
    ],
    ['Enter a thank-you message.', { thanks: { text: '' } }],
    ['Enter a thank-you message.', { thanks: [{ ratings: [9], text: '' }] }],
    ['Enter a follow-up question.', { followUps: [{ ratings: [0], question: '' }] }],
    ['Select at least one rating.', { followUps: [{ ratings: [], question: 'Why?' }] }],
    ['Select at least one rating.', { thanks: [{ ratings: [], text: 'Thanks' }] }],
    ['Enter both labels, or leave both empty.', { endLabels: { low: '', high: 'Yes' } }],
    [
      'Enter the missing labels, or leave all labels empty.',
      { words: { values: ['', ...Array(10).fill('x')] } },
    ],
    [
      'Remove this language, and add it again with a language code such as de or pt-BR.',
      { locales: { 'not one': {} } },
    ],
    [
      'Another breakdown has this name. Enter a different one.',
      { segments: { plan: ['a'], 'plan ': ['a'] } },
    ],
    [
      'The name must start with a letter and have up to 64 letters, digits, and the characters _ . and -.',
      { segments: { '1st': ['a'] } },
    ],
    ...(
      [
        ['Enter a question.', { text: '' }],
        ['Enter an ID.', { id: undefined }],
        ['Use up to 32 lowercase letters, digits, and hyphens. Each ID must be unique.', { id: 'My id' }],
        ['Enter both labels, or leave both empty.', { endLabels: { low: 'Hard', high: '' } }],
        ['Select a number that is higher than the lowest number.', { max: 0 }],
      ] as const
    ).map(([words, part]): [string, Patch] => {
      const question = { id: 'effort', kind: 'scale' as const, text: 'How easy?', min: 0, max: 7, ...part };
      return [words, { questions: [JSON.parse(JSON.stringify(question))] }];
    }),
    ['The survey is too long. Shorten texts or remove a language.', { question: 'x'.repeat(9_000) }],
  ])('says “%s”', (words, patch) => {
    expect(problemsIn(changed(NPS, patch), { taken: [] }).map((problem) => problem.words)).toEqual([words]);
  });
});

describe('wordsFor', () => {
  it('keeps sentences, and makes sentences of other messages of the service', () => {
    expect(wordsFor('reasons', 'Use earlier reasons again.')).toBe('Use earlier reasons again.');
    expect(wordsFor('retention', 'can only be changed from the command line')).toBe(
      'The retention period can only be changed from the command line.',
    );
    expect(wordsFor('corner', 'is missing')).toBe('Enter a value.');
  });
});
