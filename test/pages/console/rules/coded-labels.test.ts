import { describe, expect, it } from 'vitest';
import {
  changedAt,
  movedUp,
  withAdded,
  withoutEntry,
  withPart,
} from '../../../../pages/console/rules/coded-labels.ts';
import {
  changed,
  lostBetween,
  newSurvey,
  replacing,
  retyped,
} from '../../../../pages/console/rules/edited-survey.ts';
import { problemsIn } from '../../../../pages/console/rules/problems.ts';
import {
  changedQuestion,
  ofKind,
  withQuestion,
  withQuestions,
} from '../../../../pages/console/rules/questions.ts';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { CHOICES } from '../../../support/fixtures/builders.ts';

const stored = changed(newSurvey('choice', []), {
  choices: CHOICES,
  locales: { de: { choices: { price: 'Zu teuer', other: 'Anderes' } } },
});
const codesOf = ({ choices = [] }: WrittenSurvey) => choices.map(({ code }) => code);
/** Adds a choice and types its label letter by letter. */
function typed(survey: WrittenSurvey, base: WrittenSurvey | undefined, label: string): WrittenSurvey {
  const at = survey.choices?.length ?? 0;
  let next = changed(survey, withAdded(survey, base, 'choices'));
  for (let length = 1; length <= label.length; length++)
    next = changed(next, withPart(next, base, 'choices', at, { label: label.slice(0, length) }));
  return next;
}
const codeOf = (label: string, survey = newSurvey('choice', []), base?: WrittenSurvey) =>
  codesOf(typed(survey, base, label)).at(-1);

describe('a question after the rating', () => {
  const choices = ['reports', 'alerts'].map((code) => ({ code, label: code }));
  const use = { id: 'use', kind: 'many' as const, text: 'What for?', choices, ratings: [9, 10] };
  const asking = changed(newSurvey('nps', []), {
    questions: [use, { id: 'more', kind: 'text', text: 'Else?' }],
    locales: { de: { questions: { use: { text: 'Wofür?', choices: { alerts: 'Alarme' } } } } },
  });

  it('takes its translations along to another id, and loses them with what it loses', () => {
    const renamed = changed(asking, changedQuestion(asking, 0, { ...use, id: 'job' }));
    expect(renamed.locales?.de?.questions).toEqual({
      job: { text: 'Wofür?', choices: { alerts: 'Alarme' } },
    });
    const { next, codeOf } = changedAt(choices, undefined, 1, { label: 'Alarms' });
    const recoded = changed(asking, changedQuestion(asking, 0, { ...use, choices: next }, codeOf));
    expect(recoded.locales?.de?.questions?.use?.choices).toEqual({ alarms: 'Alarme' });
    const scale = ofKind(use, 'scale');
    expect(scale).toEqual({ id: 'use', kind: 'scale', text: 'What for?', ratings: [9, 10], min: 1, max: 5 });
    const retold = changed(asking, changedQuestion(asking, 0, scale));
    expect(retold.locales?.de?.questions).toEqual({ use: { text: 'Wofür?' } });
    const without = changed(asking, withQuestions(asking, asking.questions?.slice(1)));
    expect(without.locales).toEqual({ de: {} });
  });

  it('has a new id, also after one was removed, and no ratings that another type does not have', () => {
    const one = changed(asking, withQuestion(asking, undefined));
    const two = changed(asking, withQuestion(asking, one));
    expect([one.questions?.at(-1)?.id, two.questions?.at(-1)?.id]).toEqual(['question', 'question-2']);
    expect(retyped(asking, 'ces', []).questions?.[0]).not.toHaveProperty('ratings');
    expect(lostBetween(asking, retyped(asking, 'choice', []), [])).toEqual(['questions']);
  });
});

