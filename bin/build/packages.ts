/** Packages are built in the order of their dependencies. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { typescriptTypes } from '../../shared/contract/clients/typescript-client.ts';
import { VERSION } from '../../shared/settings/version.ts';
import { buildSdk, filesOf } from './build-sdk.ts';
import { buildCliPackage } from './cli-package.ts';
import { writeDeclarations } from './declarations.ts';
import { BUILT_CONSOLE, writeFunctionBundles } from './function-bundles.ts';
import { minifiedCss } from './minified-css.ts';
import { thirdPartyLicences } from './third-party.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Publishing under another scope also needs other package names. */
export const SCOPE = '@canvass-surveys';

interface SizeBudget {
  readonly file: string;
  readonly bytes: number;
}

interface NpmPackage {
  readonly name: string;
  readonly folder: string;
  readonly build: (dist: string) => Promise<void>;
  readonly budgets: readonly SizeBudget[];
}

const ESM = { format: 'esm' } as const;
const CJS = { format: 'cjs', outExtension: { '.js': '.cjs' } } as const;

/** Source maps are relative to `dist`. */
async function writeModules(
  dist: string,
  folder: string,
  entries: readonly string[],
  options: BuildOptions,
): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: entries.map((entry) => `${folder}/${entry}.ts`),
    outdir: `${folder}/dist`,
    bundle: true,
    target: 'es2022',
    sourcemap: true,
    charset: 'utf8',
    tsconfigRaw: {},
    ...options,
    write: false,
    metafile: true,
  });
  for (const { path, text } of outputFiles)
    writeFileSync(join(dist, basename(path)), text.replace('unknownToBundlersUntilTheBrowserSaysIt', ''));
  return metafile;
}

/** Each file for pages also has a name with a hash, to be cached forever. `require`, as in Jest, needs single files. */
async function buildBrowserPackage(dist: string): Promise<void> {
  for (const { stableName, hashedName, text, map } of filesOf(await buildSdk())) {
    for (const name of [stableName, hashedName]) writeFileSync(join(dist, name), text);
    writeFileSync(join(dist, `${stableName}.map`), map);
  }
  const folder = 'sdk/browser';
  const plugins = [minifiedCss];
  await writeModules(dist, folder, ['testing'], { ...ESM, plugins, outExtension: { '.js': '.mjs' } });
  const entries = ['canvass', 'headless', 'testing'];
  await writeModules(dist, folder, entries, { ...CJS, plugins });
  writeDeclarations(join(dist, 'types'), { folder, entries });
}

async function buildReactPackage(dist: string): Promise<void> {
  const folder = 'sdk/react';
  const entries = ['index', 'testing'];
  for (const [how, extension] of [[ESM, '.js'] as const, [CJS, '.cjs'] as const]) {
    await writeModules(dist, folder, [...entries, 'provided'], {
      ...how,
      packages: 'external',
      plugins: [
        {
          // With one shared file, both modules use the same context.
          name: 'shared',
          setup({ onResolve }) {
            const resolved = { path: `./provided${extension}`, external: true };
            onResolve({ filter: /^\.\/provided\.ts$/ }, () => resolved);
          },
        },
      ],
      // Next.js requires this directive in the first line.
      banner: { js: "'use client';" },
    });
  }
  writeDeclarations(dist, { folder, entries, mayName: ['react', '@canvass-surveys/browser'] });
}

