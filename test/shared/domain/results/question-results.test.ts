import { describe, expect, it } from 'vitest';
import { addDays } from '../../../../shared/domain/days.ts';
import {
  type QuestionCounter,
  type QuestionDay,
  questionResults,
} from '../../../../shared/domain/results/question-results.ts';
import { questionCells } from '../../../../shared/domain/results/small-cells.ts';
import { knownQuestions } from '../../../../shared/domain/surveys/questions.ts';
import type { KnownQuestion } from '../../../../shared/domain/surveys/survey.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';

const choices = (...codes: string[]) => codes.map((code) => ({ code, label: code.toUpperCase() }));
const EVER: KnownQuestion[] = [
  { id: 'gone', kind: 'text', text: 'Gone?' },
  { id: 'role', kind: 'one', text: 'Old?', choices: choices('dev', 'old', 'ops'), reworded: '2026-11-03' },
  { id: 'use', kind: 'many', text: 'What for?', choices: choices('a', 'b', 'c') },
  { id: 'effort', kind: 'scale', text: 'How easy?', min: 1, max: 3 },
];
const SURVEY = aSurvey(
  { questionsEver: EVER },
  {
    questions: [
      { id: 'effort', kind: 'scale', text: 'How easy?', min: 1, max: 3 },
      { id: 'role', kind: 'one', text: 'Your role?', choices: choices('ops', 'dev') },
      { id: 'use', kind: 'many', text: 'What for?', choices: choices('a', 'b', 'c') },
    ],
  },
);
const [GONE, ROLE, USE, EFFORT] = [0, 1, 2, 3] as const;

type Counted = readonly [question: number, of: QuestionCounter, count: number];
const on = (day: string, ...counts: Counted[]): QuestionDay => ({
  day,
  counts: counts.map(([question, of, count]) => ({ question, of, count })),
});
const resultsOf = (...counts: Counted[]) => questionResults(SURVEY, [on('2026-11-02', ...counts)]);
const named = (id: string, ...counts: Counted[]) => resultsOf(...counts).find((each) => each.id === id);

describe('results of questions', () => {
  it('are in the order of the survey, followed by removed questions that have answers', () => {
    expect(resultsOf().map(({ id, asked }) => [id, asked])).toEqual([
      ['effort', 0],
      ['role', 0],
      ['use', 0],
    ]);
    expect(resultsOf([GONE, 'answered', 1]).map(({ id }) => id)).toEqual(['effort', 'role', 'use', 'gone']);
    expect(resultsOf([GONE, 'skipped', 1])).toHaveLength(3);
    expect(named('gone', [GONE, 'answered', 1])).not.toHaveProperty('choices');
  });

  it('count everybody whom the rating asked, also across days, and nothing below zero', () => {
    const [, role] = questionResults(SURVEY, [
      on('2026-11-02', [ROLE, 'answered', 2], [ROLE, 'skipped', -1], [ROLE, 0, 2]),
      on('2026-11-04', [ROLE, 'answered', 1], [ROLE, 'notReached', 4], [ROLE, 0, 1]),
    ]);
    expect(role).toMatchObject({
      ...{ kind: 'one', text: 'Your role?', reworded: '2026-11-03' },
      ...{ asked: 7, answered: 3, skipped: 0, notReached: 4 },
    });
  });

  it('have choices by place, in the order of the question, and removed ones with answers after them', () => {
    const counts = named('role', [ROLE, 'answered', 10], [ROLE, 0, 3], [ROLE, 1, 2], [ROLE, 2, 5])?.choices;
    // Agresti–Coull, as for choices of a survey.
    const shares = [
      ['ops', 'OPS', 5, 50, 23.6593, 76.3407],
      ['dev', 'DEV', 3, 30, 10.3338, 60.7675],
      ['old', 'OLD', 2, 20, 4.5887, 52.0632],
    ] as const;
    expect(counts).toEqual(
      shares.map(([code, label, count, value, low, high]) => ({
        ...{ code, label, count },
        share: { value, low: expect.closeTo(low, 3), high: expect.closeTo(high, 3) },
      })),
    );
    expect(named('role')?.choices).toEqual([
      { code: 'ops', label: 'OPS', count: 0, share: null },
      { code: 'dev', label: 'DEV', count: 0, share: null },
    ]);
  });

  it('of several choices have shares of the people who answered, not of the choices', () => {
    const use = named('use', [USE, 'answered', 4], [USE, 0, 4], [USE, 1, 2]);
    expect(use?.choices?.map(({ share }) => share?.value)).toEqual([100, 50, 0]);
  });

  it('of a scale have its mean with Student’s t, and its distribution', () => {
    // t(3) = 3.182446; the sample variance is 2/3.
    const effort = named('effort', [EFFORT, 'answered', 4], [EFFORT, 1, 1], [EFFORT, 2, 2], [EFFORT, 3, 1]);
    const half = 3.182446 * Math.sqrt(2 / 3 / 4);
    expect(effort).toMatchObject({
      score: {
        ...{ value: 2, confidence: 0.95 },
        ...{ low: expect.closeTo(Math.max(1, 2 - half), 4), high: expect.closeTo(Math.min(3, 2 + half), 4) },
      },
      distribution: [
        { value: 1, count: 1 },
        { value: 2, count: 2 },
        { value: 3, count: 1 },
      ],
    });
    expect(named('effort')).toMatchObject({ score: null });
  });
});

