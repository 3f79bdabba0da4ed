/** `npm run release-files -- FOLDER` adds an SBOM and checksums to a release. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SUMS = 'SHA256SUMS';

function describe(folder: string): void {
  const sbom = execFileSync(process.execPath, ['bin/sbom.ts'], { cwd: ROOT, maxBuffer: 2 ** 28 });
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom);
  const lines = readdirSync(folder)
    .filter((name) => name !== SUMS && statSync(join(folder, name)).isFile())
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, SUMS), lines.join(''));
  console.log(`${lines.length} files in ${folder}`);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name a folder: npm run release-files -- release');
  process.exitCode = 2;
} else describe(folder);
