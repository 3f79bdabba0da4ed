import { describe, expect, it } from 'vitest';
import { valueWords } from '../../../../pages/console/rules/change-words.ts';
import { changed, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';
import { problemsIn } from '../../../../pages/console/rules/problems.ts';
import { declaredIn, keyedRows, segmentRows } from '../../../../pages/console/rules/segment-rows.ts';

const survey = newSurvey('nps', []);
const problemsOf = (segments: ReturnType<typeof declaredIn>) =>
  problemsIn(changed(survey, { segments }), { taken: [] }).map(({ path, words }) => [path, words]);

describe('segments as somebody types them', () => {
  it('are what a file declares, there and back', () => {
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

  it('that have one name are both kept until one is named otherwise', () => {
    const rows = segmentRows({ plan: ['free'] }).concat({ name: 'plan', from: 'label', values: 'a' });
    const keys = keyedRows(rows).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    expect(problemsOf(declaredIn(rows))).toEqual([
      [`segments.${keys[1]}.name`, expect.stringContaining('a unique name')],
    ]);
  });

  it.each([
    ['', 'trait', 'free', 'name', 'Enter a unique name'],
    ['identityKind', 'trait', 'free', 'name', 'already has this breakdown'],
    ['taskType', 'label', 'free', 'name', 'reserved for the task type'],
    ['Model', 'label', 'free', 'name', 'hyphens for a label'],
    ['plan', 'trait', '', 'values', 'List the values'],
    ['plan', 'trait', 'a, a', 'values', 'twice'],
    ['plan', 'label', 'other', 'values', 'counted as'],
    ['by', 'channel', 'Web Page', 'values', 'hyphens for a channel'],
  ] as const)('%j of %s with %j says at its %s what to do', (name, from, values, field, words) => {
    expect(problemsOf(declaredIn([{ name, from, values }]))).toEqual([
      [`segments.${name}.${field}`, expect.stringContaining(words)],
    ]);
  });

  it('are told in words', () => {
    expect(valueWords('segments.plan', ['free', 'pro'])).toBe('free, pro');
    expect(valueWords('segments.model', { from: 'label', values: ['a'] })).toBe('a (label)');
  });
});
