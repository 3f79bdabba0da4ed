/** Pieces of the report, as Markdown. */

export type Cell = string | number;

export interface Section {
  readonly title: string;
  /** Paragraphs in front of the table. */
  readonly text?: readonly string[];
  readonly tables: readonly Table[];
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Three significant digits, without an exponent. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const cellText = (cell: Cell): string => (typeof cell === 'number' ? figure(cell) : cell);

function tableText({ head, rows }: Table): string {
  const texts = [head, ...rows.map((row) => row.map(cellText))];
  const widths = head.map((_, column) => Math.max(3, ...texts.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = [], ...rest] = texts;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

export function sectionText({ title, text = [], tables }: Section): string {
  return [`## ${title}`, ...text, ...tables.map(tableText)].join('\n\n');
}
