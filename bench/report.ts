/** Tables and goals of what was measured; docs/performance.md, whose prose is written by hand. */

export type Row = Readonly<Record<string, string | number>>;

export interface Goal {
  readonly goal: string;
  readonly measured: number;
  readonly atMost: number;
}

/** What a script hands back. */
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
  lines.splice(
    1,
    0,
    widths.map((width) => '-'.repeat(width)),
  );
  const lineText = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return lines.map(lineText).join('\n');
}

/** A row of the table of goals. */
export function goalRow({ goal, measured, atMost }: Goal): Row {
  return { goal, wanted: `≤ ${figure(atMost)}`, measured, result: measured <= atMost ? 'met' : '**missed**' };
}

type Results = Readonly<Record<string, Measured>>;

/** What a reader asks first of each request: its price, its time, its units. */
export function glanceRows({ money, units, warm }: Results): Row[] {
  const requests: readonly Row[] = money?.tables.million ?? units?.tables.requests ?? [];
  return requests.map(({ request = '', total = '' }) => {
    const used = units?.tables.requests?.find((row) => row.request === request);
    const timed = warm?.tables.routes?.find(({ route, what }) => route === request && what === 'handler');
    return {
      request,
      '$ a million': total,
      'p50 ms': timed?.['p50 ms'] ?? used?.['p50 ms'] ?? '',
      'p99 ms': timed?.['p99 ms'] ?? '',
      'read units': used?.['read units'] ?? '',
      'write units': used?.['write units'] ?? '',
      calls: used?.calls ?? '',
    };
  });
}

interface Run {
  readonly run: Readonly<Record<'date' | 'seconds' | 'machine' | 'packages', string | number>>;
  readonly results: Results;
  readonly goals: readonly Row[];
}

/**
 * Puts the tables between their marks, `<!-- bench: NAME -->` and `<!-- end -->`.
 * @throws Error when a mark names no table, or a table has no mark
 */
export function fillReport(text: string, { run, results, goals }: Run): string {
  const pieces = new Map<string, string>([
    ['run', `Measured on ${run.date}, in ${run.seconds} s.\n\n- ${run.machine}\n- ${run.packages}`],
    ['glance', tableText(glanceRows(results))],
    ['goals', tableText(goals)],
  ]);
  // What units finds is in the glance and in the parts of the money.
  const { units: _, ...rest } = results;
  for (const [script, { tables }] of Object.entries(rest)) {
    for (const [table, rows] of Object.entries(tables)) pieces.set(`${script} ${table}`, tableText(rows));
  }
  const marks = /(<!-- bench: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g;
  const filled = text.replaceAll(marks, (_, start, name, end) => {
    const piece = pieces.get(name);
    if (piece === undefined) throw new Error(`nothing is measured for the mark ${name}`);
    pieces.delete(name);
    return `${start}\n${piece}\n\n${end}`;
  });
  if (pieces.size > 0) throw new Error(`there is no mark for ${[...pieces.keys()].join(', ')}`);
  return filled;
}
