/**
 * Protects small groups from readers without access to comments (docs/contract.md §17.8). Small cells are merged within
 * their week, or withheld. Cells depend on whole past weeks and not on the requested span, and each week is divided in
 * only one way, so subtracting replies reveals nothing.
 */

import { addDays, countDays, type DaySpan, dayAt, mondayOf } from '../days.ts';
import { HOUR } from '../duration.ts';
import { FEW_VALUE, type Segment, type ShownPlace, valueAt } from '../surveys/segments.ts';
import type { KnownQuestion } from '../surveys/survey.ts';
import { REACHED } from './contribution.ts';
import { type QuestionDay, questionCounts } from './question-results.ts';
import { type Cell, type DayCounts, daysOf } from './results.ts';
import { countAll } from './statistics.ts';
import type { SegmentDay } from './value-results.ts';

/** The default for projects that are created with the command line. */
export const DEFAULT_SMALLEST_CELL = 5;
export const MOST_SMALLEST_CELL = 50;

const WEEK_DAYS = 7;

export interface CellRule {
  /** The number of ratings that a cell needs to be shown. */
  readonly least: number;
  /** The latest Sunday that ended at least an hour ago. */
  readonly shownTo: string;
}

/** Leaves enough time for late answers, because the stream takes only seconds. */
const COUNTED_BY_MS = HOUR;

export const cellRule = (least: number, now: number): CellRule => ({
  least,
  shownTo: addDays(mondayOf(dayAt(now - COUNTED_BY_MS)), -1),
});

export function readSpan({ from, to }: DaySpan, { shownTo }: CellRule): DaySpan | undefined {
  const sunday = addDays(mondayOf(to), WEEK_DAYS - 1);
  const read = { from: mondayOf(from), to: sunday < shownTo ? sunday : shownTo };
  return read.from <= read.to ? read : undefined;
}

interface Partition<Item> {
  readonly alone: readonly Item[];
  /** Items that are large enough together. May be empty. */
  readonly few: readonly Item[];
  readonly leftOut: readonly Item[];
}

/**
 * Merges each small item with the next smallest until they are large enough. Empty items are not merged.
 * @param areTogether whether merged items are large enough; not a sum if people are in several of them
 */
function partition<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  least: number,
  isEmpty = (item: Item): boolean => sizeOf(item) === 0,
  areTogether = (few: readonly Item[]): boolean => few.reduce((sum, item) => sum + sizeOf(item), 0) >= least,
): Partition<Item> {
  const isSmall = (item: Item): boolean => !isEmpty(item) && sizeOf(item) < least;
  const few = items.filter(isSmall);
  if (few.length === 0) return { alone: items, few, leftOut: [] };
  const large = items.filter((item) => sizeOf(item) >= least).sort((a, b) => sizeOf(a) - sizeOf(b));
  const isEnough = (): boolean => areTogether(few);
  for (const next of large) {
    if (isEnough()) break;
    few.push(next);
  }
  const alone = items.filter((item) => !few.includes(item));
  return isEnough() ? { alone, few, leftOut: [] } : { alone, few: [], leftOut: few };
}

const addTo = <Key>(sums: Map<Key, number>, counts: Iterable<readonly [Key, number]>): Map<Key, number> => {
  for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count);
  return sums;
};
const sumOf = <Key>(all: readonly Iterable<readonly [Key, number]>[]): Map<Key, number> =>
  all.reduce<Map<Key, number>>(addTo, new Map());

const ratingsOf = ({ ratings }: DayCounts): number => Math.max(0, countAll(ratings));

/** A cell without ratings can still have dismissals, shows, and answers that a model asked for. */
const isNothing = (cell: DayCounts): boolean =>
  ratingsOf(cell) === 0 && [...cell.counters.values()].every((count) => count <= 0);

function byWeek<Item extends Cell>(days: readonly Item[]): Map<string, Item[]> {
  const weeks = new Map<string, Item[]>();
  for (const item of days) {
    const monday = mondayOf(item.day);
    weeks.set(monday, [...(weeks.get(monday) ?? []), item]);
  }
  return weeks;
}

const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => addDays(first, index));

