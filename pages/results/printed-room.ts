/** How much of its two pages of A4 a survey leaves for what people wrote. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import type { Breakdown } from './charts/segment-table.ts';
import { valueWords } from './segment-words.ts';

/** CSS pixels, as a wide font prints them. */
const PAGE = 1_032;
const [HEAD, QUESTION_LINE, CARD, ROW, SECOND_LINE] = [590, 24, 62, 17, 10];
/** Characters of a line. */
const [QUESTION, NAME, LABEL, WIDE_NAME] = [55, 18, 28, 44];
/** Of so many tables, values of segments have one line. */
const MANY = 4;
const QUARTERS = 4;

/**
 * Quarters of a page, at most one page; 0 where there is none. Tables stand in pairs, as the style sheet has them, and
 * the last one without another is wide.
 */
export function printedRoom(
  { survey, reasons }: Pick<ResultsReply, 'survey' | 'reasons'>,
  breakdowns: readonly Breakdown[],
): number {
  const hasReasons = reasons !== null && reasons.length > 0;
  const tables = [
    ...(hasReasons ? [reasons.map(({ label }) => label)] : []),
    ...breakdowns.map(({ name, rows }) => rows.map(({ value }) => valueWords(name, value))),
  ];
  function charactersAt(place: number): number {
    if (place === tables.length - 1 && place % 2 === 0) return WIDE_NAME;
    if (hasReasons && place === 0) return LABEL;
    return tables.length < MANY ? NAME : Number.POSITIVE_INFINITY;
  }
  const heights = tables.map((names, place) =>
    names.reduce((sum, name) => sum + ROW + (name.length > charactersAt(place) ? SECOND_LINE : 0), CARD),
  );
  const pairs = heights.filter((_, place) => place % 2 === 0);
  const below = pairs.reduce((sum, height, pair) => sum + Math.max(height, heights[2 * pair + 1] ?? 0), 0);
  const before = HEAD + QUESTION_LINE * Math.ceil(survey.question.length / QUESTION) + below;
  return Math.max(0, Math.min(QUARTERS, Math.floor((QUARTERS * (2 * PAGE - before)) / PAGE)));
}
