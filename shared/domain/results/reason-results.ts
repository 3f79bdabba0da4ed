/** Counts of a survey's reasons over a span of days (docs/contract.md §17.2). */

import { reasonsEver } from '../surveys/reasons.ts';
import type { Survey } from '../surveys/survey.ts';
import type { DayCounts } from './results.ts';

interface ReasonCount {
  readonly code: string;
  readonly label: string;
  readonly count: number;
}

/**
 * Current reasons in the survey's order, then earlier ones that were given. Counts never go below zero: an erasure may
 * be counted shortly before its answer.
 * @param days with counts
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