const leftOut = (days: readonly string[]): DayCounts => ({
  ...{ day: days[0] ?? '', days, isLeftOut: true },
  ...{ ratings: new Map(), reasons: new Map(), counters: new Map() },
});

function together(cells: readonly DayCounts[], days = cells.map(({ day }) => day)): DayCounts {
  return {
    day: days[0] ?? '',
    days,
    ratings: sumOf(cells.map(({ ratings }) => ratings)),
    reasons: sumOf(cells.map(({ reasons }) => reasons)),
    counters: sumOf(cells.map(({ counters }) => counters)),
  };
}

function daysToCome({ from, to }: DaySpan, { shownTo }: CellRule): DayCounts[] {
  const first = from > shownTo ? from : addDays(shownTo, 1);
  return first > to ? [] : [leftOut(daysFrom(first, countDays({ from: first, to })))];
}

function cellsByDay(week: readonly DayCounts[], { least }: CellRule): DayCounts[] {
  const { alone, few, leftOut: small } = partition(week, ratingsOf, least, isNothing);
  const merged = few.length === 0 ? [] : [together(few)];
  return [...alone, ...merged, ...(small.length === 0 ? [] : [leftOut(small.map(({ day }) => day))])];
}

function wholeWeek(monday: string, week: readonly DayCounts[], { least }: CellRule): DayCounts {
  const cell = together(week, daysFrom(monday, WEEK_DAYS));
  return ratingsOf(cell) < least && !isNothing(cell) ? leftOut(cell.days ?? []) : cell;
}

/**
 * Omits cells that are partly outside the span or too small.
 * @param days all of `readSpan`
 * @param isByDay whether weeks are divided by day; not if their values are shown
 */
export function dayCells(
  days: readonly DayCounts[],
  span: DaySpan,
  rule: CellRule,
  isByDay: boolean,
): DayCounts[] {
  const isInside = (day: string): boolean => day >= span.from && day <= span.to;
  const cells = [...byWeek(days)].flatMap(([monday, week]) =>
    isByDay ? cellsByDay(week, rule) : [wholeWeek(monday, week, rule)],
  );
  const shown = cells.flatMap((cell) => {
    const inside = daysOf(cell).filter(isInside);
    if (inside.length === 0) return [];
    return inside.length === daysOf(cell).length ? [cell] : [leftOut(inside)];
  });
  return [...shown, ...daysToCome(span, rule)];
}

const nothingBy = (days: readonly string[]): SegmentDay => ({
  ...{ day: days[0] ?? '', days, isLeftOut: true },
  ...{ ratings: [], said: [], byValue: 0 },
});

/**
 * Decides whether to count the next open contact request of a day. A cell has no more of them than the contact requests
 * that results show for it, which exclude those of answers that a model asked for.
 */
export function contactRoom(cells: readonly DayCounts[]): (day: string) => boolean {
  const left = new Map(cells.map((cell) => [cell, cell.counters.get('followUps') ?? 0]));
  return (day) => {
    const cell = cells.find((each) => daysOf(each).includes(day));
    const room = (cell && left.get(cell)) ?? 0;
    if (cell !== undefined) left.set(cell, room - 1);
    return room > 0;
  };
}

/** A total over all time, rounded down, because each new answer would change an exact one. */
export const shownTotal = (total: number, rule: CellRule | undefined): number =>
  total - (total % (rule?.least ?? 1));

/** For a segment that does not divide the weeks. */
export const noValues = ({ from, to }: DaySpan): SegmentDay[] => [
  nothingBy(daysFrom(from, countDays({ from, to }))),
];

/**
 * Merges small values within each week. Omits weeks that are partly outside the span or have too few people outside the
 * segment.
 * @param days days of the segment in all of `readSpan`
 * @param all the same days for all answers
 */
