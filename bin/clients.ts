/** `npm run clients`: generates the types of requests and replies for TypeScript clients. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientDocument, digestOf } from '../shared/contract/clients/calls.ts';

/** The generator needs TypeScript 5, so it runs outside this project. */
const PACKAGES = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const OPTIONS = ['--root-types', '--root-types-no-schema-prefix', '--default-non-nullable=false'];
const TARGET = fileURLToPath(new URL('../shared/contract/clients/wire-types.ts', import.meta.url));

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

const document = clientDocument();
const folder = mkdtempSync(join(tmpdir(), 'canvass-clients-'));
try {
  const [source, made] = [join(folder, 'document.json'), join(folder, 'types.ts')];
  writeFileSync(source, JSON.stringify(document));
  const packages = PACKAGES.map((name) => `--package=${name}`);
  run('npx', ['--yes', ...packages, 'openapi-typescript', source, ...OPTIONS, `--output=${made}`]);
  const types = readFileSync(made, 'utf8')
    .replace(/^\/\*\*[\s\S]*?\*\/\n/, '')
    .replace(/^export type \S+ = Record<string, never>;\n/gm, '')
    .replace(/^ {4}\w+: never;\n/gm, '')
    .replace(/^ +\/\*\* (@enum \{\w+\}|@constant|Format: [\w-]+) \*\/\n/gm, '')
    .replace(/^ +\* (@enum \{\w+\}|@constant|Format: [\w-]+)\n/gm, '')
    .replaceAll('@description ', '')
    .replace(/\/\*\*\n +\* (.*)\n +\*\//g, '/** $1 */');
  writeFileSync(
    TARGET,
    `/** Requests and replies of the service. Written by \`npm run clients\` from ${digestOf(document)}. */\n\n${types}`,
  );
  run('biome', ['check', '--write', TARGET]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
