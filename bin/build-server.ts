/** `npm run build:server`: builds the package `@canvass-surveys/server` into `dist/server`, and tells its sizes. */

import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { writeServerPackage } from './build/server-package.ts';

const output = fileURLToPath(new URL('../dist/server', import.meta.url));
rmSync(output, { recursive: true, force: true });
await writeServerPackage(output);
for (const name of globSync('dist/{index,scores}.js', { cwd: output }).sort()) {
  const bytes = gzipSync(readFileSync(join(output, name)), { level: 9 }).length;
  console.log(`${name}  ${bytes.toLocaleString('en')} bytes gzip`);
}
