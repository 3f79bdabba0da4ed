/** Buckets on a time axis. The width of a bucket is its number of days. The first and last may be incomplete. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { addDays, countDays, type DaySpan } from '../../../shared/domain/days.ts';
import { computeScore } from '../../../shared/domain/results/score.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';
import { counted } from '../figures.ts';

export type Slot = ReturnType<typeof slotsOf>[number];

/** Positions from 0 to 1. */
export function slotsOf(series: readonly DaySpan[]) {
  const all = series.reduce((sum, bucket) => sum + countDays(bucket), 0);
  let before = 0;
  return series.map((bucket) => {
    const days = countDays(bucket);
    const from = before / all;
    before += days;
    return { from, middle: (before - days / 2) / all, to: before / all };
  });
}

const WHOLE = [
  [1, 'day'],
  [7, 'week'],
  [14, '2 weeks'],
  [28, '4 weeks'],
] as const;
const WEEK = 7;

const startsMonth = (day: string): boolean => day.endsWith('-01');
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
const monthsIn = ({ from, to }: DaySpan): number => monthOf(to) - monthOf(from) + 1;

const longestOf = (series: readonly DaySpan[]): number => Math.max(...series.map(countDays));

/** Includes buckets of several months. */
export const isByMonth = (series: readonly DaySpan[]): boolean =>
  series.length > 1 && longestOf(series) > WEEK && series.slice(1).every(({ from }) => startsMonth(from));

interface Kind {
  readonly words: string;
  readonly isWhole: (bucket: DaySpan) => boolean;
}

/** Undefined for a single bucket, which may have any length. */
function kindOf(series: readonly DaySpan[]): Kind | undefined {
  if (series.length < 2) return undefined;
  if (isByMonth(series)) {
    const months = Math.max(...series.map(monthsIn));
    return {
      words: months === 1 ? 'month' : `${months} months`,
      isWhole: (bucket) =>
        monthsIn(bucket) === months && startsMonth(bucket.from) && startsMonth(addDays(bucket.to, 1)),
    };
  }
  const longest = longestOf(series);
  const whole = WHOLE.find(([days]) => days >= longest);
  return whole && { words: whole[1], isWhole: (bucket) => countDays(bucket) === whole[0] };
}

export function partialOf(series: readonly DaySpan[]): readonly boolean[] {
  const kind = kindOf(series);
  return series.map((bucket) => kind !== undefined && !kind.isWhole(bucket));
}

export const dayWords = (bucket: DaySpan): string => counted(countDays(bucket), 'day');

/** Returns texts such as `per 4 weeks` and `first (10 days), last (24 days)`. Each may be empty. */
export function bucketWords(series: readonly DaySpan[]) {
  const kind = kindOf(series);
  if (kind === undefined) return { whole: '', parts: '' };
  const ends = [
    ['first', series[0]],
    ['last', series.at(-1)],
  ] as const;
  const parts = ends.flatMap(([which, bucket]) =>
    bucket === undefined || kind.isWhole(bucket) ? [] : [`${which} (${dayWords(bucket)})`],
  );
  return { whole: `per ${kind.words}`, parts: parts.join(', ') };
}

type Point = ResultsReply['series'][number];

const ENOUGH = 20;
const FEWEST_POINTS = 3;

/** The numbers of buckets that can be combined: a week of days, two or four weeks, a quarter. */
function groupings(series: readonly Point[]): readonly number[] {
  const longest = longestOf(series);
  if (longest === 1) return [1, 7, 14, 28];
  return longest === WEEK ? [1, 2, 4] : [1, 3];
}

const sum = (counts: readonly (number | null)[]): number | null =>
  counts.reduce((total, count) => (total === null || count === null ? null : total + count), 0);

type Counts = Point['distribution'];

function join(type: SurveyType, points: readonly Point[]): Point | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return first;
  // Earlier choices are only in the points that have answers with them.
  const counts = new Map<number, Counts[number]>();
  for (const { share: _, ...each } of points.flatMap((point) => point.distribution))
    counts.set(each.rating, { ...each, count: (counts.get(each.rating)?.count ?? 0) + each.count });
  const distribution = [...counts.values()];
  return {
    from: first.from,
    to: last.to,
    responses: points.reduce((total, { responses }) => total + responses, 0),
    distribution,
    score: computeScore(type, new Map(distribution.map(({ rating, count }) => [rating, count]))),
    dismissals: sum(points.map(({ dismissals }) => dismissals)),
    shows: sum(points.map(({ shows }) => shows)),
    ...(points.some(({ withheld }) => withheld) && { withheld: true }),
  };
}

/**
 * Combines buckets until they have about 20 responses on average, because a trend of few responses is noise. Keeps at
 * least three buckets, and keeps the newest one complete.
 */
export function coarsen({ survey: { type }, series, responses }: ResultsReply): readonly Point[] {
  const possible = groupings(series).filter((size) => Math.ceil(series.length / size) >= FEWEST_POINTS);
  const size = possible.find((each) => (responses / series.length) * each >= ENOUGH) ?? possible.at(-1) ?? 1;
  const count = Math.ceil(series.length / size);
  return Array.from({ length: count }, (_, place) => {
    const end = series.length - (count - 1 - place) * size;
    return join(type, series.slice(Math.max(0, end - size), end));
  }).filter((point) => point !== undefined);
}
