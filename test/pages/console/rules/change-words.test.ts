import { readdirSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { changeWords, newSurveyWords, valueWords } from '../../../../pages/console/rules/change-words.ts';
import { changed, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';
import { personWords, WIDGET_LANGUAGES } from '../../../../pages/console/rules/field-words.ts';
import { CHOICES } from '../../../support/fixtures/builders.ts';

const said = (field: string, before: unknown, after: unknown) => {
  const [words] = changeWords([{ field, before, after }]);
  return `${words?.name}: ${words?.before ?? 'not set'} → ${words?.after ?? 'not set'}`;
};

describe('the review', () => {
  it.each([
    ['status', 'draft', 'active', 'Status: Draft → Active'],
    ['question', 'Old?', 'New?', 'Question: “Old?” → “New?”'],
    ['samplePercent', null, 10, 'Percentage of people asked: not set → 10%'],
    ['repeat', null, '90d', 'How often each person is asked: not set → again after 90 days'],
    [
      'repeat',
      'session',
      { answered: '90d', dismissed: '14d' },
      'How often each person is asked: once per session → again 90 days after a response or 14 days after a dismissal',
    ],
    ['limits.quietPeriod', '7d', '1d', 'Quiet period: 7 days → 1 day'],
    ['limits.quietPeriod', '7d', '0', 'Quiet period: 7 days → none'],
    ['limits.maxResponses', 1_000, 0, 'Maximum responses: 1,000 responses → no limit'],
    [
      'on',
      { event: 'order-paid' },
      { event: 'order-paid', after: '2s', times: 3 },
      'Event: after order-paid → 2 seconds after order-paid has happened 3 times',
    ],
    ['delayMs', 0, 1_500, 'Delay: no delay → 1.5 seconds'],
    [
      'targeting',
      null,
      [
        { trait: 'plan', op: 'in', value: ['pro', 'team'] },
        { trait: 'seats', op: 'gte', value: 10 },
      ],
      'Conditions: not set → plan is one of pro or team and seats is at least 10',
    ],
    [
      'targeting',
      [{ trait: 'beta', op: 'exists', value: false }],
      [],
      'Conditions: beta is not known → everyone',
    ],
    ['reasons', null, [{ code: 'a', label: 'Price' }], 'Reasons: not set → “Price”'],
    [
      'choices',
      CHOICES,
      CHOICES.slice(1),
      'Choices: “Too expensive” (low), “Something is missing”, “Something else” (asks for a comment) → “Something is missing”, “Something else” (asks for a comment)',
    ],
    ['shuffle', null, true, 'Shuffle the choices: not set → yes'],
    ['locales.de', null, { choices: { price: 'Preis' } }, 'German: not set → “Preis”'],
    [
      'thanks',
      null,
      { text: 'Thanks', link: { label: 'More', url: 'https://a.example' } },
      'Thank-you message: not set → “Thanks”, “More”, “https://a.example”',
    ],
    ['locales.de', { question: 'Alt?' }, undefined, 'German: “Alt?” → not set'],
    ['presentation', 'corner', 'banner', 'Where it appears: in a corner → as a banner'],
    ['trigger', 'auto', 'person', 'When it appears: automatically → when the person opens it'],
    ['segments.plan', null, ['free', 'pro'], 'Breakdown by plan: not set → free, pro'],
  ])('writes a change of %s from %j to %j', (field, before, after, words) => {
    expect(said(field, before, after)).toBe(words);
  });

  it('shows times in the time zone of the person', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(said('startsAt', null, '2026-12-01T09:00:00.000Z').replaceAll(/\s/g, ' ')).toBe(
      'Start time: not set → Dec 1, 2026, 10:00 AM Germany Time',
    );
  });

  it('lists the fields of a new survey, which a dry run does not list', () => {
    const survey = changed(newSurvey('nps', []), {
      targeting: [{ trait: 'plan', op: 'eq', value: 'pro' }],
      trigger: 'person',
      locales: { de: { question: 'Neu?' } },
    });
    expect(newSurveyWords(survey).map(({ name, after }) => `${name}: ${after}`)).toEqual([
      'Status: Draft',
      'Type: NPS',
      'Question: “How likely are you to recommend us to a friend or colleague?”',
      'Conditions: plan is pro',
      'When it appears: when the person opens it',
      'Where it appears: in a corner',
      'German: “Neu?”',
    ]);
  });

  it('describes questions with their choices or ends, and the ratings that ask them', () => {
    const choices = [
      { code: 'a', label: 'Reports' },
      { code: 'b', label: 'Alerts' },
    ];
    expect(
      valueWords('questions', [
        { id: 'use', kind: 'many', text: 'What for?', choices, ratings: [9, 10] },
        {
          id: 'effort',
          kind: 'scale',
          text: 'How easy?',
          min: 0,
          max: 7,
          endLabels: { low: 'No', high: 'Yes' },
        },
        { id: 'more', kind: 'text', text: 'Else?' },
      ]),
    ).toBe(
      '“What for?” (choose many, “Reports”, “Alerts”, ratings 9 and 10); “How easy?” (0 to 7, “No”, “Yes”); “Else?” (text)',
    );
  });

  it('names the source of a breakdown unless it is a trait', () => {
    expect(valueWords('segments.model', { from: 'label', values: ['a'] })).toBe('a (label)');
  });

  it.each([
    [null, 'someone else'],
    ['operator', 'an administrator'],
    ['ann@example.com', 'ann@example.com'],
    ['0123456789ab', 'key 0123456789ab'],
  ])('calls the author %j %s', (changedBy, words) => {
    expect(personWords(changedBy)).toBe(words);
  });
});

it('lists the languages of the widget’s files', () => {
  const files = readdirSync(new URL('../../../../shared/words/languages', import.meta.url));
  expect(WIDGET_LANGUAGES).toEqual(files.map((file) => file.replace('.ts', '')).sort());
});
