/** The bundles of the functions as they are deployed: one CommonJS file each, with its map beside it. */

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { buildConsole } from '../../pages/console/build-console.ts';
import { buildPageScript } from '../../pages/results/build-page-script.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where maps count their paths from, wherever bundles are written: the same sources give the same bytes. */
const OUTPUT = 'lib/dist/functions';

/** The console's files; the licences of what went into them go with the bundles. */
export const BUILT_CONSOLE = await buildConsole();

/** CommonJS, and the packages' ES modules in it: measured, see decision 3. */
export const BUNDLING_AS_SHIPPED = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  define: {
    BUILT_PAGE_SCRIPT: JSON.stringify(buildPageScript()),
    BUILT_CONSOLE_NAMES: JSON.stringify(JSON.stringify(BUILT_CONSOLE.names)),
    BUILT_CONSOLE_FILES: JSON.stringify(JSON.stringify(BUILT_CONSOLE.files)),
  },
} as const satisfies BuildOptions;

/** The same, without what a function never uses of the packages: measured, see decision 41. */
export const BUNDLING = {
  ...BUNDLING_AS_SHIPPED,
  // In place of a package a file of ours, from the repository's root.
  alias: {
    '@aws-sdk/credential-provider-node': './bin/build/substitutes/credentials.ts',
    '@aws-sdk/endpoint-cache': './bin/build/substitutes/endpoint-cache.ts',
  },
  // No operation of ours has an event stream. With this import in the bundle, esbuild keeps all that it could reach.
  external: ['@smithy/core/event-streams'],
} as const satisfies BuildOptions;

/** `bootstrap`, `purge`: the entry files under `functions`, without their extension. */
export const functionNames = (): readonly string[] =>
  globSync('*.ts', { cwd: join(ROOT, 'functions') })
    .map((path) => path.replace(/\.ts$/, ''))
    .sort();

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Writes `<function>/index.js` and its map for each function into a folder, and removes what else is there. What has
 * not changed is not touched, so that a synthesis which reads the folder meanwhile finds it whole.
 * @returns what went into them
 */
export async function writeFunctionBundles(folder: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    ...BUNDLING,
    entryPoints: functionNames().map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outdir: OUTPUT,
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const written = new Map(
    outputFiles.map(({ path, contents }) => [path.slice(join(ROOT, OUTPUT).length + 1), contents]),
  );
  for (const [path, contents] of written) {
    const file = join(folder, path);
    if (readIfThere(file)?.equals(contents)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  for (const path of globSync('**/*', { cwd: folder, withFileTypes: true })) {
    const file = join(path.parentPath, path.name);
    if (path.isFile() && !written.has(file.slice(folder.length + 1))) rmSync(file);
  }
  return metafile;
}
