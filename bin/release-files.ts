/** `npm run release-files -- FOLDER` adds an SBOM, a page with install commands, and checksums to a release. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../shared/settings/version.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SUMS = 'SHA256SUMS';
const PAGE = 'RELEASE.md';

const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Until the packages are published, npm finds the browser package of the React package only as a file. */
function installOf(name: string, names: readonly string[]): string {
  if (name.endsWith('.whl')) return `\`pip install ./${name}\``;
  if (!name.endsWith('.tgz')) return '';
  if (name.includes('-cli-')) return `\`npx -y -p ./${name} canvass --help\``;
  const needed = name.includes('-react-') ? names.filter((other) => /-browser-.*\.tgz$/.test(other)) : [];
  return `\`npm install ${[...needed, name].map((file) => `./${file}`).join(' ')}\``;
}

function pageOf(folder: string, names: readonly string[]): string {
  const rows = names.map((name) => {
    const file = join(folder, name);
    const bytes = statSync(file).size.toLocaleString('en');
    return `| ${name} | ${bytes} | ${installOf(name, names)} | \`${sumOf(file)}\` |\n`;
  });
  return `# Canvass ${VERSION}

Download the files into one folder, and check them with \`sha256sum --check ${SUMS}\`.

| file | bytes | install | SHA-256 |
| ---- | ----- | ------- | ------- |
${rows.join('')}`;
}

function describe(folder: string): void {
  const sbom = execFileSync(process.execPath, ['bin/sbom.ts'], { cwd: ROOT, maxBuffer: 2 ** 28 });
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom);
  const isOwn = (name: string) => name === SUMS || name === PAGE || !statSync(join(folder, name)).isFile();
  const names = readdirSync(folder)
    .filter((name) => !isOwn(name))
    .sort();
  writeFileSync(join(folder, PAGE), pageOf(folder, names));
  const lines = [...names, PAGE].map((name) => `${sumOf(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, SUMS), lines.join(''));
  console.log(`${lines.length} files in ${folder}`);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name a folder: npm run release-files -- release');
  process.exitCode = 2;
} else describe(folder);
