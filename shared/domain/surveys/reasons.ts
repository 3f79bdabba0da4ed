/**
 * An answer stores the place of each code among all codes that its survey ever had, so counting depends on the answer
 * alone.
 */

import type { GivenReason } from '../answers/answer.ts';
import type { DayCounts } from '../results/results.ts';
import { isLowRating, type Survey, type SurveyReason } from './survey.ts';

export const MOST_REASONS = 8;
/** Includes reasons that are no longer listed. */
export const MOST_REASONS_EVER = 24;

/**
 * The codes are in the order in which they were added, and new codes are appended.
 * @param listed the codes that are currently listed
 */
export function reasonCodesAfter(
  known: readonly string[] = [],
  listed: readonly SurveyReason[] = [],
): readonly string[] {
  return [...new Set([...known, ...listed.map(({ code }) => code)])];
}

interface Chosen {
  readonly reasons: readonly GivenReason[] | undefined;
  /** Paths by position, because a value may be of any kind. */
  readonly dropped: readonly string[];
}

/** Codes that are no longer listed are accepted, because the page may be older than the survey. */
export function chooseReasons(
  survey: Pick<Survey, 'content' | 'reasonCodes' | 'choicesEver'>,
  rating: number,
  sent: readonly unknown[] | undefined,
): Chosen {
  if (sent === undefined || sent.length === 0) return { reasons: undefined, dropped: [] };
  const { content, reasonCodes = [] } = survey;
  const looked = sent.slice(0, MOST_REASONS_EVER);
  const wanted = isLowRating(survey, rating) ? new Set(looked) : new Set();
  const listed = (content.reasons ?? []).map(({ code }) => code);
  const ordered = [...new Set([...listed, ...reasonCodes])].filter((code) => wanted.has(code));
  const reasons = ordered.map((code) => ({ code, place: reasonCodes.indexOf(code) }));
  if (reasons.length === 0) return { reasons: undefined, dropped: ['reasons'] };
  const kept = new Set<unknown>(ordered);
  const unknown = looked.flatMap((code, index) => (kept.has(code) ? [] : [`reasons.${index}`]));
  return { reasons, dropped: sent.length > looked.length ? [...unknown, 'reasons'] : unknown };
}

export function reasonsEver({
  content: { reasons = [] },
  reasonCodes = [],
}: Pick<Survey, 'content' | 'reasonCodes'>): SurveyReason[] {
  const codes = new Set([...reasons.map(({ code }) => code), ...reasonCodes]);
  return [...codes].map((code) => ({ code, label: reasonLabel(reasons, code) }));
}

/** Reasons that are no longer listed have no label. */
function reasonLabel(listed: readonly SurveyReason[] = [], code: string): string {
  return listed.find((reason) => reason.code === code)?.label ?? code;
}

interface ReasonCount {
  readonly code: string;
  readonly label: string;
  readonly count: number;
}

/**
 * Includes unlisted reasons that people gave earlier (docs/contract.md §17.2). Counts never go below zero, because an
 * erasure may be counted shortly before its answer.
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
