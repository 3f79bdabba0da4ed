/** Builds `@canvass-surveys/cdk`: the construct as ES module and CommonJS, declarations, and the functions' bundles. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Format, type Metafile } from 'esbuild';
import { VERSION } from '../../shared/settings/version.ts';
import { writeDeclarations } from './declarations.ts';
import { BUILT_CONSOLE, writeFunctionBundles } from './function-bundles.ts';
import { thirdPartyLicences } from './third-party.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/** The app provides these, because constructs of two CDK copies do not work together. */
const PEERS = ['aws-cdk-lib', 'constructs'];

async function bundle(dist: string, format: Format, file: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: path('.'),
    entryPoints: ['lib/index.ts'],
    // Source maps are relative to this folder, wherever the files are written.
    outfile: `lib/dist/${file}`,
    write: false,
    bundle: true,
    format,
    platform: 'node',
    target: 'node20',
    external: PEERS.flatMap((peer) => [peer, `${peer}/*`]),
    define: {
      BUNDLES_BESIDE: JSON.stringify('functions'),
      CANVASS_VERSION: JSON.stringify(VERSION),
      ...(format === 'cjs' && { 'import.meta.dirname': '__dirname' }),
    },
    sourcemap: true,
    charset: 'utf8',
    metafile: true,
    tsconfigRaw: {},
  });
  for (const { path, contents } of outputFiles)
    writeFileSync(join(dist, path.endsWith('.map') ? `${file}.map` : file), contents);
  return metafile;
}

function declare(dist: string): void {
  const settings = mkdtempSync(join(tmpdir(), 'canvass-types-'));
  try {
    const compilerOptions = {
      stripInternal: true,
      typeRoots: [path('node_modules/@types')],
    };
    const project = {
      extends: path('tsconfig.json'),
      compilerOptions,
      files: [path('lib/index.ts')],
      include: [],
    };
    writeFileSync(join(settings, 'tsconfig.json'), JSON.stringify(project));
    const declared = { project: settings, rootDir: path('.'), folder: 'lib', entries: ['index'] };
    writeDeclarations(dist, { ...declared, mayName: PEERS, forRequire: true });
  } finally {
    rmSync(settings, { recursive: true, force: true });
  }
}

export async function buildCdkPackage(dist: string): Promise<void> {
  const construct = await bundle(dist, 'esm', 'index.js');
  await bundle(dist, 'cjs', 'index.cjs');
  declare(dist);
  const functions = await writeFunctionBundles(join(dist, 'functions'));
  writeFileSync(
    join(dist, 'THIRD-PARTY-LICENCES.txt'),
    thirdPartyLicences(construct, functions, BUILT_CONSOLE.metafile),
  );
}
