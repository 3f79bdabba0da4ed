/** In which order surveys are asked: by priority, then as the survey file lists them (docs/contract.md §6.5). */

import type { Survey } from './survey.ts';

/** @param order ids of surveys; what it does not name comes behind, by id */
function rankBy(order: readonly string[]): (a: Survey, b: Survey) => number {
  const ranks = new Map(order.map((id, rank) => [id, rank]));
  const rankOf = ({ id }: Survey): number => ranks.get(id) ?? order.length;
  return (a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1);
}

/** Higher priority first; within one priority as `order` names them. */
export function sortSurveys(surveys: readonly Survey[], order: readonly string[]): Survey[] {
  const byRank = rankBy(order);
  const priorityOf = ({ content }: Survey): number => content.priority ?? 0;
  return [...surveys].sort((a, b) => priorityOf(b) - priorityOf(a) || byRank(a, b));
}

/**
 * The order once a file is applied: its surveys as it lists them, then the others as they were.
 * @param ids of the file's surveys, in its order
 */
export function orderAfter(
  ids: readonly string[],
  surveys: readonly Survey[],
  order: readonly string[],
): string[] {
  const listed = new Set(ids);
  const others = [...surveys].sort(rankBy(order)).filter(({ id }) => !listed.has(id));
  return [...ids, ...others.map(({ id }) => id)];
}
