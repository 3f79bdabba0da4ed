/** Builds `@canvass-surveys/server`: ES modules, CommonJS and declarations for both, with nothing of another package. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Format } from 'esbuild';
import { typescriptTypes } from '../../shared/contract/clients/typescript-types.ts';
import { writeDeclarations } from './declarations.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const SOURCE = path('sdk/server');
const ENTRIES = ['index', 'scores'];

async function bundle(dist: string, format: Format, extension: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: ENTRIES.map((entry) => join(SOURCE, `${entry}.ts`)),
    // Source maps name sources from here, wherever the files are written.
    outdir: join(SOURCE, 'dist'),
    write: false,
    outExtension: { '.js': extension },
    bundle: true,
    format,
    splitting: format === 'esm',
    platform: 'neutral',
    target: 'es2022',
    sourcemap: true,
    sourcesContent: true,
    charset: 'utf8',
    tsconfigRaw: {},
  });
  for (const { path, contents } of outputFiles) writeFileSync(join(dist, basename(path)), contents);
}

/** Declarations from a copy of the sources in which the types of routes are plain. */
function declare(dist: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'canvass-types-'));
  try {
    cpSync(SOURCE, copy, { recursive: true, filter: (path) => !path.startsWith(join(SOURCE, 'dist')) });
    writeFileSync(join(copy, 'route-types.ts'), typescriptTypes());
    const compilerOptions = {
      allowImportingTsExtensions: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      module: 'nodenext',
    };
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    writeDeclarations(dist, {
      project: copy,
      rootDir: copy,
      folder: '.',
      entries: ENTRIES,
      forRequire: true,
    });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Builds the package's `dist` in a folder. */
export async function buildServerPackage(dist: string): Promise<void> {
  await bundle(dist, 'esm', '.js');
  await bundle(dist, 'cjs', '.cjs');
  declare(dist);
}
