/** Builds `@canvass-surveys/react`: client components as ES modules and CommonJS, with declarations. */

import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Format, type Plugin } from 'esbuild';
import { writeDeclarations } from './declarations.ts';

const SOURCE = fileURLToPath(new URL('../../sdk/react/', import.meta.url));
const ENTRIES = ['index', 'testing'];

/** Both modules share this file, so that there is one context. */
const SHARED = 'provided';

const shared = (extension: string): Plugin => ({
  name: 'shared',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^\\./${SHARED}\\.ts$`) }, () => ({
      path: `./${SHARED}${extension}`,
      external: true,
    }));
  },
});

async function bundle(dist: string, format: Format, extension: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [...ENTRIES, SHARED].map((entry) => `${SOURCE}${entry}.ts`),
    // Source maps are relative to this folder, wherever the files are written.
    outdir: `${SOURCE}dist`,
    write: false,
    outExtension: { '.js': extension },
    bundle: true,
    packages: 'external',
    plugins: [shared(extension)],
    format,
    target: 'es2022',
    // The app router of Next.js requires it in the first line.
    banner: { js: "'use client';" },
    sourcemap: true,
    sourcesContent: true,
    charset: 'utf8',
    tsconfigRaw: {},
  });
  for (const { path, contents } of outputFiles) writeFileSync(join(dist, basename(path)), contents);
}

export async function buildReactPackage(dist: string): Promise<void> {
  await bundle(dist, 'esm', '.js');
  await bundle(dist, 'cjs', '.cjs');
  const declared = {
    project: SOURCE,
    rootDir: join(SOURCE, '../..'),
    folder: 'sdk/react',
    entries: ENTRIES,
    forRequire: true,
  };
  writeDeclarations(dist, { ...declared, mayName: ['react', '@canvass-surveys/browser'] });
}
