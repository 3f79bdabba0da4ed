import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, BUCKETS, type DaySpan } from '../../../../shared/domain/days.ts';
import { HOUR } from '../../../../shared/domain/duration.ts';
import { type DayCounts, sumResults } from '../../../../shared/domain/results/results.ts';
import {
  type CellRule,
  cellRule,
  dayCells,
  readSpan,
  valueCells,
} from '../../../../shared/domain/results/small-cells.ts';
import {
  type SegmentDay,
  segmentResults,
  valueResults,
} from '../../../../shared/domain/results/value-results.ts';
import type { Segment, ValuePlace } from '../../../../shared/domain/surveys/segments.ts';

/** This day is a Monday. */
const FIRST = '2026-11-02';
const SEGMENT: Segment = { name: 'plan', values: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] };
/** The current time is Wednesday of the third week. */
const RULE = cellRule(5, Date.parse('2026-11-18T12:00:00.000Z'));

/** The answers of one day, by segment value. Answers without a value are not counted in the segment. */
type Answered = readonly [day: number, place: ValuePlace | undefined, count: number];

const dayOf = (day: number): string => addDays(FIRST, day);
function daysOf(answers: readonly Answered[]): DayCounts[] {
  const days = [...new Set(answers.map(([day]) => day))].sort((a, b) => a - b);
  return days.map((day) => {
    const count = answers.filter(([each]) => each === day).reduce((sum, [, , more]) => sum + more, 0);
    return {
      day: dayOf(day),
      ratings: new Map([[9, count]]),
      reasons: new Map([[0, count]]),
      counters: new Map([['comments', count]]),
    };
  });
}
function segmentDaysOf(answers: readonly Answered[]): SegmentDay[] {
  const days = [...new Set(answers.map(([day]) => day))].sort((a, b) => a - b);
  return days.map((day) => {
    const ratings = answers.flatMap(([each, place, count]) =>
      each === day && place !== undefined ? [{ place, rating: 9, count }] : [],
    );
    const said = ratings.map(({ place, count }) => ({ place, counter: 'comments' as const, count }));
    return { day: dayOf(day), ratings, said, byValue: ratings.reduce((sum, { count }) => sum + count, 0) };
  });
}

const within = <Item extends { readonly day: string }>(
  items: readonly Item[],
  span: DaySpan | undefined,
): Item[] => items.filter(({ day }) => span !== undefined && day >= span.from && day <= span.to);

function shown(
  answers: readonly Answered[],
  span: DaySpan,
  rule: CellRule,
  by: (typeof BUCKETS)[number] = 'day',
  isByDay = true,
) {
  const read = readSpan(span, rule);
  const all = within(daysOf(answers), read);
  const days = dayCells(all, span, rule, isByDay);
  const cells = valueCells(SEGMENT, { days: within(segmentDaysOf(answers), read), all }, span, rule);
  return {
    all: sumResults('nps', days, span, by),
    values: segmentResults('nps', SEGMENT, cells),
    alone: (value: string | null) => valueResults('nps', { segment: SEGMENT, value }, cells, span, 'week'),
  };
}
const spanOf = (from: number, to: number): DaySpan => ({ from: dayOf(from), to: dayOf(to) });
const points = ({ series }: ReturnType<typeof sumResults>) =>
  series.map(({ responses, withheld }) => (withheld ? [responses, 'withheld'] : responses));
const rows = (values: ReturnType<typeof segmentResults>) =>
  Object.fromEntries(values.map(({ value, responses }) => [String(value), responses]));

