/** How often each reason of a survey was given over a span of days (docs/contract.md §17.2). */

import { reasonsEver } from '../surveys/reasons.ts';
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
  survey: Pick<Survey, 'content' | 'reasonCodes'>,
  days: readonly Pick<DayCounts, 'reasons'>[],
): ReasonCount[] {
  const countAt = (place: number): number =>
    days.reduce((sum, { reasons: counts }) => sum + (counts.get(place) ?? 0), 0);
  const { content, reasonCodes = [] } = survey;
  const listed = (content.reasons ?? []).map(({ code }) => code);
  return reasonsEver(survey)
    .map((reason) => ({ ...reason, count: Math.max(0, countAt(reasonCodes.indexOf(reason.code))) }))
    .filter(({ code, count }) => count > 0 || listed.includes(code));
}
