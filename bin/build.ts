import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildInPlace, NPM_PACKAGES } from './build/packages.ts';
import { buildWheel } from './build/python-package.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const BUILDS: Readonly<Record<string, () => Promise<void>>> = {
  ...Object.fromEntries(NPM_PACKAGES.map((built) => [built.name, () => buildAndWeigh(built)])),
  python: async () => buildWheel(`${ROOT}sdk/python/dist`),
};

async function buildAndWeigh(built: (typeof NPM_PACKAGES)[number]): Promise<void> {
  await buildInPlace(built);
  for (const { file, bytes } of built.budgets) {
    const size = gzipSync(readFileSync(`${ROOT}${built.folder}/${file}`), { level: 9 }).length;
    const sizes = `${size.toLocaleString('en').padStart(7)} of ${bytes.toLocaleString('en')} bytes gzip`;
    console.log(`${`${built.folder}/${file}`.padEnd(32)}${sizes}`);
    if (size > bytes) process.exitCode = 1;
  }
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => BUILDS[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(
    `There is no package ${unknown.join(', ')}. The packages are ${Object.keys(BUILDS).join(', ')}.\n`,
  );
  process.exitCode = 2;
} else {
  for (const [name, run] of Object.entries(BUILDS))
    if (names.length === 0 || names.includes(name)) await run();
}
