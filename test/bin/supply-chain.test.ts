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

it('adds components, a page with install commands, and a checksum for each file to a release', () => {
  const folder = temporaryFolder();
  const packages = ['browser', 'cli', 'react', 'server'].map((name) => `canvass-surveys-${name}-0.1.0.tgz`);
  const files = [...packages, 'canvass_surveys-0.1.0-py3-none-any.whl', 'openapi.yaml'].sort();
  for (const name of files) writeFileSync(join(folder, name), 'a package');
  // A second run has the same result.
  for (let times = 0; times < 2; times++) expect(run('bin/release-files.ts', folder).status).toBe(0);
  const sbom = readFileSync(join(folder, 'sbom.cdx.json'), 'utf8');
  const names = JSON.parse(sbom).components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
  expect(names).not.toContain('vitest');
  const sum = (content: string) => createHash('sha256').update(content).digest('hex');
  const page = readFileSync(join(folder, 'RELEASE.md'), 'utf8');
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(
    [...files.map((name) => `${sum('a package')}  ${name}`), `${sum(sbom)}  sbom.cdx.json`]
      .concat(`${sum(page)}  RELEASE.md\n`)
      .join('\n'),
  );
  expect(page).toContain(`# Canvass ${packageJson.version}`);
  for (const name of files) expect(page).toMatch(new RegExp(`^\\| ${name} \\| 9 .*${sum('a package')}`, 'm'));
  for (const install of [
    'npm install ./canvass-surveys-server-0.1.0.tgz',
    'npm install ./canvass-surveys-browser-0.1.0.tgz ./canvass-surveys-react-0.1.0.tgz',
    'npx -y -p ./canvass-surveys-cli-0.1.0.tgz canvass --help',
    'pip install ./canvass_surveys-0.1.0-py3-none-any.whl',
  ])
    expect(page).toContain(`\`${install}\``);
  expect(page).toMatch(/^\| openapi\.yaml \| 9 \| {2}\|/m);
});

it('refuses a release without a folder', () => {
  const { status, stderr } = run('bin/release-files.ts');
  expect([status, stderr]).toEqual([2, 'Name a folder: npm run release-files -- release\n']);
});
