/** `npm run bench`: measures and prints tables. docs/performance.md keeps the figures. */

import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { cold } from './cold.ts';
import { type Row, tableText } from './figures.ts';
import { large } from './large.ts';
import { money } from './money.ts';
import { warm } from './warm.ts';

/** Each script, and the samples that it takes: rounds and requests in each round, rounds, or requests of each kind. */
const SCRIPTS: ReadonlyMap<string, (isQuick: boolean) => Promise<readonly Row[]>> = new Map(
  Object.entries({
    warm: (isQuick: boolean) => (isQuick ? warm(5, 60) : warm(25, 200)),
    cold: (isQuick: boolean) => cold(isQuick ? 3 : 15),
    money: (isQuick: boolean) => money(isQuick ? 5 : 15),
    large: (isQuick: boolean) => large(isQuick ? [100, 1_000] : [10_000, 100_000]),
  }),
);

const USAGE = `Usage: npm run bench [-- [--quick] [SCRIPT...]]

  SCRIPT   ${[...SCRIPTS.keys()].join(', ')}; defaults to all but large, which takes many minutes
  --quick  takes fewer samples and finishes within a minute
`;

/** @returns undefined for unknown flags and scripts */
function readOptions(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { quick: { type: 'boolean', default: false } },
    });
    return positionals.every((name) => SCRIPTS.has(name)) ? { ...values, names: positionals } : undefined;
  } catch {
    return undefined;
  }
}

const options = readOptions(process.argv.slice(2));
if (options === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  // Exiting on a signal runs the exit handlers, which stop emulators and remove folders.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory}, Node ${process.version}`);
  for (const [name, script] of SCRIPTS) {
    const isChosen = options.names.length === 0 ? name !== 'large' : options.names.includes(name);
    if (!isChosen) continue;
    console.log(`\n${name}\n\n${tableText(await script(options.quick))}`);
  }
}