describe('the code of a choice', () => {
  it('is made from its label, and differs from all other codes', () => {
    expect(codeOf('Trop cher, hélas!')).toBe('trop-cher-helas');
    expect(codeOf('Something else', stored)).toBe('something-else');
    expect(codeOf('Other', stored)).toBe('other-2');
    expect(codeOf('constructor')).toBe('constructor-2');
  });

  it.each([
    ['高すぎる', '使いにくい'],
    ['C', 'C#'],
    ['I could not find the feature A', 'I could not find the feature B'],
  ])('is another one for another label: %s, %s', (one, another) => {
    expect(codeOf(one)).toMatch(/^[a-z0-9][a-z0-9-]{0,31}$/);
    expect(codeOf(one)).not.toBe(codeOf(another));
  });

  it('stays once it is stored, and until then its translations move along', () => {
    const reworded = changed(stored, withPart(stored, stored, 'choices', 0, { label: 'The price' }));
    expect(reworded.choices?.[0]).toEqual({ code: 'price', label: 'The price', low: true });
    const fresh = changed(stored, withPart(stored, undefined, 'choices', 0, { label: 'Cost' }));
    expect(codesOf(fresh)).toEqual(['cost', 'missing', 'other']);
    expect(fresh.locales?.de?.choices).toEqual({ cost: 'Zu teuer', other: 'Anderes' });
  });

  it('is not the code of a choice that the draft removed, also while the label is typed', () => {
    const without = changed(stored, withoutEntry(stored, 'choices', 0));
    expect(without.locales?.de?.choices).toEqual({ other: 'Anderes' });
    expect(codesOf(typed(without, stored, 'Price of an extra seat'))).toEqual([
      'missing',
      'other',
      'price-of-an-extra-seat',
    ]);
    expect(codeOf('Price', without, stored)).toBe('price-2');
  });

  it('stays when choices change places or marks', () => {
    const moved = changed(stored, movedUp(stored, 'choices', 2));
    expect(codesOf(moved)).toEqual(['price', 'other', 'missing']);
    const marked = changed(moved, withPart(moved, stored, 'choices', 0, { low: undefined, words: true }));
    expect(marked.choices?.[0]).toEqual({ code: 'price', label: 'Too expensive', words: true });
    expect(marked.locales).toEqual(stored.locales);
  });
});

describe('a change of the type of a new survey', () => {
  const full = changed(newSurvey('nps', []), {
    followUpQuestion: 'Why?',
    followUps: [{ ratings: [0], question: 'What went wrong?' }],
    reasons: [{ code: 'slow', label: 'Slow' }],
    endLabels: { low: 'No', high: 'Yes' },
    words: { send: 'Go', values: ['Never', 'Always'] },
    thanks: [{ ratings: [9], text: 'Great' }, { text: 'Thanks' }],
    locales: { de: { question: 'Wie?', followUpQuestion: 'Warum?', reasons: { slow: 'Langsam' } } },
  });
  const as = (type: WrittenSurvey['type'], survey = full) => retyped(survey, type, []);

  it('removes what the type does not have, so that nothing hidden is refused', () => {
    expect(as('open')).toEqual({
      ...newSurvey('open', []),
      words: { send: 'Go' },
      thanks: { text: 'Thanks' },
      locales: { de: { question: 'Wie?' } },
    });
    expect(problemsIn(as('open'), { taken: [] })).toEqual([]);
    const { followUpQuestion, reasons, locales } = full;
    expect(as('choice')).toEqual({
      ...newSurvey('choice', []),
      ...{ followUpQuestion, reasons, locales },
      words: { send: 'Go' },
      thanks: { text: 'Thanks' },
    });
    expect(as('nps', changed(stored, { shuffle: true }))).toEqual({
      ...newSurvey('nps', []),
      locales: { de: {} },
    });
  });

  it('can be undone if it removed something', () => {
    expect(lostBetween(full, as('open'), [])).toEqual([
      ...['followUpQuestion', 'followUps', 'reasons', 'endLabels', 'words', 'thanks', 'locales.de'],
    ]);
    expect(changed(as('open'), replacing(as('open'), full))).toEqual(full);
    const fresh = newSurvey('choice', []);
    expect(lostBetween(fresh, as('open', fresh), [])).toEqual([]);
  });
});

describe('the problems of choices', () => {
  const problemsOf = (choices: WrittenSurvey['choices']) =>
    problemsIn({ ...newSurvey('choice', []), choices: choices ?? [] }, { taken: [] });

  it.each([
    [[], [{ path: 'choices', words: 'Enter 2 to 8 choices.' }]],
    [[{ code: 'a', label: '' }, ...CHOICES], [{ path: 'choices[0].label', words: 'Enter a choice.' }]],
    [
      [{ code: 'a', label: 'x'.repeat(61) }, ...CHOICES],
      [{ path: 'choices[0].label', words: 'The choice must be at most 60 characters.' }],
    ],
  ])('of %j are in sentences', (choices, problems) => {
    expect(problemsOf(choices)).toEqual(problems);
  });
});
