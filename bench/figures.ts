/** Statistics of samples, and the Markdown table that shows them. */

export type Row = Readonly<Record<string, string | number>>;

/** @param share from 0 to 1 @returns NaN without samples */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** The median of the ratios between samples of the same index. */
export const medianRatio = (samples: readonly number[], to: readonly number[]): number =>
  median(samples.map((sample, index) => sample / (to[index] ?? Number.NaN)));

/** Integers are printed whole, other numbers with three significant digits. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** An aligned Markdown table with the columns of the first row. */
export function tableText(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const text = (cell: string | number = '') => (typeof cell === 'number' ? figure(cell) : cell);
  const cells = [columns, ...rows.map((row) => columns.map((column) => text(row[column])))];
  const widths = columns.map((_, index) => Math.max(3, ...cells.map((line) => line[index]?.length ?? 0)));
  const lines = cells.map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  );
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return lines.join('\n');
}
