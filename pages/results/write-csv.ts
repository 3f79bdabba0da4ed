/** CSV (RFC 4180) that spreadsheets open correctly. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import { hasScale } from '../../shared/domain/surveys/survey.ts';

/** Marks the file as UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Text that a spreadsheet would execute as a formula (OWASP, "CSV injection"), also after blanks. In some languages,
 * full-width signs count too. Apostrophes before a formula also match, so a guard can be removed without doubt. A lone
 * `-`, which stands for a skipped question, is no formula.
 */
const FORMULA = /^(?!-$)'*(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r])/;

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

export type Cell = string | number | boolean | null;

/** An apostrophe turns a formula into text. */
function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Removes the apostrophe that `csvLine` adds. */
export const withoutGuard = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** One line for each bucket, after the header. Unknown counts stay empty. */
export function dayLines(results: ResultsReply): readonly (readonly Cell[])[] {
  const { survey, series, distribution, smallestCell } = results;
  const isScored = hasScale(survey.type);
  // Choices keep their columns: all that the survey ever had, oldest first.
  const choices = [...(survey.choices ?? [])].sort((a, b) => a.rating - b.rating);
  // All answers to an open question have the same rating.
  const told = survey.type === 'choice' ? choices : survey.type === 'open' ? [] : distribution;
  const ratings = told.map((each) => ('code' in each ? `choice ${each.code}` : `rating ${each.rating}`));
  const scores = isScored ? ['score', 'low', 'high'] : [];
  const head = ['from', 'to', 'responses', 'dismissals', 'shows', ...scores, ...ratings];
  const isInCells = smallestCell !== undefined;
  const lines = series.map((point) => [
    ...[point.from, point.to, point.responses, point.dismissals, point.shows],
    ...(isScored ? [point.score?.value ?? null, point.score?.low ?? null, point.score?.high ?? null] : []),
    ...told.map(({ rating }) => point.distribution.find((each) => each.rating === rating)?.count ?? 0),
    ...(isInCells ? [point.withheld === true] : []),
  ]);
  return [[...head, ...(isInCells ? ['withheld'] : [])], ...lines];
}
