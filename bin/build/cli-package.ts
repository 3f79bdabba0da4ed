import { chmodSync, cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { demoAssets } from '../../local/demo/demo-files.ts';
import { VERSION } from '../../shared/settings/version.ts';
import { BUILT_CONSOLE, BUNDLING } from './function-bundles.ts';
import { thirdPartyLicences } from './third-party.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUTPUT = 'sdk/cli/dist';
const DEMO_PAGES = ['panel.html', 'shop.html', 'chat.html'];

/** A checkout builds these from sources. */
const prebuilt: Plugin = {
  name: 'prebuilt',
  setup({ onResolve }) {
    onResolve({ filter: /\/demo-files\.ts$/ }, () => ({
      path: join(ROOT, 'bin/build/substitutes/demo-files.ts'),
    }));
  },
};

async function bundle(dist: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['bin/canvass.ts'],
    outdir: OUTPUT,
    // With splitting, the service and the state machine are loaded only when needed.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    charset: 'utf8',
    metafile: true,
    define: {
      ...BUNDLING.define,
      CANVASS_CLI: 'true',
      CANVASS_VERSION: JSON.stringify(VERSION),
    },
    // Some packages are CommonJS and need `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    plugins: [prebuilt],
    tsconfigRaw: {},
    logLevel: 'error',
  });
  for (const { path, contents } of outputFiles) {
    const file = join(dist, path.slice(join(ROOT, OUTPUT).length + 1));
    mkdirSync(join(file, '..'), { recursive: true });
    const isProgram = file === join(dist, 'canvass.js');
    writeFileSync(file, isProgram ? `#!/usr/bin/env node\n${Buffer.from(contents)}` : contents);
  }
  chmodSync(join(dist, 'canvass.js'), 0o755);
  return metafile;
}

async function copyDemo(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of DEMO_PAGES) cpSync(join(ROOT, 'local/demo/page', name), join(folder, name));
  for (const [name, text] of await demoAssets()) writeFileSync(join(folder, name), text);
}

function copyDocs(folder: string): void {
  // `npm run docs` leaves packages and copies of pages in `site`.
  for (const name of globSync('**/*.md', { cwd: join(ROOT, 'docs'), exclude: (path) => path === 'site' }))
    cpSync(join(ROOT, 'docs', name), join(folder, name));
  cpSync(join(ROOT, 'CHANGELOG.md'), join(folder, 'changelog.md'));
}

export async function buildCliPackage(dist: string): Promise<void> {
  const metafile = await bundle(dist);
  await copyDemo(join(dist, 'demo'));
  copyDocs(join(dist, 'docs'));
  writeFileSync(join(dist, 'THIRD-PARTY-LICENCES.txt'), thirdPartyLicences(metafile, BUILT_CONSOLE.metafile));
}
