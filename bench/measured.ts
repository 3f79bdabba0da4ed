/** What a script hands back: tables as rows of named columns, and what its goals came to. */

export type Row = Readonly<Record<string, string | number>>;

export interface Goal {
  readonly goal: string;
  readonly measured: number;
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface Measured {
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  readonly goals?: readonly Goal[];
}

/** Whole numbers as they are, others to three significant digits. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** An aligned Markdown table; the columns are those of the first row. */
export function tableText(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const text = (cell: string | number = '') => (typeof cell === 'number' ? figure(cell) : cell);
  const lines = [columns, ...rows.map((row) => columns.map((column) => text(row[column])))];
  const widths = columns.map((_, index) => Math.max(3, ...lines.map((line) => line[index]?.length ?? 0)));
  const lineText = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [lineText(head), lineText(widths.map((width) => '-'.repeat(width))), ...body.map(lineText)].join(
    '\n',
  );
}

/** A row of the table of goals. */
export function goalRow({ goal, measured, atMost, atLeast }: Goal): Row {
  const isMet =
    measured <= (atMost ?? Number.POSITIVE_INFINITY) && measured >= (atLeast ?? Number.NEGATIVE_INFINITY);
  const wanted = atMost === undefined ? `≥ ${figure(atLeast ?? 0)}` : `≤ ${figure(atMost)}`;
  return { goal, wanted, measured, result: isMet ? 'met' : '**missed**' };
}
