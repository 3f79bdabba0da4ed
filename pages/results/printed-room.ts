/** How much of its two pages of A4 a survey leaves for what people wrote, and how many items fit into it. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import { type Breakdown, withoutNobody } from './charts/segment-table.ts';
import { valueWords } from './segment-words.ts';

/** CSS pixels, as a wide font prints them. */
export const PRINTED_PAGE = 1_032;
const [HEAD, QUESTION_LINE, CARD, ROW, SECOND_LINE] = [660, 24, 62, 17, 10];
/** Heading and edges of a card on both pages, and an item that goes to the next one, where it would be cut. */
const BREAK = 180;
/** Characters of a line. */
const [QUESTION, NAME, LABEL, WIDE_NAME] = [55, 18, 28, 44];
/** Of so many tables, values of segments have one line. */
const MANY = 4;

/** Pixels that numbers and tables take. Tables stand in pairs, as the style sheet has them, and the last one without another is wide. */
function printedBefore(
  { survey, reasons }: Pick<ResultsReply, 'survey' | 'reasons'>,
  breakdowns: readonly Breakdown[],
): number {
  const hasReasons = reasons !== null && reasons.length > 0;
  const tables = [
    ...(hasReasons ? [reasons.map(({ label }) => label)] : []),
    ...breakdowns
      .map(withoutNobody)
      .map(({ name, rows }) => rows.map(({ value }) => valueWords(name, value))),
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
  return HEAD + QUESTION_LINE * Math.ceil(survey.question.length / QUESTION) + below;
}

type Printed = Parameters<typeof printedBefore>;

/** Pixels of one column. */
export const printedRoom = (...printed: Printed): number =>
  Math.max(0, 2 * PRINTED_PAGE - printedBefore(...printed) - BREAK);

/** Whether numbers and tables have the first page for themselves, so that people can have the second one. */
export const fillsOnePage = (...printed: Printed): boolean => printedBefore(...printed) <= PRINTED_PAGE;

/** Of a printed item: its edges, a part of it without its lines, and a line, of which a part has three at most. */
const [EDGES, PART, LINE, MOST_LINES] = [8, 6, 18, 3];

/**
 * Pixels of an item.
 * @param parts the characters of each
 * @param perLine characters
 */
export const printedHeight = (parts: readonly number[], perLine: number): number =>
  parts.reduce((sum, length) => sum + PART + LINE * Math.min(MOST_LINES, Math.ceil(length / perLine)), EDGES);

/**
 * How many items fit, the first ones.
 * @param items of each the characters of its parts
 * @param room pixels of all columns
 * @param perLine characters
 */
export function printedCount(items: readonly (readonly number[])[], room: number, perLine: number): number {
  let left = room;
  const over = items.findIndex((parts) => {
    left -= printedHeight(parts, perLine);
    return left < 0;
  });
  return over < 0 ? items.length : over;
}
