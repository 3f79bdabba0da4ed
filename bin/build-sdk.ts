/**
 * `npm run build:sdk [-- DIR]`: writes the browser SDK to `dist/sdk`, or DIR, and reports its sizes. Every file stands
 * there under a name with its content's hash, to be cached for ever, and under a stable one; `types` has the
 * declarations. The folder is a package of its own, to be installed without what the service depends on.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSdk, filesOf, sizeReport } from '../sdk/build-browser.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const ours = path('../dist/sdk');
const output = resolve(process.argv[2] ?? ours);

const files = await buildSdk();
// Another folder is not ours to empty.
if (output === ours) rmSync(ours, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
for (const { stableName, hashedName, text } of filesOf(files)) {
  for (const name of [stableName, hashedName]) writeFileSync(join(output, name), text);
}
const { name, version, license, type, exports } = JSON.parse(readFileSync(path('../package.json'), 'utf8'));
const description = { name, version, license, type, exports };
writeFileSync(
  join(output, 'package.json'),
  JSON.stringify(description, null, 2).replaceAll('"./dist/sdk/', '"./'),
);
const declarations = [
  '--noEmit',
  'false',
  '--declaration',
  '--emitDeclarationOnly',
  '--outDir',
  join(output, 'types'),
];
const compiler = [
  path('../node_modules/typescript/bin/tsc'),
  '--project',
  path('../sdk/browser'),
  ...declarations,
];
process.exitCode = spawnSync(process.execPath, compiler, { stdio: 'inherit' }).status ?? 1;
console.log(sizeReport(files));
