/** Declarations of packages: of their public modules, and of the modules of their own that these name. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** What a declaration names of other modules. */
const IMPORTED = /((?:from |import\()')([^']+)'/g;

interface Declared {
  /** A `tsconfig.json`, or a folder with one. */
  readonly project: string;
  /** Folder that all sources lie below. */
  readonly rootDir: string;
  /** Folder of the public modules, from there. */
  readonly folder: string;
  /** Names of the public modules, without `.ts`. */
  readonly entries: readonly string[];
  /** Packages that an app has, and that declarations may name. */
  readonly mayName?: readonly string[];
  /** For `require` as well as for `import`. */
  readonly forRequire?: boolean;
}

/**
 * Compiles the sources, and writes what their public modules declare and what that names into a folder.
 *
 * @throws Error when the sources do not compile, or when a declaration names another package
 */
export function writeDeclarations(dist: string, declared: Declared): void {
  const { project, rootDir, folder } = declared;
  const output = mkdtempSync(join(tmpdir(), 'canvass-types-'));
  try {
    const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
    const args = [TSC, '--project', project, ...emit, '--rootDir', rootDir, '--outDir', output];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the declarations of ${folder} do not compile:\n${stdout}`);
    writeReached(join(output, folder), dist, declared);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

function writeReached(
  from: string,
  dist: string,
  { entries, mayName = [], forRequire = false }: Declared,
): void {
  const isOfApp = (imported: string) => mayName.some((name) => `${imported}/`.startsWith(`${name}/`));
  // A module from beside the folder lies in it, in a package.
  const placeOf = (file: string) => file.replace(/^(\.\.\/)+/, '');
  const reached = entries.map((entry) => `${entry}.d.ts`);
  for (const file of reached) {
    const place = placeOf(file);
    const declaration = readFileSync(join(from, file), 'utf8');
    const text = declaration.replace(IMPORTED, (_, before: string, imported: string) => {
      if (imported.startsWith('.')) {
        const found = join(dirname(file), imported.replace(/\.ts$/, '.d.ts'));
        if (!reached.includes(found)) reached.push(found);
        const path = relative(dirname(place), placeOf(found)).replace(/\.d\.ts$/, '.ts');
        return `${before}${path.startsWith('.') ? path : `./${path}`}'`;
      }
      if (!isOfApp(imported)) throw new Error(`the declarations in ${file} need ${imported}`);
      return `${before}${imported}'`;
    });
    const importing = (extension: string): string =>
      text.replace(/((?:from |import\()'\.[^']+)\.ts'/g, `$1${extension}'`);
    mkdirSync(dirname(join(dist, place)), { recursive: true });
    writeFileSync(join(dist, place), importing('.js'));
    if (forRequire) writeFileSync(join(dist, place.replace(/\.d\.ts$/, '.d.cts')), importing('.cjs'));
  }
}
