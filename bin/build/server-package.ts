/** Builds `@canvass-surveys/server`: ES modules and CommonJS with declarations, without dependencies. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Format } from 'esbuild';
import { VERSION } from '../../shared/settings/version.ts';
import { writeDeclarations } from './declarations.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const SOURCE = path('sdk/server');
const ENTRIES = ['index', 'scores'];

async function bundle(dist: string, format: Format, extension: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: ENTRIES.map((entry) => join(SOURCE, `${entry}.ts`)),
    // Source maps are relative to this folder, wherever the files are written.
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
    define: { CANVASS_VERSION: JSON.stringify(VERSION) },
    tsconfigRaw: {},
  });
  for (const { path, contents } of outputFiles) writeFileSync(join(dist, basename(path)), contents);
}

function declare(dist: string): void {
  const settings = mkdtempSync(join(tmpdir(), 'canvass-types-'));
  try {
    const compilerOptions = {
      allowImportingTsExtensions: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      module: 'nodenext',
    };
    const files = ENTRIES.map((entry) => join(SOURCE, `${entry}.ts`));
    writeFileSync(join(settings, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const declared = { project: settings, rootDir: path('.'), folder: 'sdk/server', entries: ENTRIES };
    writeDeclarations(dist, { ...declared, forRequire: true });
  } finally {
    rmSync(settings, { recursive: true, force: true });
  }
}

export async function buildServerPackage(dist: string): Promise<void> {
  await bundle(dist, 'esm', '.js');
  await bundle(dist, 'cjs', '.cjs');
  declare(dist);
}
