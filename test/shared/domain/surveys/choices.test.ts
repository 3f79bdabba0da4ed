import { describe, expect, it } from 'vitest';
import { surveyOfFile } from '../../../../shared/contract/survey-file.ts';
import { readSurvey, surveyItem } from '../../../../shared/data/projects/project-item.ts';
import { orderedFor } from '../../../../shared/domain/surveys/sticky-hash.ts';
import {
  choiceOf,
  definitionOf,
  isLowRating,
  isOnScale,
  type Survey,
  scaleOf,
} from '../../../../shared/domain/surveys/survey.ts';
import { applyUpdate, newSurvey } from '../../../../shared/domain/surveys/survey-plan.ts';
import { brokenRules } from '../../../../shared/domain/surveys/survey-rules.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';

const NOW = Date.parse('2026-11-20T09:30:00Z');
const price = { code: 'price', label: 'Too expensive', low: true };
const bugs = { code: 'bugs', label: 'Too many faults' };
const other = { code: 'other', label: 'Something else', words: true };

const listing = (...choices: { code: string; label: string }[]) =>
  aSurvey({}, { slug: 'why', type: 'choice', choices });

const created = (survey: Survey) =>
  newSurvey(survey.id, { content: survey.content, status: survey.status, limits: {} }, NOW);
const changed = (before: Survey, { content }: Survey) =>
  applyUpdate({ before, after: { id: before.id, limits: {}, status: 'active', content } }, NOW);

describe('the rating of a choice', () => {
  const first = created(listing(price, bugs));
  const later = changed(first, listing(other, bugs));

  it('is the number that its code received first, in every later order', () => {
    expect(definitionOf(later)).toMatchObject({
      choices: [
        { ...other, rating: 2 },
        { ...bugs, rating: 1 },
      ],
      scale: { min: 0, max: 2 },
    });
  });

  it('stays valid, low and named after its choice is removed', () => {
    expect(isOnScale(0, later)).toBe(true);
    expect(isOnScale(3, later)).toBe(false);
    expect([0, 1, 2].map((rating) => isLowRating(later, rating))).toEqual([true, false, false]);
    expect(choiceOf(later, 0)).toEqual(price);
    expect(later.choicesEver?.[0]).toEqual(price);
  });

  it('belongs to a removed choice again when its code is listed again', () => {
    expect(changed(later, listing(bugs, { ...price, label: 'Price' })).choicesEver).toEqual([
      { ...price, label: 'Price' },
      bugs,
      { code: 'other', label: 'Something else' },
    ]);
  });

  it('is at most 10, so a survey can have 11 choices over time', () => {
    const codes = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => ({ code: `c${from + at}`, label: 'A choice' }));
    const full = changed(created(listing(...codes(0, 8))), listing(...codes(8, 11)));
    const { content } = listing(...codes(10, 12));
    const plan = {
      created: [],
      updated: [
        { before: full, after: { id: full.id, limits: {}, status: 'active' as const, content }, changes: [] },
      ],
      unchanged: [],
      archived: [],
    };
    expect(brokenRules([full], plan, NOW)).toMatchObject([{ field: 'choices' }]);
  });
});

it('is 0 and never low for an open question', () => {
  const open = aSurvey({}, { type: 'open' });
  expect(scaleOf(open)).toEqual({ min: 0, max: 0 });
  expect([isLowRating(open, 0), isOnScale(1, open), choiceOf(open, 0)]).toEqual([false, false, undefined]);
});

describe('the order of shuffled choices', () => {
  const choices = ['a', 'b', 'c', 'd'].map((code) => ({ code, words: false }));

  it('stays the same for one person, and each choice is first for a fair share of people', () => {
    const first = (person: string) => orderedFor(choices, person, 'sv_1')[0]?.code;
    const people = Array.from({ length: 1_000 }, (_, at) => `person-${at}`);
    expect(people.map(first)).toEqual(people.map(first));
    for (const { code } of choices) {
      const times = people.filter((person) => first(person) === code).length;
      expect(times).toBeGreaterThan(200);
      expect(times).toBeLessThan(300);
    }
  });

  it('has the choices that ask for words last', () => {
    const mixed = [{ code: 'other', words: true }, ...choices];
    for (const person of ['ann', 'ben', 'cleo'])
      expect(orderedFor(mixed, person, 'sv_1').at(-1)?.code).toBe('other');
  });
});

