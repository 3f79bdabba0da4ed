import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const IMPORTED = /(from |import\()(['"])(\.\/[\w/-]+)\.ts\2/g;

/**
 * Declarations of a package's public modules, and of the modules of its own that these name.
 *
 * @param folder of the sources, under `sdk`, with a `tsconfig.json`
 * @param entries names of the modules, without `.ts`
 * @returns texts by file name
 * @throws Error when the sources do not compile
 */
export function declarationsOf(folder: string, entries: readonly string[]): Map<string, string> {
  const output = mkdtempSync(join(tmpdir(), 'canvass-types-'));
  try {
    const compiler = [path('node_modules/typescript/bin/tsc'), '--project', path(`sdk/${folder}`)];
    const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
    const where = ['--rootDir', path('sdk'), '--outDir', output];
    const args = [...compiler, ...emit, ...where];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the declarations of sdk/${folder} do not compile:\n${stdout}`);
    const found = new Map<string, string>();
    const collect = (name: string): void => {
      if (found.has(`${name}.d.ts`)) return;
      const text = readFileSync(join(output, folder, `${name}.d.ts`), 'utf8');
      found.set(`${name}.d.ts`, text.replace(IMPORTED, '$1$2$3.js$2'));
      for (const [, , , imported = ''] of text.matchAll(IMPORTED)) collect(imported.slice('./'.length));
    };
    entries.forEach(collect);
    return found;
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
