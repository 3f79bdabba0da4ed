import { describe, expect, it, vi } from 'vitest';
import { changeWords, newSurveyWords } from '../../../../pages/console/rules/change-words.ts';
import { changed, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';

const said = (field: string, before: unknown, after: unknown) => {
  const [words] = changeWords([{ field, before, after }]);
  return `${words?.name}: ${words?.before ?? 'nothing'} → ${words?.after ?? 'nothing'}`;
};

describe('changes in words', () => {
  it.each([
    ['status', 'draft', 'active', 'Status: Draft → Active'],
    ['question', 'Old?', 'New?', 'Question: “Old?” → “New?”'],
    ['samplePercent', null, 10, 'Percentage of people asked: nothing → 10%'],
    ['repeat', null, '90d', 'Repeat: nothing → after 90 days'],
    [
      'repeat',
      'session',
      { answered: '90d', dismissed: '14d' },
      'Repeat: once per session → after 90 days if answered, after 14 days if closed',
    ],
    ['limits.quietPeriod', '7d', '1d', 'Quiet period: 7 days → 1 day'],
    ['delayMs', 0, 1_500, 'Delay: no time → 1.5 seconds'],
    [
      'targeting',
      null,
      [
        { trait: 'plan', op: 'in', value: ['pro', 'team'] },
        { trait: 'seats', op: 'gte', value: 10 },
      ],
      'Audience: nothing → plan is one of pro or team, and seats is at least 10',
    ],
    [
      'targeting',
      [{ trait: 'beta', op: 'exists', value: false }],
      [],
      'Audience: beta is not known → everyone',
    ],
    ['reasons', null, [{ code: 'a', label: 'Price' }], 'Reasons: nothing → “Price”'],
    [
      'thanks',
      null,
      { text: 'Thanks', link: { label: 'More', url: 'https://a.example' } },
      'Thanks: nothing → “Thanks”, “More”, “https://a.example”',
    ],
    ['locales.de', { question: 'Alt?' }, undefined, 'German: “Alt?” → nothing'],
    ['presentation', 'corner', 'banner', 'Where it appears: in a corner of the page → a banner'],
  ])('of %s: %j to %j', (field, before, after, words) => {
    expect(said(field, before, after)).toBe(words);
  });

  it('give times in the time zone of the person', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(said('startsAt', null, '2026-12-01T09:00:00.000Z').replaceAll(/\s/g, ' ')).toBe(
      'Starts: nothing → Dec 1, 2026, 10:00 AM Germany Time',
    );
  });

  it('tell of a new survey what it asks whom, of which a dry run knows nothing', () => {
    const survey = changed(newSurvey('nps', []), {
      targeting: [{ trait: 'plan', op: 'eq', value: 'pro' }],
      locales: { de: { question: 'Neu?' } },
    });
    expect(newSurveyWords(survey).map(({ name, after }) => `${name}: ${after}`)).toEqual([
      'Status: Draft',
      'Type: NPS',
      'Question: “How likely are you to recommend us to a friend or colleague?”',
      'Audience: plan is pro',
      'Where it appears: in a corner of the page',
      'German: “Neu?”',
    ]);
  });
});