describe('in small cells of 5', () => {
  /** A Monday. */
  const FIRST = '2026-11-02';
  const RULE = { least: 5, shownTo: '2026-11-15' };
  const shown = (
    weeks: readonly (readonly Counted[])[],
    ratings = 20,
    span = { from: FIRST, to: RULE.shownTo },
  ) => {
    const dayOf = (week: number) => addDays(FIRST, 7 * week + 1);
    const all = weeks.map((_, week) => ({
      ...{ day: dayOf(week), ratings: new Map([[9, ratings]]), reasons: new Map(), counters: new Map() },
    }));
    const days = weeks.map((counts, week) => on(dayOf(week), ...counts));
    return questionResults(SURVEY, questionCells(knownQuestions(SURVEY), { days, all }, span, RULE));
  };
  const role = (answered: number, skipped: number, ...places: number[]): Counted[] => [
    [ROLE, 'answered', answered],
    [ROLE, 'skipped', skipped],
    ...places.map((count, place): Counted => [ROLE, place, count]),
  ];
  const use = (answered: number, ...places: number[]): Counted[] => [
    [USE, 'answered', answered],
    ...places.map((count, place): Counted => [USE, place, count]),
  ];

  it.each<[string, number, number, number, boolean]>([
    ['enough people answered and did not', 5, 5, 10, true],
    ['everybody answered', 5, 0, 5, true],
    ['nobody answered', 0, 5, 5, true],
    ['few answered', 4, 9, 0, false],
    ['few did not answer', 9, 4, 0, false],
  ])('a week in which %s has the right numbers', (_, answered, skipped, asked, isShown) => {
    const [, found] = shown([role(answered, skipped, answered)]);
    expect([found?.asked, found?.withheld ?? false]).toEqual([asked, !isShown]);
    expect(found?.answered).toBe(isShown ? answered : 0);
  });

  it('weeks are shown only if they are complete, within the period and have enough ratings', () => {
    const counts = role(5, 0, 5);
    expect(shown([counts], 4)[1]?.asked).toBe(0);
    expect(shown([counts], 20, { from: addDays(FIRST, 1), to: RULE.shownTo })[1]?.asked).toBe(0);
    expect(shown([[], [], counts], 20, { from: FIRST, to: '2026-11-22' })[1]?.asked).toBe(0);
  });

  it.each<[string, readonly (readonly Counted[])[], string, Record<string, number>, object | undefined]>([
    ['large', [role(11, 0, 5, 0, 6)], 'role', { dev: 5, ops: 6 }, undefined],
    ['small', [role(14, 0, 1, 5, 8)], 'role', { dev: 0, ops: 8 }, { codes: ['dev', 'old'], count: 6 }],
    [
      'small in one of two weeks',
      [role(14, 0, 1, 5, 8), role(9, 0, 9)],
      'role',
      { dev: 9, ops: 8 },
      { codes: ['dev', 'old'], count: 6 },
    ],
    [
      'of many, small and large',
      [use(9, 9, 6, 1)],
      'use',
      { a: 9, b: 0, c: 0 },
      { codes: ['b', 'c'], count: 7 },
    ],
    // Three choices of perhaps the same person.
    ['of many, small', [use(6, 3, 3, 2)], 'use', { a: 0, b: 0, c: 0 }, { codes: ['a', 'b', 'c'], count: 8 }],
  ])('choices that are %s are shown or merged with the next smallest', (_, weeks, id, counts, few) => {
    const found = shown(weeks).find((each) => each.id === id);
    const { choices = [] } = found ?? {};
    expect(Object.fromEntries(choices.map(({ code, count }) => [code, count]))).toMatchObject(counts);
    expect(found?.few).toEqual(few);
    for (const { code, share } of choices)
      expect(share === null).toBe(found?.few?.codes.includes(code) ?? false);
  });
});