export function valueCells(
  segment: Segment,
  { days, all }: { readonly days: readonly SegmentDay[]; readonly all: readonly DayCounts[] },
  span: DaySpan,
  rule: CellRule,
): SegmentDay[] {
  const everybody = byWeek(all);
  const weeks = [...byWeek(days)].flatMap(([monday, counted]) => {
    const week = daysFrom(monday, WEEK_DAYS);
    const inside = week.filter((day) => day >= span.from && day <= span.to);
    if (inside.length === 0) return [];
    const ratings = counted.flatMap((day) => day.ratings);
    const sizes = sumOf([ratings.map(({ place, count }) => [valueAt(segment, place), count] as const)]);
    const size = [...sizes.values()].reduce((sum, count) => sum + count, 0);
    const others = (everybody.get(monday) ?? []).reduce((sum, day) => sum + ratingsOf(day), 0) - size;
    const { few, leftOut: small } = partition([...sizes], ([, count]) => count, rule.least);
    const isShown = small.length === 0 && (others === 0 || others >= rule.least);
    if (inside.length < WEEK_DAYS || !isShown) return [nothingBy(inside)];
    const shown = <Counted extends { readonly place: ShownPlace }>(each: Counted): Counted =>
      few.some(([value]) => value === valueAt(segment, each.place)) ? { ...each, place: FEW_VALUE } : each;
    return [
      {
        day: monday,
        days: week,
        ratings: ratings.map(shown),
        said: counted.flatMap(({ said }) => said).map(shown),
        byValue: counted.reduce((sum, { byValue }) => sum + byValue, 0),
        ...(few.length > 0 && { together: few.map(([value]) => value) }),
      },
    ];
  });
  return [...weeks, ...daysToCome(span, rule).map(({ days: each = [] }) => nothingBy(each))];
}

/** Merges small choices. Undefined if the question's numbers of the week are withheld. */
function shownQuestion(
  week: readonly QuestionDay[],
  { kind, choices = [] }: KnownQuestion,
  question: number,
  { least }: CellRule,
): Required<Pick<QuestionDay, 'counts' | 'few'>> | undefined {
  const countOf = questionCounts(week, question);
  const [answered, unanswered] = [countOf('answered'), countOf('skipped') + countOf('notReached')];
  const isShown = [answered, unanswered].every((count) => count === 0 || count >= least);
  const places = [...choices.keys()];
  const given = places.filter((place) => countOf(place) > 0);
  // Each person of `many` can be in several choices, but all of them together have everybody who answered.
  const isMany = (some: readonly number[]) =>
    some.length === given.length || some.some((place) => countOf(place) >= least);
  const merge = kind === 'many' ? isMany : undefined;
  const { few, alone, leftOut: small } = partition(places, countOf, least, undefined, merge);
  if (!isShown || small.length > 0) return undefined;
  const shown = kind === 'scale' ? week.flatMap(({ counts }) => counts.map(({ of }) => of)) : alone;
  return {
    counts: [...new Set([...REACHED, ...shown])].map((of) => ({ question, of, count: countOf(of) })),
    few:
      few.length === 0
        ? []
        : [{ question, places: few, count: few.reduce((sum, place) => sum + countOf(place), 0) }],
  };
}

/**
 * Shows questions by whole weeks. In each week, people who answered and people who did not are parts.
 * @param days days of the questions in all of `readSpan`
 * @param all the same days for all answers
 */
export function questionCells(
  known: readonly KnownQuestion[],
  { days, all }: { readonly days: readonly QuestionDay[]; readonly all: readonly DayCounts[] },
  span: DaySpan,
  { least, shownTo }: CellRule,
): QuestionDay[] {
  const everybody = byWeek(all);
  return [...byWeek(days)].flatMap(([monday, week]) => {
    const sunday = addDays(monday, WEEK_DAYS - 1);
    const ratings = (everybody.get(monday) ?? []).reduce((sum, day) => sum + ratingsOf(day), 0);
    if (monday < span.from || sunday > span.to || sunday > shownTo || ratings < least) return [];
    const shown = known.map((question, place) => shownQuestion(week, question, place, { least, shownTo }));
    return [
      {
        day: monday,
        days: daysFrom(monday, WEEK_DAYS),
        counts: shown.flatMap((each) => each?.counts ?? []),
        few: shown.flatMap((each) => each?.few ?? []),
        withheld: shown.flatMap((each, place) => (each === undefined ? [place] : [])),
      },
    ];
  });
}
