/** Builds `@canvass-surveys/react`: one ES module of client components, and plain declarations. */

import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeDeclarations } from './declarations.ts';

const SOURCE = fileURLToPath(new URL('../../sdk/react/', import.meta.url));

/** Builds the package's `dist` in a folder. */
export async function buildReactPackage(dist: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [`${SOURCE}index.ts`],
    // Source maps name sources from here, wherever the files are written.
    outdir: `${SOURCE}dist`,
    write: false,
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'es2022',
    // For the app router of Next.js, which reads it in the first line.
    banner: { js: "'use client';" },
    sourcemap: true,
    sourcesContent: true,
    charset: 'utf8',
    tsconfigRaw: {},
  });
  for (const { path, contents } of outputFiles) writeFileSync(join(dist, basename(path)), contents);
  const declared = {
    project: SOURCE,
    rootDir: join(SOURCE, '../..'),
    folder: 'sdk/react',
    entries: ['index'],
  };
  writeDeclarations(dist, { ...declared, mayName: ['react', '@canvass-surveys/browser'] });
}
