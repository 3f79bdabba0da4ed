/** Builds `@canvass-surveys/browser`: what a bundler takes, what a script tag needs, and plain declarations. */

import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { buildSdk, filesOf } from './build-sdk.ts';
import { writeDeclarations } from './declarations.ts';
import { minifiedCss } from './minified-css.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const SOURCE = path('sdk/browser');

/** What is not for pages: no byte of it counts. */
async function bundlePlainly(dist: string, entries: readonly string[], options: BuildOptions): Promise<void> {
  const { outputFiles = [] } = await build({
    entryPoints: entries.map((entry) => join(SOURCE, `${entry}.ts`)),
    // Source maps name sources from here, wherever the files are written.
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
 * Builds the package's `dist` in a folder. Every file of pages stands there under a name with its content's hash, to be
 * cached for ever, and under a stable one. For `require`, as Jest has it, each module is one file with all its parts.
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
