/** `npm run set-version -- 0.2.0` sets the version of every package and starts a changelog section. */

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NPM_PACKAGES, SCOPE } from './build/packages.ts';

const FOLDERS = NPM_PACKAGES.map(({ folder }) => folder);

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

const pinnedTo = (version: string) => (text: string) =>
  text.replaceAll(new RegExp(`("${SCOPE}/[a-z]+": )"\\d[^"]*"`, 'g'), `$1"${version}"`);

/** In each file, the first version is that of the package itself. */
const versioned = (version: string) => (text: string) =>
  text.replace(/^ {2}"version": ".+"/m, `  "version": "${version}"`);

/** In the lock file, the project has the key '' and each package has its folder. */
const locked = (version: string) => (text: string) => {
  const lock = JSON.parse(text);
  lock.version = version;
  for (const folder of ['', ...FOLDERS]) lock.packages[folder].version = version;
  return pinnedTo(version)(`${JSON.stringify(lock, null, 2)}\n`);
};

export function setVersion(root: string, version: string): void {
  for (const folder of ['', ...FOLDERS]) rewrite(join(root, folder, 'package.json'), versioned(version));
  const pinning = [...FOLDERS.map((folder) => `${folder}/package.json`), 'examples/*/package.json'];
  for (const file of globSync(pinning, { cwd: root })) rewrite(join(root, file), pinnedTo(version));
  rewrite(join(root, 'package-lock.json'), locked(version));
  const python = join(root, 'sdk/python/pyproject.toml');
  rewrite(python, (text) => text.replace(/^version = ".+"$/m, `version = "${version}"`));
  const chapter = `## Unreleased\n\n## ${version}\n`;
  rewrite(join(root, 'CHANGELOG.md'), (text) => text.replace('## Unreleased\n', chapter));
}

if (import.meta.main) {
  const [version = ''] = process.argv.slice(2);
  if (/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(version)) setVersion(join(import.meta.dirname, '..'), version);
  else {
    process.stderr.write('Usage: npm run set-version -- 0.2.0\n');
    process.exitCode = 2;
  }
}
