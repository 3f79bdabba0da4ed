/** `npm run bench`: runs the scripts in order and prints their tables; a whole run writes docs/performance.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { cold } from './cold.ts';
import { growth } from './growth.ts';
import { money } from './money.ts';
import { FULL, type Plan, QUICK } from './plan.ts';
import { fillReport, glanceRows, goalRow, type Measured, tableText } from './report.ts';
import { units } from './units.ts';
import { warm } from './warm.ts';

type Script = (plan: Plan) => Promise<Measured>;
const SCRIPTS: ReadonlyMap<string, Script> = new Map(Object.entries({ warm, cold, units, money, growth }));

const USAGE = `Usage: npm run bench [-- [--quick] [--json] [SCRIPT...]]

  SCRIPT   ${[...SCRIPTS.keys()].join(', ')}; all of them when none is named
  --quick  a minute: few rounds, small sizes
  --json   prints one JSON document in place of tables

A whole run that is not quick writes docs/performance.md.
`;

const ROOT = join(import.meta.dirname, '..');
/** What the figures depend on beside our own code. */
const PACKAGES = ['@aws-sdk/lib-dynamodb', '@dynoxide/linux-x64', 'esbuild', '@middy/core', 'zod'];

function readVersion(name: string): string {
  try {
    const text = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
    return `${name} ${z.object({ version: z.string() }).parse(JSON.parse(text)).version}`;
  } catch {
    return `${name} of unknown version`;
  }
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${cpus().length} × ${model}, ${memory}, ${process.platform} ${release()}, Node ${process.version}`;
}

/** @returns undefined for flags and scripts that there are not */
function readOptions(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    });
    return positionals.every((name) => SCRIPTS.has(name)) ? { ...values, names: positionals } : undefined;
  } catch {
    return undefined;
  }
}

async function run({ quick, json, names }: NonNullable<ReturnType<typeof readOptions>>): Promise<void> {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000);
  const results: Record<string, Measured> = {};
  for (const [name, script] of SCRIPTS) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.error(`${String(seconds()).padStart(4)} s  ${name}`);
    const measured = await script(quick ? QUICK : FULL);
    results[name] = measured;
    // Printed at once: what was measured is not lost with a script that fails later.
    if (json) continue;
    for (const [table, rows] of Object.entries(measured.tables))
      console.log(`\n${name}, ${table}\n\n${tableText(rows)}`);
  }
  const goals = Object.values(results).flatMap((result) => (result.goals ?? []).map(goalRow));
  const run = {
    date: new Date().toISOString().slice(0, 10),
    seconds: seconds(),
    machine: machine(),
    packages: PACKAGES.map(readVersion).join(', '),
  };
  if (json) console.log(JSON.stringify({ ...run, glance: glanceRows(results), goals, results }, null, 2));
  else if (goals.length > 0) console.log(`\ngoals\n\n${tableText(goals)}`);
  if (quick || names.length > 0) return;
  const report = join(ROOT, 'docs/performance.md');
  writeFileSync(report, fillReport(readFileSync(report, 'utf8'), { run, results, goals }));
}

const options = readOptions(process.argv.slice(2));
if (options === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  // Emulators and folders end with this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  await run(options);
}
