import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

const IMPORTED = /((?:from |import\()')([^']+)'/g;

interface Declared {
  readonly root?: string;
  /** The folder contains a `tsconfig.json` unless there are settings. */
  readonly folder: string;
  readonly entries: readonly string[];
  readonly settings?: object;
  readonly mayName?: readonly string[];
}

/** @throws Error if sources do not compile or a declaration imports another package */
export function writeDeclarations(dist: string, declared: Declared): void {
  const { root = ROOT, folder, settings } = declared;
  const output = mkdtempSync(join(tmpdir(), 'canvass-types-'));
  try {
    const own = join(output, 'tsconfig.json');
    if (settings !== undefined) writeFileSync(own, JSON.stringify(settings));
    const project = settings === undefined ? join(root, folder) : own;
    const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
    const args = [TSC, '--project', project, ...emit, '--rootDir', root, '--outDir', output];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the declarations of ${folder} do not compile:\n${stdout}`);
    writeReached(join(output, folder), dist, declared);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

function writeReached(from: string, dist: string, { entries, mayName = [] }: Declared): void {
  const isOfApp = (imported: string) => mayName.some((name) => `${imported}/`.startsWith(`${name}/`));
  // Modules from outside are moved into the folder.
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
    writeFileSync(join(dist, place.replace(/\.d\.ts$/, '.d.cts')), importing('.cjs'));
  }
}
