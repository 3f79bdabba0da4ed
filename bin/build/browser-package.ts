/** Builds `@canvass-surveys/browser`: modules for bundlers, files for a script tag, and declarations. */

import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { buildSdk, filesOf } from './build-sdk.ts';
import { writeDeclarations } from './declarations.ts';
import { minifiedCss } from './minified-css.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const SOURCE = path('sdk/browser');

async function bundlePlainly(dist: string, entries: readonly string[], options: BuildOptions): Promise<void> {
  const { outputFiles = [] } = await build({
    entryPoints: entries.map((entry) => join(SOURCE, `${entry}.ts`)),
    // Source maps are relative to this folder, wherever the files are written.
    outdir: join(SOURCE, 'dist'),
    write: false,
    bundle: true,
    target: 'es2022',
    plugins: [minifiedCss],
    sourcemap: true,
    sourcesContent: true,
    charset: 'utf8',
    tsconfigRaw: {},
    ...options,
  });
  for (const { path: file, text } of outputFiles)
    writeFileSync(join(dist, basename(file)), text.replace('unknownToBundlersUntilTheBrowserSaysIt', ''));
}

/**
 * Every file for pages exists under a stable name and under one with a hash of its content, which can be cached
 * forever. For `require`, as in Jest, each module is a single file.
 */
export async function buildBrowserPackage(dist: string): Promise<void> {
  for (const { stableName, hashedName, text, map } of filesOf(await buildSdk())) {
    for (const name of [stableName, hashedName]) writeFileSync(join(dist, name), text);
    writeFileSync(join(dist, `${stableName}.map`), map);
  }
  await bundlePlainly(dist, ['testing'], { format: 'esm', outExtension: { '.js': '.mjs' } });
  const entries = ['canvass', 'headless', 'testing'];
  await bundlePlainly(dist, entries, { format: 'cjs', outExtension: { '.js': '.cjs' } });
  const declared = { project: SOURCE, rootDir: path('.'), folder: 'sdk/browser', entries };
  writeDeclarations(join(dist, 'types'), { ...declared, forRequire: true });
}
