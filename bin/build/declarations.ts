import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

/**
 * Writes what public modules declare, and the modules that these name, for `import` and for `require`.
 *
 * @param from folder of the compiler's output
 * @param entries such as `index.d.ts`
 * @param mayName packages that an app has, and that declarations may name
 * @throws Error when a declaration names another package
 */
export function writeDeclarations(
  from: string,
  dist: string,
  entries: readonly string[],
  mayName: (imported: string) => boolean = () => false,
): void {
  const reached = [...entries];
  for (const file of reached) {
    const text = readFileSync(join(from, file), 'utf8');
    for (const [, imported = ''] of text.matchAll(/(?:from |import\()'([^']+)'/g)) {
      if (imported.startsWith('.')) {
        const found = join(dirname(file), imported.replace(/\.ts$/, '.d.ts'));
        if (!reached.includes(found)) reached.push(found);
      } else if (!mayName(imported)) throw new Error(`the declarations in ${file} need ${imported}`);
    }
    const importing = (extension: string): string =>
      text.replace(/((?:from |import\()'\.[^']+)\.ts'/g, `$1${extension}'`);
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    writeFileSync(join(dist, file), importing('.js'));
    writeFileSync(join(dist, file.replace(/\.d\.ts$/, '.d.cts')), importing('.cjs'));
  }
}
