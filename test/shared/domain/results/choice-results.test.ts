import { describe, expect, it } from 'vitest';
import {
  choiceCounts,
  choiceDifferences,
  choicesInOrder,
} from '../../../../shared/domain/results/choice-results.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';

const choice = (code: string, label = code.toUpperCase()) => ({ code, label });
const EVER = ['a', 'b', 'c'].map((code) => choice(code));
/** Lists `c` before `a` and no longer lists `b`. */
const SURVEY = aSurvey(
  { choicesEver: [choice('a', 'Old'), choice('b'), choice('c')] },
  { type: 'choice', choices: [choice('c'), choice('a', 'New')] },
);
const bar = (...counts: number[]) => ({
  responses: counts.reduce((sum, count) => sum + count, 0),
  distribution: counts.map((count, rating) => ({ rating, count })),
});

it('orders choices as the survey lists them, followed by earlier ones with their last label', () => {
  expect(choicesInOrder(SURVEY)).toEqual([
    { code: 'c', label: 'C', rating: 2 },
    { code: 'a', label: 'New', rating: 0 },
    { code: 'b', label: 'B', rating: 1 },
  ]);
});

it.each([
  [
    [0, 0, 0],
    ['c', 'a'],
  ],
  [
    [1, 0, 3],
    ['c', 'a'],
  ],
  [
    [0, 1, 0],
    ['c', 'a', 'b'],
  ],
])('shows the counts %j as %j, and earlier choices only with answers', (counts, codes) => {
  expect(choiceCounts(SURVEY, bar(...counts)).map(({ code }) => code)).toEqual(codes);
});

describe('the share of a choice', () => {
  // Agresti–Coull with n + z² = 13.841459: p is (count + 1.920729) / 13.841459, ± z √(p (1 − p) / 13.841459).
  it.each([
    [5, 50, 23.6593, 76.3407],
    [3, 30, 10.3338, 60.7675],
    [2, 20, 4.5887, 52.0632],
    [0, 0, 0, 32.0887],
    [10, 100, 67.9113, 100],
  ])('of %i of 10 is %d %% from %d to %d', (count, value, low, high) => {
    const [shown] = choiceCounts(SURVEY, { ...bar(0, 10 - count, count), responses: 10 });
    expect(shown).toMatchObject({ code: 'c', count });
    for (const [name, wanted] of Object.entries({ value, low, high }))
      expect(shown?.share).toHaveProperty(name, expect.closeTo(wanted, 3));
  });

  it('is null without responses', () => {
    expect(choiceCounts(SURVEY, bar(0, 0, 0))).toMatchObject([{ share: null }, { share: null }]);
  });
});

describe('the differences of the shares', () => {
  // 6/12 − 3/10 ± z √(0.25/12 + 0.21/10), where z is 2.241403 for two codes and 2.39398 for three (0.975 and 0.991667).
  it.each([
    ['two', [5, 5], [2, 6], 'a', 25, -25.8439, 65.8439],
    ['three', [5, 3, 2], [2, 2, 4], 'a', 25, -28.9645, 68.9645],
    // 4/12 − 3/10 ± z √(0.222222/12 + 0.21/10), and 3/12 − 5/10 ± z √(0.1875/12 + 0.25/10).
    ['three', [5, 3, 2], [2, 2, 4], 'b', 5, -44.2572, 50.9239],
    ['three', [5, 3, 2], [2, 2, 4], 'c', -30, -73.2522, 23.2522],
  ])(
    'of %s choices, %j and %j, are wider than one: %s differs by %d, from %d to %d',
    (_, one, other, code, ...hand) => {
      const choices = EVER.slice(0, one.length);
      const survey = aSurvey({}, { type: 'choice', choices });
      const found = choiceDifferences(survey, bar(...one), bar(...other));
      expect(found?.map((each) => each.code)).toEqual(choices.map((each) => each.code));
      const [value, low, high] = hand.map((each) => expect.closeTo(each, 3));
      expect(found?.find((each) => each.code === code)).toEqual({ code, value, low, high });
    },
  );

  it('include an earlier choice if either side has answers', () => {
    const codes = (one: number[], other: number[]) =>
      choiceDifferences(SURVEY, bar(...one), bar(...other))?.map(({ code }) => code);
    expect(codes([1, 0, 0], [0, 1, 0])).toEqual(['c', 'a', 'b']);
    expect(codes([1, 0, 0], [0, 0, 1])).toEqual(['c', 'a']);
  });

  it('are null if either side has no answers', () => {
    expect(choiceDifferences(SURVEY, bar(1), bar(0))).toBeNull();
    expect(choiceDifferences(SURVEY, bar(0), bar(1))).toBeNull();
  });
});
