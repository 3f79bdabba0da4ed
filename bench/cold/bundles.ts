/** Bundles as they are deployed, and the variants they are compared with. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLING, REPLACED } from '../../lib/service-function.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Variant {
  readonly name: string;
  /** A file from the repository's root, or source text. */
  readonly entry: string | { readonly source: string };
  readonly format?: 'cjs' | 'esm';
  /** Whether Node reads the map while it loads the bundle; the map is there in any case. */
  readonly sourceMaps?: boolean;
  /** Whether the SDK's own search for credentials is in the bundle; ours stands for it otherwise. */
  readonly searchesCredentials?: boolean;
}

export interface Bundle {
  readonly file: string;
  readonly kilobytes: number;
}

const ESM_REQUIRE =
  "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);";

export async function bundle(folder: string, index: number, variant: Variant): Promise<Bundle> {
  const { entry, format = BUNDLING.format, searchesCredentials = false } = variant;
  const file = join(folder, `bundle-${index}.${format === 'esm' ? 'mjs' : 'cjs'}`);
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    ...(typeof entry === 'string'
      ? { entryPoints: [entry] }
      : { stdin: { contents: entry.source, resolveDir: ROOT, loader: 'ts' } }),
    outfile: file,
    bundle: true,
    // Written from here, since esbuild is a process of its own and would write on after this one was ended.
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format,
    mainFields: BUNDLING.mainFields,
    minify: BUNDLING.minify,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
    ...(!searchesCredentials && { alias: { ...REPLACED } }),
    ...(format === 'esm' && { banner: { js: ESM_REQUIRE } }),
  });
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
  const output = Object.entries(metafile.outputs).find(([path]) => !path.endsWith('.map'));
  return { file, kilobytes: (output?.[1].bytes ?? Number.NaN) / 1_024 };
}
