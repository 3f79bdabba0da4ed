import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });

it('has a source and a checksum for every package of the lock file', () => {
  const { status, stderr } = run('bin/check-lock.ts');
  expect([status, stderr]).toEqual([0, '']);
});

it('has only licenses on the list', () => {
  const { status, stdout, stderr } = run('bin/check-licences.ts');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\d+ MIT/);
});

it('adds a list of components and a checksum for each file to a release', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'canvass-surveys-server-0.1.0.tgz'), 'a package');
  expect(run('bin/release-files.ts', folder).status).toBe(0);
  const sbom = readFileSync(join(folder, 'sbom.cdx.json'), 'utf8');
  const names = JSON.parse(sbom).components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
  expect(names).not.toContain('vitest');
  const sum = (content: string) => createHash('sha256').update(content).digest('hex');
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(
    `${sum('a package')}  canvass-surveys-server-0.1.0.tgz\n${sum(sbom)}  sbom.cdx.json\n`,
  );
});

it('refuses a release without a folder', () => {
  const { status, stderr } = run('bin/release-files.ts');
  expect([status, stderr]).toEqual([2, 'Name a folder: npm run release-files -- release\n']);
});
