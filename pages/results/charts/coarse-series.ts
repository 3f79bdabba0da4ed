/** A trend in few answers is noise: its buckets are put together until one has some twenty answers on average. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { countDays } from '../../../shared/domain/days.ts';
import { computeScore } from '../../../shared/domain/results/score.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';

type Point = ResultsReply['series'][number];

const ENOUGH = 20;
const FEWEST_POINTS = 3;
const [DAY, WEEK] = [1, 7] as const;

/** How many buckets make one: a week of days, two or four weeks, a quarter of months. */
function groupings(series: readonly Point[]): readonly number[] {
  const longest = Math.max(...series.map(countDays));
  if (longest === DAY) return [1, 7, 14, 28];
  return longest === WEEK ? [1, 2, 4] : [1, 3];
}

const sum = (counts: readonly (number | null)[]): number | null =>
  counts.reduce((total, count) => (total === null || count === null ? null : total + count), 0);

function join(type: SurveyType, points: readonly Point[]): Point | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return first;
  const distribution = first.distribution.map(({ rating }, index) => ({
    rating,
    count: points.reduce((total, point) => total + (point.distribution[index]?.count ?? 0), 0),
  }));
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

/** The same days in as few points as they have answers for, at least three; the newest point is a whole one. */
export function coarsen({ survey: { type }, series, responses }: ResultsReply): readonly Point[] {
  const possible = groupings(series).filter((size) => Math.ceil(series.length / size) >= FEWEST_POINTS);
  const size = possible.find((each) => (responses / series.length) * each >= ENOUGH) ?? possible.at(-1) ?? 1;
  const count = Math.ceil(series.length / size);
  return Array.from({ length: count }, (_, place) => {
    const end = series.length - (count - 1 - place) * size;
    return join(type, series.slice(Math.max(0, end - size), end));
  }).filter((point) => point !== undefined);
}
