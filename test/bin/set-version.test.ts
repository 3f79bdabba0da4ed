import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { NPM_PACKAGES, SCOPE } from '../../bin/build/packages.ts';
import { setVersion } from '../../bin/set-version.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const DESCRIPTIONS = [
  'package.json',
  ...NPM_PACKAGES.map(({ folder }) => `${folder}/package.json`),
  ...globSync('examples/*/package.json', { cwd: ROOT }),
];

const chaptersOf = (changelog: string) => changelog.split(/^(?=## )/m).slice(1);

it('writes one version everywhere, and nothing else', () => {
  const copy = temporaryFolder();
  for (const file of [...DESCRIPTIONS, 'package-lock.json', 'CHANGELOG.md', 'sdk/python/pyproject.toml']) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  const read = (file: string) => readFileSync(join(copy, file), 'utf8');
  const { version: before } = JSON.parse(read('package.json'));

  setVersion(copy, '7.8.9');

  for (const file of DESCRIPTIONS) {
    const original = readFileSync(join(ROOT, file), 'utf8');
    const isOurs = !file.startsWith('examples/');
    const expected = original
      .replace(`"version": "${before}"`, `"version": "${isOurs ? '7.8.9' : before}"`)
      .replaceAll(new RegExp(`("${SCOPE}/[a-z]+": )"${before}"`, 'g'), '$1"7.8.9"');
    expect(read(file), file).toBe(expected);
  }
  const { version, packages } = JSON.parse(read('package-lock.json'));
  expect([version, packages[''].version]).toEqual(['7.8.9', '7.8.9']);
  for (const { folder } of NPM_PACKAGES) expect(packages[folder].version, folder).toBe('7.8.9');
  expect(read('package-lock.json')).not.toMatch(new RegExp(`"${SCOPE}/[a-z]+": "${before}"`));
  expect(read('sdk/python/pyproject.toml')).toContain('\nversion = "7.8.9"\n');
  const [unreleased = '', ...earlier] = chaptersOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
  const released = unreleased.replace('## Unreleased', '## 7.8.9');
  expect(chaptersOf(read('CHANGELOG.md'))).toEqual(['## Unreleased\n\n', released, ...earlier]);
});