describe('days', () => {
  it('are shown with enough ratings, and otherwise merged with the next smallest of their week', () => {
    const answers: Answered[] = [
      [0, 0, 7],
      [1, 0, 2],
      [2, 0, 6],
      [4, 0, 9],
    ];
    const { all } = shown(answers, spanOf(0, 6), RULE);
    expect(points(all)).toEqual([7, [0, 'withheld'], [0, 'withheld'], 0, 9, 0, 0]);
    expect([all.responses, all.comments]).toEqual([24, 24]);
    expect(points(shown(answers, spanOf(0, 6), RULE, 'week').all)).toEqual([24]);
  });

  it('that are merged into a cell count only in a span that contains all of them', () => {
    const answers: Answered[] = [
      [0, 0, 7],
      [1, 0, 2],
      [2, 0, 6],
    ];
    expect(shown(answers, spanOf(1, 2), RULE).all.responses).toBe(8);
    const { all } = shown(answers, spanOf(0, 1), RULE);
    expect([all.responses, points(all)]).toEqual([7, [7, [0, 'withheld']]]);
  });

  it('are one cell in a week that values divide, which counts only in a span that contains the week', () => {
    const answers: Answered[] = [
      [0, 0, 7],
      [2, 0, 6],
      [8, 0, 4],
    ];
    const pointsIn = (from: number, to: number) =>
      points(shown(answers, spanOf(from, to), RULE, 'week', false).all);
    expect(pointsIn(0, 13)).toEqual([13, [0, 'withheld']]);
    expect(pointsIn(0, 5)).toEqual([[0, 'withheld']]);
    expect(pointsIn(1, 6)).toEqual([[0, 'withheld']]);
  });

  it('are hidden if their week has too few ratings', () => {
    const { all, values } = shown([[1, 0, 4]], spanOf(0, 6), RULE, 'week');
    expect([all.responses, all.comments, points(all)]).toEqual([0, 0, [[0, 'withheld']]]);
    expect(rows(values)).toEqual({});
  });

  it.each(['dismissals', 'modelRequested', 'shows'] as const)(
    'hide their %s as well, also without a rating',
    (counter) => {
      const without = (day: number, count: number): DayCounts => ({
        ...{ day: dayOf(day), ratings: new Map(), reasons: new Map(), counters: new Map([[counter, count]]) },
      });
      const inWeek = (days: readonly DayCounts[], isByDay: boolean) =>
        sumResults('nps', dayCells(days, spanOf(0, 6), RULE, isByDay), spanOf(0, 6), 'day');
      for (const isByDay of [true, false]) {
        const alone = inWeek([without(1, 1), without(3, 0)], isByDay);
        expect([alone[counter] ?? 0, alone.series.filter(({ withheld }) => withheld).length]).toEqual(
          isByDay ? [0, 1] : [0, 7],
        );
      }
      const beside = inWeek(
        [
          ...daysOf([
            [0, 0, 7],
            [2, 0, 6],
          ]),
          without(1, 1),
        ],
        true,
      );
      expect([beside.responses, beside[counter]]).toEqual([13, 1]);
      expect(beside.series.map(({ withheld = false }) => withheld).slice(0, 4)).toEqual([
        ...[false, true, true, false],
      ]);
      expect(inWeek([without(1, 0)], true).series.some(({ withheld }) => withheld)).toBe(false);
    },
  );

  it('are shown an hour after their week ends, so that the last answers are counted', () => {
    const monday = Date.parse('2026-11-16T00:00:00.000Z');
    expect(cellRule(5, monday + HOUR - 1).shownTo).toBe('2026-11-08');
    expect(cellRule(5, monday + HOUR).shownTo).toBe('2026-11-15');
  });

  it('are hidden in an incomplete week, whatever the number of answers', () => {
    const { all, values } = shown([[14, 0, 90]], spanOf(7, 16), RULE, 'week');
    expect(RULE.shownTo).toBe('2026-11-15');
    expect([all.responses, points(all)]).toEqual([0, [0, [0, 'withheld']]]);
    expect(rows(values)).toEqual({});
  });
});

