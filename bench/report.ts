/** docs/performance.md: its prose is written by hand, its tables are filled in by a run. */

import { type Measured, type Row, tableText } from './measured.ts';

type Results = Readonly<Record<string, Measured>>;

/** What a reader asks first of each request: its price, its time, its throughput, its units. */
export function glanceRows({ money, units, warm, http }: Results): Row[] {
  const warmed = (warm?.tables.routes ?? []).filter(({ what }) => what === 'handler');
  const requests: readonly Row[] = money?.tables.million ?? units?.tables.requests ?? [];
  return requests.map(({ request = '', total = '' }) => {
    const used = units?.tables.requests?.find((row) => row.request === request);
    const timed = warmed.find(({ route }) => route === request);
    const loaded = http?.tables.loads?.find(({ load }) => load === request);
    return {
      request,
      '$ a million': total,
      'p50 ms': timed?.['p50 ms'] ?? used?.['p50 ms'] ?? '',
      'p99 ms': timed?.['p99 ms'] ?? '',
      'requests/s': loaded?.['requests/s'] ?? '',
      'read units': used?.['read units'] ?? '',
      'write units': used?.['write units'] ?? '',
    };
  });
}

interface Run {
  readonly run: {
    readonly date: string;
    readonly seconds: number;
    readonly machine: string;
    readonly packages: string;
  };
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
  for (const [script, { tables }] of Object.entries(results)) {
    for (const [table, rows] of Object.entries(tables)) pieces.set(`${script} ${table}`, tableText(rows));
  }
  const filled = text.replaceAll(
    /(<!-- bench: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start, name, end) => {
      const piece = pieces.get(name);
      if (piece === undefined) throw new Error(`nothing is measured for the mark ${name}`);
      pieces.delete(name);
      return `${start}\n${piece}\n\n${end}`;
    },
  );
  if (pieces.size > 0) throw new Error(`there is no mark for ${[...pieces.keys()].join(', ')}`);
  return filled;
}
