/** `npm run check:licences` checks that every locked package has an allowed license. */

import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** These licenses require at most that their text is included. */
const PERMISSIVE: ReadonlySet<string> = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause ISC MIT Zlib'.split(' '),
);

const TOOLS_ONLY = 'CC-BY-4.0 LGPL-3.0-or-later MPL-2.0'.split(' ');
const FOR_DEVELOPMENT: ReadonlySet<string> = new Set([...PERMISSIVE, ...TOOLS_ONLY]);

const entry = z.object({
  version: z.optional(z.string()),
  license: z.optional(z.string()),
  dev: z.optional(z.boolean()),
  devOptional: z.optional(z.boolean()),
  optional: z.optional(z.boolean()),
  link: z.optional(z.boolean()),
});
const lockfile = z.object({ packages: z.record(z.string(), entry) });
type Entry = z.output<typeof entry>;

/** Accepts SPDX expressions without nesting. */
function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const text = expression.replaceAll(/[()]/g, '');
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence)));
}

const root = new URL('../', import.meta.url);

/** Packages for other platforms are not installed. */
function licenceOf(path: string, { license }: Entry): string | undefined {
  if (license !== undefined) return license;
  try {
    const { license: own } = z
      .object({ license: z.optional(z.string()) })
      .parse(JSON.parse(readFileSync(new URL(`${path}/package.json`, root), 'utf8')));
    return own;
  } catch {
    return undefined;
  }
}

const { packages } = lockfile.parse(JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')));
const refused: string[] = [];
const unknown: string[] = [];
const counts = new Map<string, number>();
for (const [path, known] of Object.entries(packages)) {
  if (!path.includes('node_modules/') || known.link === true) continue;
  const licence = licenceOf(path, known);
  const what = `${path.split('node_modules/').at(-1)}@${known.version}`;
  const isDevelopment = known.dev === true || known.devOptional === true;
  if (licence === undefined) (known.optional === true ? unknown : refused).push(`${what}: no license`);
  else if (!isAllowed(licence, isDevelopment ? FOR_DEVELOPMENT : PERMISSIVE))
    refused.push(`${what}: ${licence}`);
  counts.set(licence ?? 'unknown', (counts.get(licence ?? 'unknown') ?? 0) + 1);
}
const table = [...counts].sort(([, a], [, b]) => b - a).map(([licence, count]) => `${count} ${licence}`);
process.stdout.write(`Licenses: ${table.join(', ')}.\n`);
if (unknown.length > 0) {
  process.stdout.write(`Not installed on this platform, so not checked:\n  ${unknown.join('\n  ')}\n`);
}
if (refused.length > 0) {
  process.stderr.write(`Not allowed:\n  ${refused.join('\n  ')}\n`);
  process.exitCode = 1;
}
