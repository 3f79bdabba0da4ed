/** What is installed has a source, a checksum and a licence. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });

interface Entry {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
}

it('every package has a source, and a checksum unless it is a tool for another platform', () => {
  const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8')) as {
    packages: Readonly<Record<string, Entry>>;
  };
  const entries = Object.entries(packages).filter(
    ([path, { inBundle, link }]) => path.includes('node_modules/') && inBundle !== true && link !== true,
  );
  expect(entries.length).toBeGreaterThan(100);
  for (const [path, { resolved, integrity, optional }] of entries) {
    expect(resolved, path).toMatch(/^https:\/\/registry\.npmjs\.org\/.+\.tgz$/);
    if (optional !== true) expect(integrity, path).toMatch(/^sha512-/);
  }
  const { status, stderr } = run('bin/complete-lock.ts', '--check');
  expect([status, stderr]).toEqual([0, '']);
});

it('every licence is on the list', () => {
  const { status, stdout, stderr } = run('bin/check-licences.ts');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\d+ MIT/);
});
