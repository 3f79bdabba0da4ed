import { describe, expect, it } from 'vitest';
import { changed, newSurvey, retyped } from '../../../../pages/console/rules/edited-survey.ts';
import { problemsIn } from '../../../../pages/console/rules/problems.ts';
import {
  declaredIn,
  keyedRows,
  readOperand,
  segmentRows,
  spreadLabels,
  toLocal,
  typedEnd,
  typedLabel,
  typedThanks,
  typedTime,
  writeOperand,
} from '../../../../pages/console/rules/typed-values.ts';

describe('the value of a condition', () => {
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
  ] as const)('with the operator %s is read from %j', (op, typed, value) => {
    expect(readOperand(op, typed)).toEqual(value);
  });

  it.each([['pro'], ['10'], ['true'], [10], [false], [''], ['a, b'], ['"quoted"'], [['pro', '10', 10]]])(
    '%j is the same after it is written and read',
    (value) => {
      const op = Array.isArray(value) ? 'in' : 'eq';
      expect(readOperand(op, writeOperand(value))).toEqual(value === '' ? undefined : value);
    },
  );
});

describe('labels', () => {
  const values = ['Poor', '', 'So', '', 'Good'];
  const survey = changed(newSurvey('csat', []), {
    words: { values },
    locales: { de: { words: { values } } },
  });

  it('of the two ends stay a pair until another rating has one', () => {
    const ends = { values: ['Poor', 'Good'] };
    expect(spreadLabels('csat', ends.values)).toEqual(['Poor', '', '', '', 'Good']);
    expect(typedLabel('csat', ends, 4, 'Great').values).toEqual(['Poor', 'Great']);
    expect(typedLabel('csat', ends, 2, 'So').values).toEqual(['Poor', '', 'So', '', 'Good']);
  });

  it('exist for every rating while one of them does', () => {
    expect(typedLabel('pmf', undefined, 1, 'Somewhat').values).toEqual(['', 'Somewhat', '']);
    const words = { send: 'Go', values: ['', 'Somewhat', ''] };
    expect(typedLabel('pmf', words, 1, '')).toEqual({ send: 'Go' });
  });

  it('that are missing are a problem of their field, in each language', () => {
    expect(problemsIn(survey, { taken: [] }).map(({ path }) => path)).toEqual([
      'words.values[1]',
      'words.values[3]',
      'locales.de.words.values[1]',
      'locales.de.words.values[3]',
    ]);
  });

  it('do not survive a change of the type, in any language', () => {
    expect(retyped(survey, 'pmf', [])).toEqual(changed(newSurvey('pmf', []), { locales: { de: {} } }));
  });

  it('of the ends, and the thank-you message, are removed when every text is empty', () => {
    expect(typedEnd({ low: 'No', high: '' }, 'high', 'Yes')).toEqual({ low: 'No', high: 'Yes' });
    expect(typedEnd({ low: 'No', high: '' }, 'low')).toBeUndefined();
    expect(typedThanks(undefined, { url: 'https://a' })).toEqual({
      text: '',
      link: { label: '', url: 'https://a' },
    });
    expect(typedThanks({ text: 'Thanks' }, { text: '' })).toBeUndefined();
  });
});

it.each(['0002-12-01T09:00', '0020-12-01T09:00', '0202-12-01T09:00'])(
  'treats %s as a year that is still being typed',
  (typed) => {
    expect(typedTime(typed)).toBe('unfinished');
  },
);

it('reads a time as it was typed, and an empty field as no time', () => {
  const time = typedTime('2026-12-01T09:00') ?? '';
  expect(time).toMatch(/^2026-1[12]-\d\dT\d\d:\d\d:00\.000Z$/);
  expect(toLocal(time)).toBe('2026-12-01T09:00');
  expect([typedTime(''), toLocal('soon')]).toEqual([undefined, '']);
});

describe('breakdowns', () => {
  const problemsOf = (segments: ReturnType<typeof declaredIn>) =>
    problemsIn(changed(newSurvey('nps', []), { segments }), { taken: [] }).map(({ path, words }) => [
      path,
      words,
    ]);

  it('are the same after they are written as rows and read', () => {
    const segments = {
      plan: ['free', 'pro, yearly', '"x"'],
      model: { from: 'label', values: ['a'] },
    } as const;
    expect(segmentRows(segments)).toEqual([
      { name: 'plan', from: 'trait', values: 'free, "pro, yearly", ""x""' },
      { name: 'model', from: 'label', values: 'a' },
    ]);
    expect(declaredIn(segmentRows({ plan: ['free', 'pro, yearly'] }))).toEqual({
      plan: ['free', 'pro, yearly'],
    });
    expect(declaredIn([])).toBeUndefined();
  });

  it('with the same name are both kept until one gets another name', () => {
    const rows = segmentRows({ plan: ['free'] }).concat({ name: 'plan', from: 'label', values: 'a' });
    const keys = keyedRows(rows).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    expect(problemsOf(declaredIn(rows))).toEqual([
      [`segments.${keys[1]}.name`, expect.stringContaining('Another breakdown has this name')],
    ]);
  });

  it.each([
    ['', 'trait', 'free', 'name', 'Enter a name.'],
    ['identityKind', 'trait', 'free', 'name', 'must not be identityKind'],
    ['taskType', 'label', 'free', 'name', 'must have another name'],
    ['Model', 'label', 'free', 'name', 'must have the name of a label'],
    ['plan', 'trait', '', 'values', 'must have at least one value'],
    ['plan', 'trait', 'a, a', 'values', 'twice'],
    ['plan', 'label', 'other', 'values', 'must not be other'],
    ['by', 'channel', 'Web Page', 'values', 'must have channels, which have'],
  ] as const)(
    'by %j with source %s and values %j have a problem in their %s',
    (name, from, values, field, words) => {
      expect(problemsOf(declaredIn([{ name, from, values }]))).toEqual([
        [`segments.${name}.${field}`, expect.stringContaining(words)],
      ]);
    },
  );
});
