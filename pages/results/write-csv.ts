/** Lines of CSV (RFC 4180) that a spreadsheet opens as they are. */

/** How a spreadsheet knows that a file is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * What a spreadsheet would take as a formula, also behind blanks (OWASP, "CSV injection"); full-width signs count in
 * some languages.
 */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/;

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

export type Cell = string | number | boolean | null;

/** A text that would be a formula gets an apostrophe in front, which makes it a text. */
function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;
