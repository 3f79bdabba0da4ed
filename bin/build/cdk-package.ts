/** Builds `@canvass-surveys/cdk`: the construct in both kinds of modules, its declarations, and the functions' bundles. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Format, type Metafile } from 'esbuild';
import { writeDeclarations } from './declarations.ts';
import { writeFunctionBundles } from './function-bundles.ts';
import { thirdPartyLicences } from './third-party.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/** What an app has itself: two copies of the CDK would not know each other's constructs. */
const PEERS = ['aws-cdk-lib', 'constructs'];
const isOfPeers = (imported: string) => PEERS.some((peer) => `${imported}/`.startsWith(`${peer}/`));

async function bundle(dist: string, format: Format, file: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: path('.'),
    entryPoints: ['lib/index.ts'],
    // Source maps name sources from here, wherever the files are written.
    outfile: `lib/dist/${file}`,
    write: false,
    bundle: true,
    format,
    platform: 'node',
    target: 'node20',
    external: PEERS.flatMap((peer) => [peer, `${peer}/*`]),
    define: {
      BUNDLES_BESIDE: JSON.stringify('functions'),
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

/** Declarations of what `index.ts` reaches by types: nothing but them and the peers'. */
function declare(dist: string): void {
  const output = mkdtempSync(join(tmpdir(), 'canvass-types-'));
  try {
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      typeRoots: [path('node_modules/@types')],
      rootDir: path('.'),
      outDir: output,
    };
    const project = {
      extends: path('tsconfig.json'),
      compilerOptions,
      files: [path('lib/index.ts')],
      include: [],
    };
    writeFileSync(join(output, 'tsconfig.json'), JSON.stringify(project));
    const compiler = path('node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '--project', output], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the declarations of the CDK package do not compile:\n${stdout}`);
    writeDeclarations(join(output, 'lib'), dist, ['index.d.ts'], isOfPeers);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** Writes modules, declarations and bundles into a folder. */
export async function buildCdkPackage(dist: string): Promise<void> {
  const construct = await bundle(dist, 'esm', 'index.js');
  await bundle(dist, 'cjs', 'index.cjs');
  declare(dist);
  const functions = await writeFunctionBundles(join(dist, 'functions'));
  writeFileSync(join(dist, 'THIRD-PARTY-LICENCES.txt'), thirdPartyLicences(construct, functions));
}