async function buildServerPackage(dist: string): Promise<void> {
  const folder = 'sdk/server';
  const entries = ['index', 'scores', 'testing'];
  const define = { CANVASS_VERSION: JSON.stringify(VERSION) };
  await writeModules(dist, folder, entries, { ...ESM, platform: 'neutral', splitting: true, define });
  await writeModules(dist, folder, ['index', 'scores'], { ...CJS, platform: 'neutral', define });
  // Tests compare errors with the class of the package's main module.
  const main: Plugin = {
    name: 'main',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\/canvass-(client|error)\.ts$/ }, () => ({
        path: './index.cjs',
        external: true,
      })),
  };
  await writeModules(dist, folder, ['testing'], { ...CJS, platform: 'neutral', define, plugins: [main] });
  const compilerOptions = {
    allowImportingTsExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    module: 'nodenext',
  };
  // A copy of the sources, in which the contract's types have descriptions.
  const root = mkdtempSync(join(tmpdir(), 'canvass-sources-'));
  try {
    const parts = ['package.json', folder, 'shared/delivery', 'shared/contract/clients/send.ts'];
    for (const part of [...parts, 'sdk/browser/fake-survey.ts', 'sdk/browser/client/survey.ts']) {
      cpSync(join(ROOT, part), join(root, part), { recursive: true });
    }
    writeFileSync(join(root, 'shared/contract/clients/wire-types.ts'), typescriptTypes());
    const files = entries.map((entry) => join(root, folder, `${entry}.ts`));
    writeDeclarations(dist, { root, folder, entries, settings: { compilerOptions, files } });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Constructs of two copies of the CDK do not work together. */
const PEERS = ['aws-cdk-lib', 'constructs'];

async function buildCdkPackage(dist: string): Promise<void> {
  const entries = ['index'];
  const define = { BUNDLES_BESIDE: JSON.stringify('functions'), CANVASS_VERSION: JSON.stringify(VERSION) };
  const external = PEERS.flatMap((peer) => [peer, `${peer}/*`]);
  const options = { platform: 'node', target: 'node20', external } as const;
  const construct = await writeModules(dist, 'lib', entries, { ...ESM, ...options, define });
  const definedForRequire = { ...define, 'import.meta.dirname': '__dirname' };
  await writeModules(dist, 'lib', entries, { ...CJS, ...options, define: definedForRequire });
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { stripInternal: true, typeRoots: [join(ROOT, 'node_modules/@types')] },
    files: [join(ROOT, 'lib/index.ts')],
    include: [],
  };
  writeDeclarations(dist, { folder: 'lib', entries, settings, mayName: PEERS });
  const functions = await writeFunctionBundles(join(dist, 'functions'));
  const licences = thirdPartyLicences(construct, functions, BUILT_CONSOLE.metafile);
  writeFileSync(join(dist, 'THIRD-PARTY-LICENCES.txt'), licences);
}

export const NPM_PACKAGES: readonly NpmPackage[] = [
  {
    name: 'browser',
    folder: 'sdk/browser',
    build: buildBrowserPackage,
    // `test/sdk/browser/size.test.ts` limits page loads.
    budgets: [
      { file: 'dist/canvass.js', bytes: 3_072 },
      { file: 'dist/canvass.mjs', bytes: 3_072 },
      { file: 'dist/headless.mjs', bytes: 5_952 },
      { file: 'dist/widget.js', bytes: 5_248 },
      { file: 'dist/kit.js', bytes: 2_112 },
      { file: 'dist/bare.js', bytes: 3_712 },
      { file: 'dist/thumbs.js', bytes: 2_944 },
    ],
  },
  {
    name: 'react',
    folder: 'sdk/react',
    build: buildReactPackage,
    budgets: [{ file: 'dist/index.js', bytes: 1_920 }],
  },
  {
    name: 'server',
    folder: 'sdk/server',
    build: buildServerPackage,
    budgets: [
      { file: 'dist/index.cjs', bytes: 6_656 },
      { file: 'dist/scores.cjs', bytes: 8_192 },
    ],
  },
  {
    name: 'cdk',
    folder: 'lib',
    build: buildCdkPackage,
    budgets: [{ file: 'dist/index.cjs', bytes: 118_784 }],
  },
  {
    name: 'cli',
    folder: 'sdk/cli',
    build: buildCliPackage,
    budgets: [{ file: 'dist/canvass.js', bytes: 307_200 }],
  },
];

const CARRIED = ['package.json', 'README.md', 'LICENSE'];

export async function buildInPlace({ folder, build }: NpmPackage): Promise<void> {
  const dist = join(ROOT, folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await build(dist);
}

export async function writePackage({ folder, build }: NpmPackage, target: string): Promise<void> {
  const dist = join(target, 'dist');
  mkdirSync(dist, { recursive: true });
  await build(dist);
  for (const name of CARRIED) cpSync(join(ROOT, folder, name), join(target, name));
}