describe('values', () => {
  it('with too few ratings are merged with the next smallest of their week', () => {
    const answers: Answered[] = [
      [0, 0, 9],
      [1, 1, 6],
      [2, 2, 3],
      [8, 0, 5],
      [9, 2, 5],
    ];
    const { values, alone, all } = shown(answers, spanOf(0, 13), RULE, 'week');
    expect(rows(values)).toEqual({ a: 14, b: 0, c: 5, few: 9 });
    expect(values.at(-1)?.value).toBe('few');
    expect(alone('a').series.map(({ responses }) => responses)).toEqual([9, 5]);
    expect([alone('c').responses, alone('c').comments]).toEqual([5, 5]);
    expect(all.responses).toBe(28);
  });

  it('are withheld if they were merged in a week and one of them is requested', () => {
    const answers: Answered[] = [
      [0, 0, 10],
      [7, 0, 3],
      [8, 1, 20],
      [9, 2, 9],
    ];
    const { alone } = shown(answers, spanOf(0, 13), RULE, 'week');
    const weeksOf = (value: string) =>
      alone(value).series.map(({ responses, withheld }) => (withheld ? 'withheld' : responses));
    expect(weeksOf('a')).toEqual([10, 'withheld']);
    expect(weeksOf('c')).toEqual([0, 'withheld']);
    expect(weeksOf('b')).toEqual([0, 20]);
  });

  it('are shown only for weeks completely within the span', () => {
    const answers: Answered[] = [
      [0, 0, 9],
      [8, 0, 9],
    ];
    expect(rows(shown(answers, spanOf(1, 13), RULE).values)).toEqual({ a: 9, b: 0, c: 0 });
    expect(rows(shown(answers, spanOf(0, 12), RULE).values)).toEqual({ a: 9, b: 0, c: 0 });
  });

  it('include the missing and the undeclared value', () => {
    const answers: Answered[] = [
      [0, 'none', 3],
      [0, 'other', 3],
      [0, 0, 9],
    ];
    expect(rows(shown(answers, spanOf(0, 6), RULE).values)).toEqual({ a: 9, b: 0, c: 0, few: 6 });
  });

  it('are not shown in a week in which too few people are outside the segment', () => {
    const of = (uncounted: number): Answered[] => [
      [0, 0, 9],
      [0, 1, 9],
      [1, undefined, uncounted],
    ];
    expect(rows(shown(of(4), spanOf(0, 6), RULE).values)).toEqual({});
    expect(rows(shown(of(5), spanOf(0, 6), RULE).values)).toEqual({ a: 9, b: 9, c: 0 });
  });
});

it('reveals no count below the minimum, even by subtracting spans', () => {
  const place = fc.constantFrom<ValuePlace | undefined>(0, 1, 2, 'other', 'none', undefined);
  const answers = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 20 }), place, fc.integer({ min: 1, max: 12 })),
    { maxLength: 40 },
  );
  const days = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 4, maxLength: 4 });
  const least = fc.integer({ min: 2, max: 9 });
  fc.assert(
    fc.property(
      answers,
      days,
      least,
      fc.constantFrom(...BUCKETS),
      fc.boolean(),
      (given, ends, smallest, by, isByDay) => {
        const rule = { ...RULE, least: smallest };
        const [outer0 = 0, inner0 = 0, inner1 = 0, outer1 = 0] = ends.toSorted((a, b) => a - b);
        const [outer, inner] = [
          shown(given, spanOf(outer0, outer1), rule, by, isByDay),
          shown(given, spanOf(inner0, inner1), rule, by, isByDay),
        ];
        const numbers: number[] = [];
        for (const each of [outer, inner]) {
          numbers.push(each.all.responses, ...each.all.series.map(({ responses }) => responses));
          numbers.push(
            each.all.responses - each.all.series.reduce((sum, { responses }) => sum + responses, 0),
          );
          numbers.push(...each.values.map(({ responses }) => responses));
          for (const value of ['a', 'b', 'c', 'other', 'few', null])
            numbers.push(...each.alone(value).series.map(({ responses }) => responses));
        }
        numbers.push(outer.all.responses - inner.all.responses);
        for (const { value, responses } of outer.values)
          numbers.push(responses - (inner.values.find((each) => each.value === value)?.responses ?? 0));
        for (const number of numbers) expect(number === 0 || number >= smallest).toBe(true);
        // In whole weeks, the answers outside the shown values are no small number either.
        const whole = shown(given, spanOf(0, 13), rule);
        const left = whole.all.responses - whole.values.reduce((sum, { responses }) => sum + responses, 0);
        expect(left === 0 || left >= smallest).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

it('shows complete weeks unchanged with a minimum of one rating', () => {
  const answers: Answered[] = [
    [0, 0, 1],
    [3, 1, 2],
  ];
  const { all, values } = shown(answers, spanOf(0, 6), { ...RULE, least: 1 });
  expect(points(all)).toEqual([1, 0, 0, 2, 0, 0, 0]);
  expect(rows(values)).toEqual({ a: 1, b: 2, c: 0 });
});
