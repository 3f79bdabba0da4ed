/**
 * Reasons for a low rating, as a survey lists them and an answer names them. A code's place among all that the survey
 * ever had is its name in the table, and goes with the answer: so what is counted depends on the answer alone.
 */

import type { GivenReason } from '../answers/answer.ts';
import { isLow, type Survey, type SurveyReason } from './survey.ts';

/** That a survey lists at once. */
export const MOST_REASONS = 8;
/** Of one survey, with those that it no longer lists. */
export const MOST_REASONS_EVER = 24;

/**
 * Every code that a survey ever had, oldest first: codes are only ever appended.
 * @param listed as its file lists them now
 */
export function reasonCodesAfter(
  known: readonly string[] = [],
  listed: readonly SurveyReason[] = [],
): readonly string[] {
  return [...new Set([...known, ...listed.map(({ code }) => code)])];
}

interface Chosen {
  /** In the survey's order; undefined where there is none. */
  readonly reasons: readonly GivenReason[] | undefined;
  /** Paths of what was sent and not kept, by its place in what was sent: it may be anything. */
  readonly dropped: readonly string[];
}

/**
 * What is kept of the reasons that somebody sends: known codes, with a low rating; of a list that is longer than all
 * codes can be, of its beginning. A code that the survey no longer lists
 * is known: a page may have been open since.
 */
export function chooseReasons(
  { content, reasonCodes = [] }: Pick<Survey, 'content' | 'reasonCodes'>,
  rating: number,
  sent: readonly unknown[] | undefined,
): Chosen {
  if (sent === undefined || sent.length === 0) return { reasons: undefined, dropped: [] };
  const looked = sent.slice(0, MOST_REASONS_EVER);
  const wanted = isLow(content.type, rating) ? new Set(looked) : new Set();
  const listed = (content.reasons ?? []).map(({ code }) => code);
  const ordered = [...new Set([...listed, ...reasonCodes])].filter((code) => wanted.has(code));
  const reasons = ordered.map((code) => ({ code, place: reasonCodes.indexOf(code) }));
  if (reasons.length === 0) return { reasons: undefined, dropped: ['reasons'] };
  const kept = new Set<unknown>(ordered);
  const unknown = looked.flatMap((code, index) => (kept.has(code) ? [] : [`reasons.${index}`]));
  return { reasons, dropped: sent.length > looked.length ? [...unknown, 'reasons'] : unknown };
}

/** Every reason that answers may name: those listed, in the survey's order, then those of before. */
export function reasonsEver({
  content: { reasons = [] },
  reasonCodes = [],
}: Pick<Survey, 'content' | 'reasonCodes'>): SurveyReason[] {
  const codes = new Set([...reasons.map(({ code }) => code), ...reasonCodes]);
  return [...codes].map((code) => ({ code, label: reasonLabel(reasons, code) }));
}

/** What people are shown of a reason: its label, or of one that is no longer listed its code. */
function reasonLabel(listed: readonly SurveyReason[] = [], code: string): string {
  return listed.find((reason) => reason.code === code)?.label ?? code;
}
