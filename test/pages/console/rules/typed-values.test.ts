import { describe, expect, it } from 'vitest';
import { changed, newSurvey, retyped } from '../../../../pages/console/rules/edited-survey.ts';
import { problemsIn } from '../../../../pages/console/rules/problems.ts';
import {
  readOperand,
  spreadWords,
  toLocal,
  typedTime,
  typedWords,
  writeOperand,
} from '../../../../pages/console/rules/typed-values.ts';

describe('what a trait is compared with', () => {
  it.each([
    ['eq', 'pro', 'pro'],
    ['eq', '10', 10],
    ['eq', ' true ', true],
    ['eq', '"10"', '10'],
    ['eq', '"true"', 'true'],
    ['gt', '-2.5', -2.5],
    ['in', 'pro, team', ['pro', 'team']],
    ['in', '1, "1", "a, b",', [1, '1', 'a, b']],
    ['eq', '', undefined],
    ['in', '  ', undefined],
    ['eq', '01a', '01a'],
  ] as const)('%s, typed as %j', (op, typed, value) => {
    expect(readOperand(op, typed)).toEqual(value);
  });

  it.each([['pro'], ['10'], ['true'], [10], [false], [''], ['a, b'], ['"quoted"'], [['pro', '10', 10]]])(
    'is read as it was written: %j',
    (value) => {
      const op = Array.isArray(value) ? 'in' : 'eq';
      expect(readOperand(op, writeOperand(value))).toEqual(value === '' ? undefined : value);
    },
  );
});

it('words of the two ends stay so until another answer has one', () => {
  expect(spreadWords('csat', ['Poor', 'Good'])).toEqual(['Poor', '', '', '', 'Good']);
  expect(typedWords('csat', ['Poor', 'Good'], 4, 'Great')).toEqual(['Poor', 'Great']);
  expect(typedWords('csat', ['Poor', 'Good'], 2, 'So')).toEqual(['Poor', '', 'So', '', 'Good']);
});

it('words of each answer are there while one of them is', () => {
  expect(typedWords('pmf', undefined, 1, 'Somewhat')).toEqual(['', 'Somewhat', '']);
  expect(typedWords('pmf', ['', 'Somewhat', ''], 1, '')).toBeUndefined();
});

it('a word that is missing is said at its place, in each language', () => {
  const values = ['Poor', '', 'So', '', 'Good'];
  const survey = changed(newSurvey('csat', []), {
    words: { values },
    locales: { de: { words: { values } } },
  });
  expect(problemsIn(survey, { taken: [] }).map(({ path }) => path)).toEqual([
    'words.values[1]',
    'words.values[3]',
    'locales.de.words.values[1]',
    'locales.de.words.values[3]',
  ]);
});

it('of another type nothing is left of them, in no language', () => {
  const values = ['Poor', 'Good'];
  const survey = changed(newSurvey('csat', []), {
    words: { values },
    locales: { de: { words: { values } } },
  });
  expect(retyped(survey, 'pmf', [])).toEqual(changed(newSurvey('pmf', []), { locales: { de: {} } }));
});

it.each(['0002-12-01T09:00', '0020-12-01T09:00', '0202-12-01T09:00'])('%s is a year being typed', (typed) => {
  expect(typedTime(typed)).toBe('unfinished');
});

it('a time is read as it was typed, and an empty control is none', () => {
  const time = typedTime('2026-12-01T09:00') ?? '';
  expect(time).toMatch(/^2026-1[12]-\d\dT\d\d:\d\d:00\.000Z$/);
  expect(toLocal(time)).toBe('2026-12-01T09:00');
  expect([typedTime(''), toLocal('soon')]).toEqual([undefined, '']);
});
