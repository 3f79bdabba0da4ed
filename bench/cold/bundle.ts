/** Bundles as they are deployed, and the variants they are compared with. */

import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLING, BUNDLING_AS_SHIPPED } from '../../bin/build/function-bundles.ts';

const ROOT = join(import.meta.dirname, '../..');
const WRITTEN_HERE = {
  // Written from here: esbuild is a process of its own and would write on after this one was ended.
  write: false,
  logLevel: 'error',
} as const;

export interface Bundling {
  /** A file from the repository's root, or source text. */
  readonly entry: string | { readonly source: string };
  readonly format?: 'esm';
  /** Whether the packages are in it as they ship, with nothing replaced or left out. */
  readonly isAsShipped?: boolean;
}

const ESM_REQUIRE =
  "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);";

/** @param path of the bundle, without its extension; its map lies beside it */
export async function bundle(path: string, { entry, format, isAsShipped = false }: Bundling) {
  const file = `${path}.${format === 'esm' ? 'mjs' : 'cjs'}`;
  const { outputFiles } = await build({
    ...(isAsShipped ? BUNDLING_AS_SHIPPED : BUNDLING),
    ...WRITTEN_HERE,
    ...(typeof entry === 'string'
      ? { entryPoints: [entry] }
      : { stdin: { contents: entry.source, resolveDir: ROOT, loader: 'ts' } }),
    outfile: file,
    ...(format === 'esm' && { format, banner: { js: ESM_REQUIRE } }),
  });
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
  const bytes = outputFiles.find(({ path }) => path.endsWith(file))?.contents.length ?? Number.NaN;
  return { file, kilobytes: bytes / 1_024 };
}

/** Kilobytes of every function as it is deployed. */
export async function functionSizes() {
  const entryPoints = globSync('functions/{*,purge/*}.ts', { cwd: ROOT }).filter((entry) =>
    readFileSync(join(ROOT, entry), 'utf8').includes('export const handler'),
  );
  const outdir = join(ROOT, 'functions');
  const { outputFiles } = await build({ ...BUNDLING, ...WRITTEN_HERE, entryPoints, outdir });
  return outputFiles
    .filter(({ path }) => path.endsWith('.js'))
    .map(({ path, contents }) => ({
      function: path.slice(outdir.length + 1, -'.js'.length),
      KB: contents.length / 1_024,
    }))
    .sort((a, b) => a.function.localeCompare(b.function));
}
