/**
 * `npm run lock:complete`: adds to package-lock.json what a registry proxy left out: where each package comes from, and
 * the checksum of those for other platforms. `--check` writes nothing and fails where something is missing that can be
 * known without asking.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';

const FILE = new URL('../package-lock.json', import.meta.url);
const REGISTRY = 'https://registry.npmjs.org';

const entry = z.looseObject({
  name: z.optional(z.string()),
  version: z.optional(z.string()),
  resolved: z.optional(z.string()),
  integrity: z.optional(z.string()),
  /** Comes within the tarball of the package it lies in, and has no other source. */
  inBundle: z.optional(z.boolean()),
  link: z.optional(z.boolean()),
});
const lockfile = z.looseObject({ packages: z.record(z.string(), entry) });
type Entry = z.output<typeof entry>;

const nameOf = (path: string, { name }: Entry): string => name ?? path.split('node_modules/').at(-1) ?? path;

/** Where the registry has a version (npm, "package-metadata": `dist.tarball`). */
function tarballOf(name: string, version: string): string {
  return `${REGISTRY}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

/** Undefined when the registry does not have it. */
function integrityOf(name: string, version: string): string | undefined {
  const { stdout, status } = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], {
    encoding: 'utf8',
  });
  const integrity = stdout.trim();
  return status === 0 && integrity.startsWith('sha512-') ? integrity : undefined;
}

/** In the order in which npm writes them. */
function withSource({ version, ...rest }: Entry, resolved: string, integrity: string | undefined): Entry {
  return { version, resolved, ...(integrity !== undefined && { integrity }), ...rest };
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const written: unknown = JSON.parse(readFileSync(FILE, 'utf8'));
const lock = lockfile.parse(written);
const incomplete: string[] = [];
const withoutChecksum: string[] = [];
for (const [path, known] of Object.entries(lock.packages)) {
  // The project itself and its packages lie outside of node_modules, and links lead to them.
  const isOurs = !path.includes('node_modules/') || known.link === true;
  if (isOurs || known.inBundle === true || known.version === undefined) continue;
  const name = nameOf(path, known);
  const { resolved, integrity, ...rest } = known;
  if (resolved === undefined) incomplete.push(path);
  const found = integrity ?? (values.check ? undefined : integrityOf(name, known.version));
  if (found === undefined) withoutChecksum.push(`${name}@${known.version}`);
  lock.packages[path] = withSource(rest, resolved ?? tarballOf(name, known.version), found);
}
if (withoutChecksum.length > 0) {
  process.stdout.write(
    `Without a checksum, since the registry that was asked does not have them:\n  ${withoutChecksum.join('\n  ')}\n`,
  );
}
// In the order in which npm writes it.
if (!values.check) writeFileSync(FILE, `${JSON.stringify(Object.assign({}, written, lock), null, 2)}\n`);
else if (incomplete.length > 0) {
  process.stderr.write(`Without a source, see npm run lock:complete:\n  ${incomplete.join('\n  ')}\n`);
  process.exitCode = 1;
}
