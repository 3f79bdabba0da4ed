/** The buckets of a series as lines of a table: what the page and the command line save as days. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import type { Cell } from './write-csv.ts';

/** The first line names the columns. What is not counted is an empty cell; `withheld` is a column where it may be so. */
export function dayLines({ series, distribution, smallestCell }: ResultsReply): readonly (readonly Cell[])[] {
  const ratings = distribution.map(({ rating }) => `rating ${rating}`);
  const head = ['from', 'to', 'responses', 'dismissals', 'shows', 'score', 'low', 'high', ...ratings];
  const isInCells = smallestCell !== undefined;
  const lines = series.map((point) => [
    ...[point.from, point.to, point.responses, point.dismissals, point.shows],
    ...[point.score?.value ?? null, point.score?.low ?? null, point.score?.high ?? null],
    ...point.distribution.map(({ count }) => count),
    ...(isInCells ? [point.withheld === true] : []),
  ]);
  return [[...head, ...(isInCells ? ['withheld'] : [])], ...lines];
}