describe('a file', () => {
  const choice = { slug: 'why', type: 'choice', question: 'Why?', choices: [price, other] };
  const open = { slug: 'more', type: 'open', question: 'What else?' };
  const problemsOf = (survey: object) =>
    surveyOfFile
      .safeParse(survey)
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

  it.each([
    [
      'choices, which may be shuffled and translated',
      { ...choice, shuffle: true, locales: { de: { choices: { price: 'Zu teuer' } } } },
    ],
    ['reasons and a comment for a choice', { ...choice, followUpQuestion: 'Tell us more', reasons: [bugs] }],
    ['an open question with thanks', { ...open, thanks: { text: 'Thanks.' } }],
  ])('may have %s', (_, survey) => {
    expect(problemsOf(survey)).toEqual([]);
  });

  it.each([
    [{ ...choice, choices: undefined }, 'choices: is missing. A survey of type choice has 2 to 8 choices'],
    [{ ...choice, choices: [price] }, 'choices: must have at least 2 choices'],
    [
      { ...choice, choices: [price, price] },
      'choices.1.code: must not be the code of another choice of this survey',
    ],
    [
      { ...choice, choices: [price, { code: 'constructor', label: 'x' }] },
      'choices.1.code: must be another name, because this one is reserved',
    ],
    [
      { ...choice, locales: { de: { choices: { cost: 'x' } } } },
      'locales.de.choices.cost: must be the code of a choice of this survey',
    ],
    [{ ...choice, endLabels: { low: 'a', high: 'b' } }, 'endLabels: must be absent with type: choice'],
    [{ ...choice, words: { values: ['a', 'b'] } }, 'words.values: must be absent with type: choice'],
    [{ ...choice, thanks: [{ ratings: [0], text: 'x' }] }, 'thanks: must be a map with type: choice'],
    [{ ...choice, type: 'nps' }, 'choices: must be absent unless type is choice'],
    [{ ...open, shuffle: true }, 'shuffle: must be absent unless type is choice'],
    [{ ...open, reasons: [bugs] }, 'reasons: must be absent with type: open'],
    [{ ...open, followUpQuestion: 'Why?' }, 'followUpQuestion: must be absent with type: open'],
    [
      { ...open, locales: { de: { followUpQuestion: 'Warum?' } } },
      'locales.de.followUpQuestion: must be absent with type: open',
    ],
  ])('is refused with the reason: %j', (survey, problem) => {
    expect(problemsOf(JSON.parse(JSON.stringify(survey)))).toContain(problem);
  });
});

it.each(['locales', 'words', 'thanks'])('refuses a file whose %s is empty, whatever the type', (field) => {
  for (const type of ['nps', 'choice', 'open'])
    expect(surveyOfFile.safeParse({ slug: 'a', type, question: 'Why?', [field]: null }).success).toBe(false);
});

it('drops what an older release added to a survey that it took for NPS', () => {
  const row = surveyItem('p', created(aSurvey({}, { type: 'open', locales: { de: { question: 'Was?' } } })));
  const content = {
    ...(row.content as object),
    ...{ followUpQuestion: 'Why?', endLabels: { low: 'a', high: 'b' } },
    locales: { de: { question: 'Was?', followUpQuestion: 'Warum?' } },
  };
  expect(readSurvey({ ...row, content }).content).toMatchObject({ locales: { de: { question: 'Was?' } } });
  expect(JSON.stringify(readSurvey({ ...row, content }))).not.toMatch(/followUpQuestion|endLabels/);
});

it('keeps the numbers of choices that were stored without them', () => {
  const { choicesEver: _, ...stored } = created(listing(price, bugs));
  expect(changed(stored, listing(bugs, other)).choicesEver).toMatchObject([price, bugs, { code: 'other' }]);
});

it('stores a paused survey of a type that older releases know, and reads the real one', () => {
  const locales = { de: { question: 'Warum?', choices: { bugs: 'Fehler' } }, fr: { question: 'Pourquoi ?' } };
  const survey = created(aSurvey({}, { type: 'choice', choices: [price, bugs], shuffle: true, locales }));
  const row = surveyItem('p', survey);
  expect(row).toMatchObject({ status: 'paused', content: { type: 'nps' } });
  expect(JSON.stringify(row.content)).not.toMatch(/choices|shuffle/);
  expect(row).not.toHaveProperty('choicesEver');
  expect(readSurvey(row)).toEqual(survey);
  expect(readSurvey({ ...row, status: 'archived' }).status).toBe('archived');
  const open = created(aSurvey({ status: 'draft' }, { type: 'open' }));
  expect(readSurvey(surveyItem('p', open))).toEqual(open);
  for (const type of ['csat', 'open'] as const) {
    const started = created(aSurvey({}, { type, trigger: 'person', locales }));
    const stored = surveyItem('p', started);
    expect(stored).toMatchObject({ status: 'paused', content: { trigger: 'manual' } });
    expect(readSurvey(stored)).toEqual(started);
    const content = { ...aSurvey({}, { type: 'nps', samplePercent: 5, delayMs: 9 }).content };
    expect(readSurvey({ ...stored, content }).content).toMatchObject({ type, trigger: 'person' });
    expect(readSurvey({ ...stored, content }).content.samplePercent).toBeUndefined();
  }
});
