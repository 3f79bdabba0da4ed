import { describe, expect, it } from 'vitest';
import { changed, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';
import { warningsOf } from '../../../../pages/console/rules/warnings.ts';
import { CHOICES } from '../../../support/fixtures/builders.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const quiet = changed(newSurvey('nps', []), { status: 'active', samplePercent: 10 });
const warn = (patch: Parameters<typeof changed>[1], base = quiet) =>
  warningsOf(base, changed(base, patch), NOW);

describe('warnings', () => {
  it('do not appear for harmless changes', () => {
    expect(warn({ thanks: { text: 'Thank you' } })).toEqual([]);
    expect(warningsOf(undefined, newSurvey('nps', []), NOW)).toEqual([]);
  });

  it('say that responses are added up when the question changes, unless the survey was never published', () => {
    const words =
      'Responses from before and after this change count toward the same score. To keep them apart, create a new survey.';
    expect(warn({ question: 'Another?' })).toEqual([words]);
    expect(warn({ words: { values: ['Never', 'Always'] } })).toEqual([words]);
    expect(warn({ question: 'Another?' }, changed(quiet, { status: 'draft' }))).toEqual([]);
  });

  it.each([
    [{ samplePercent: undefined }, /No condition or percentage limits who is asked/],
    [{ samplePercent: 0 }, /no one is asked/],
    [{ targeting: [{ trait: 'plan', op: 'eq', value: 'pro' }] }, /can change the score by itself/],
    [{ endsAt: '2026-05-01T00:00:00Z' }, /end time has passed/],
    [{ repeat: '1d' }, /within a week/],
    [{ limits: { ignoreQuietPeriod: true } }, /ignores the quiet period/],
    [{ presentation: 'inline' }, /data-canvass="nps"/],
    [{ trigger: 'manual' }, /canvass\.show\('nps'\)/],
    [{ trigger: 'person' }, /no longer have a response rate.* data-canvass-open="nps"/],
    [{ status: 'paused' }, /will no longer be shown/],
    [{ locales: { de: {} } }, /The German translation is missing the question\./],
  ] as const)('appear for %j', (patch, words) => {
    expect(warn(patch as Parameters<typeof changed>[1]).join(' ')).toMatch(words);
  });

  it('name entries whose ratings all belong to earlier ones, and translations that they lack', () => {
    const entry = (...ratings: number[]) => ({ ratings, question: 'Why?', text: 'Thanks' });
    const lists = { followUps: [entry(0, 1), entry(3), entry(1, 3)], thanks: [entry(9, 10), entry(8, 9)] };
    expect(warn({ ...lists, locales: { de: { question: 'Wie?', followUps: [entry(3)] } } })).toEqual([
      'The follow-up question for ratings 1 and 3 never appears, because earlier ones have the same ratings.',
      'The German translation is missing some follow-up questions by rating and some thank-you messages by rating. People see the original text instead.',
    ]);
  });

  it('name questions that are removed or reworded, and their missing translations', () => {
    const base = changed(quiet, {
      questions: [
        { id: 'use', kind: 'one', text: 'What for?', choices: CHOICES },
        { id: 'more', kind: 'text', text: 'Else?' },
      ],
      locales: { de: { question: 'Wie?', questions: { more: { text: 'Sonst?' } } } },
    });
    const [, more] = base.questions ?? [];
    expect(warn({ questions: [{ ...more, text: 'More?' }] as typeof base.questions }, base)).toEqual([
      'The question “What for?” will no longer be asked. Its answers are kept.',
      'Earlier answers to “Else?” will count as answers to “More?”. If it means something else, add a question with a new ID instead.',
    ]);
    expect(warn({}, base)).toEqual([
      'The German translation is missing some texts of the questions after the rating. People see the original text instead.',
    ]);
  });

  it('name what a translation lacks, and skip complete translations', () => {
    const patch = {
      samplePercent: 10,
      followUpQuestion: 'Why?',
      endLabels: { low: 'No', high: 'Yes' },
      reasons: [{ code: 'price', label: 'Price' }],
      thanks: { text: 'Thanks' },
    };
    const whole = {
      question: 'Wie?',
      followUpQuestion: 'Warum?',
      endLabels: { low: 'Nein', high: 'Ja' },
      reasons: { price: 'Preis' },
      thanks: { text: 'Danke' },
    };
    const told = warn({ ...patch, locales: { de: { question: 'Wie?' }, fr: whole } }).join(' ');
    expect(told).toContain(
      'The German translation is missing the follow-up question, the scale labels, some reasons, and the thank-you message.',
    );
    expect(told).not.toContain('French');
  });

  it('name removed and reworded choices, which count on, and reasons that nobody sees', () => {
    const asked = changed(newSurvey('choice', []), { status: 'active', samplePercent: 10, choices: CHOICES });
    const [price, missing, other] = CHOICES;
    const choices = [{ ...price, label: 'Its price', low: undefined }, other];
    expect(
      warn({ question: 'Why?', choices, reasons: [missing] } as Parameters<typeof changed>[1], asked),
    ).toEqual([
      'Responses from before and after this change count toward the same results. To keep them apart, create a new survey.',
      'Earlier responses with “Too expensive” will count as “Its price”. If it means something else, add a choice instead.',
      'The choice “Something is missing” will no longer be offered. Responses with this choice still count.',
      'The reasons never appear, because no choice counts as a low rating.',
    ]);
    expect(warn({ locales: { de: { question: 'Wie?', choices: { price: 'Preis' } } } }, asked)).toEqual([
      'The German translation is missing some choices. People see the original text instead.',
    ]);
  });

  it('name removed reasons and languages', () => {
    const full = changed(quiet, {
      reasons: [{ code: 'price', label: 'Price' }],
      locales: { de: { question: 'Wie?' } },
    });
    expect(warn({ reasons: undefined, locales: undefined }, full)).toEqual([
      'The reason “Price” will no longer be offered. Responses with this reason still count.',
      'People who read German will see the survey’s original language.',
    ]);
  });
});
