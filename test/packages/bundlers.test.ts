import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { expect, it } from 'vitest';
import webpack from 'webpack';
import { freshApp } from './support/fresh-app.ts';

interface Chunk {
  readonly file: string;
  readonly code: string;
  /** Files that load with it. */
  readonly imports: readonly string[];
  /** Parts that load it on demand, or `app`. */
  readonly roots: readonly string[];
}

type Bundler = (entry: string) => Promise<Chunk[]>;

const app = freshApp({ packages: ['browser', 'react'] });

/** `widget` for `…/widget-1a2b3c4d.js` */
const partOf = (path: string): string => basename(path).replace(/(-[0-9a-f]{8})?\.m?js$/, '');

const BUNDLERS: Readonly<Record<string, Bundler>> = {
  async Vite(entry) {
    const page = join(app, `${entry}.html`);
    writeFileSync(page, `<!doctype html><script type="module" src="./${entry}.js"></script>`);
    const built = await vite({
      root: app,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, rolldownOptions: { input: page, external: ['react'] } },
    });
    if (!('output' in built)) throw new Error('Vite returned no files.');
    return built.output.flatMap((chunk) =>
      chunk.type === 'chunk'
        ? {
            file: chunk.fileName,
            code: chunk.code,
            imports: chunk.imports,
            roots: chunk.isEntry ? ['app'] : [partOf(chunk.facadeModuleId ?? '')],
          }
        : [],
    );
  },

  async webpack(entry) {
    const path = join(app, `webpack-${entry}`);
    const { promise, resolve, reject } = Promise.withResolvers<webpack.Stats | undefined>();
    const output = { path, filename: '[name].[contenthash:8].js' };
    const externals = { react: 'React' };
    webpack(
      { mode: 'production', context: app, entry: { app: `./${entry}.js` }, output, externals },
      (error, stats) => (error ? reject(error) : resolve(stats)),
    );
    const { chunks = [], errors } = (await promise)?.toJson({ chunks: true, chunkOrigins: true }) ?? {};
    expect(errors).toEqual([]);
    return chunks.flatMap(({ files = [], initial, origins = [] }) =>
      files.map((file) => ({
        file,
        code: readFileSync(join(path, file), 'utf8'),
        imports: [],
        roots: initial ? ['app'] : origins.map(({ request = '' }) => partOf(request)),
      })),
    );
  },

  async esbuild(entry) {
    const { metafile, outputFiles } = await esbuild({
      entryPoints: [`${entry}.js`],
      absWorkingDir: app,
      outdir: 'out',
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      external: ['react'],
      write: false,
      metafile: true,
    });
    return outputFiles.map(({ path, text }) => {
      const file = `out/${basename(path)}`;
      const { entryPoint = '', imports = [] } = metafile.outputs[file] ?? {};
      return {
        file,
        code: text,
        imports: imports.filter(({ kind }) => kind === 'import-statement').map((each) => each.path),
        roots: [entryPoint === `${entry}.js` ? 'app' : partOf(entryPoint)],
      };
    });
  },
};

function bytesOf(chunks: readonly Chunk[], ...parts: string[]): number {
  const loaded = new Set<Chunk>();
  const load = (chunk: Chunk | undefined): void => {
    if (!chunk || loaded.has(chunk)) return;
    loaded.add(chunk);
    for (const name of chunk.imports) load(chunks.find(({ file }) => file === name));
  };
  for (const part of ['app', ...parts]) {
    const found = chunks.filter(({ roots }) => roots.includes(part));
    expect(found, `no chunk is ${part}`).not.toEqual([]);
    found.forEach(load);
  }
  return [...loaded].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
}

const OWN = "document.title = 'Shop';\n";
const LOADS_PARTS = `${OWN}document.body.onclick = () => import('./later.js');\n`;
const CLIENT = `
import { createCanvass } from '@canvass-surveys/browser';
createCanvass({ key: 'svc_pk_1', baseUrl: 'https://surveys.example.com' });
`;
const REACT = "import * as canvass from '@canvass-surveys/react';\nObject.assign(window, { canvass });\n";

async function measure(build: Bundler, name: string, own: string) {
  const built = async (kind: string, code: string) => {
    writeFileSync(join(app, `${name}-${kind}.js`), code);
    return build(`${name}-${kind}`);
  };
  const before = bytesOf(await built('own', own));
  const client = await built('client', CLIENT + own);
  const react = bytesOf(await built('react', REACT + own));
  const added = (...parts: string[]) => bytesOf(client, ...parts) - before;
  return {
    'until a survey is shown': added(),
    'with a survey': added('widget'),
    'in a chat with thumbs and surveys': Math.max(added('kit', 'thumbs', 'bare'), added('widget', 'thumbs')),
    'the step after a rating': added('follow-up') - added(),
    'all of React': react - before - added(),
  };
}

const textOf = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

/** Cells of a table by the first one of their row. */
const tableOf = (file: string): Record<string, string[]> =>
  Object.fromEntries(
    textOf(file)
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, name = '', ...cells]) => [name, cells]),
  );

it('states the largest size that Vite, webpack and esbuild deliver, to a third of a kilobyte', async () => {
  writeFileSync(join(app, 'later.js'), "document.title = 'Later';");
  const table = tableOf('sdk/browser/README.md');
  for (const [size = ''] of Object.values(table)
    .filter(([cell = '']) => / KB$/.test(cell))
    .slice(0, 3)) {
    for (const page of ['README.md', 'docs/browser-sdk.md']) expect(textOf(page)).toContain(size);
  }
  for (const [column, own] of [LOADS_PARTS, OWN].entries()) {
    const sizes: Record<string, Record<string, number>> = {};
    for (const [name, build] of Object.entries(BUNDLERS))
      sizes[name] = await measure(build, `app${column}`, own);
    for (const row of Object.keys(sizes.Vite ?? {})) {
      const largest = Math.max(...Object.values(sizes).map((each) => each[row] ?? Number.NaN)) / 1_024;
      const stated = Number.parseFloat(table[row]?.[column] ?? '');
      const report = `${row}, ${largest} KB: ${JSON.stringify(sizes)}`;
      expect(stated, report).toBeGreaterThanOrEqual(largest);
      expect(stated - largest, report).toBeLessThan(0.35);
    }
  }
});
