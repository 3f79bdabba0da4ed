/** How often each reason of a survey was given over a span of days (docs/contract.md §17.2). */

import { reasonLabel } from '../surveys/reasons.ts';
import type { Survey } from '../surveys/survey.ts';
import type { DayCounts } from './results.ts';

interface ReasonCount {
  readonly code: string;
  readonly label: string;
  readonly count: number;
}

/**
 * Those that the survey lists, in its order, then those of before that were given. Nothing below zero: an erasure may be
 * counted a little before what it erases.
 * @param days those of the span on which something was counted
 */
export function reasonResults(
  { content: { reasons = [] }, reasonCodes = [] }: Pick<Survey, 'content' | 'reasonCodes'>,
  days: readonly Pick<DayCounts, 'reasons'>[],
): ReasonCount[] {
  const countAt = (place: number): number =>
    days.reduce((sum, { reasons: counts }) => sum + (counts.get(place) ?? 0), 0);
  const listed = reasons.map(({ code }) => code);
  return [...new Set([...listed, ...reasonCodes])]
    .map((code) => ({
      code,
      label: reasonLabel(reasons, code),
      count: Math.max(0, countAt(reasonCodes.indexOf(code))),
    }))
    .filter(({ code, count }) => count > 0 || listed.includes(code));
}
