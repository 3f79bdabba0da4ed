import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { buildConsole } from '../../pages/console/build-console.ts';
import { buildPageScript } from '../../pages/results/build-page-script.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Source maps are relative to this folder, so that bundles are reproducible. */
const OUTPUT = 'lib/dist/functions';

export const BUILT_CONSOLE = await buildConsole();

/** CommonJS starts fastest (decision 3). */
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

/** Unused parts of packages are omitted (decision 41). */
export const BUNDLING = {
  ...BUNDLING_AS_SHIPPED,
  alias: {
    '@aws-sdk/credential-provider-node': './bin/build/substitutes/credentials.ts',
    '@aws-sdk/endpoint-cache': './bin/build/substitutes/endpoint-cache.ts',
  },
  // Canvass uses no event streams, but esbuild would include everything that they import.
  external: ['@smithy/core/event-streams'],
} as const satisfies BuildOptions;

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

/** Does not rewrite unchanged files, so that a concurrent synthesis can read them. */
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
