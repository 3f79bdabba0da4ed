/** Builds the browser SDK in memory: for `dist`, for the local demo, and for the test of its size. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';

const SOURCE = fileURLToPath(new URL('browser/', import.meta.url));

/** Bytes after gzip, by what a page loads: the script at once, the widget with the first ask. */
export const BUDGET = { client: 2.5 * 1_024, widget: 4 * 1_024, together: 6 * 1_024 } as const;

export interface SdkFile {
  readonly stableName: string;
  readonly hashedName: string;
  readonly text: string;
}

export interface SdkBuild {
  /** The script for a tag. */
  readonly script: SdkFile;
  /** ES modules for bundlers: with the widget, and without. */
  readonly module: SdkFile;
  readonly headless: SdkFile;
  /** The module that script and module fetch when a survey is about to be shown. */
  readonly widget: SdkFile;
}

export const gzipBytes = ({ text }: SdkFile): number => gzipSync(text, { level: 9 }).length;

const minifiedCss: Plugin = {
  name: 'minified-css',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code.trim().replace(/([:,]) /g, '$1'), loader: 'text' };
    });
  },
};

const widgetBeside = (file: string): Plugin => ({
  name: 'widget-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\/widget\.ts$/ }, () => ({ path: `./${file}`, external: true }));
  },
});

/** Names of properties that no page and no other file of the build sees. */
const INTERNAL = /^(read|update|post|put|flush|retryMs|mark|drawn|emit|meaning)$/;

async function bundle(entry: string, name: string, options: BuildOptions): Promise<SdkFile> {
  const { outputFiles } = await build({
    entryPoints: [`${SOURCE}${entry}`],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    tsconfigRaw: {},
    mangleProps: INTERNAL,
    ...options,
  });
  const text = outputFiles?.[0]?.text ?? '';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10);
  return { stableName: name, hashedName: name.replace('.', `-${hash}.`), text };
}

/** Builds in memory; the same sources give the same bytes. */
export async function buildSdk(): Promise<SdkBuild> {
  const widget = await bundle('widget.ts', 'widget.js', { plugins: [minifiedCss], charset: 'utf8' });
  const plugins = [widgetBeside(widget.hashedName)];
  const [script, module, headless] = await Promise.all([
    bundle('script.ts', 'canvass.js', {
      plugins,
      format: 'iife',
      define: { WIDGET_FILE: JSON.stringify(widget.hashedName) },
    }),
    bundle('canvass.ts', 'canvass.mjs', { plugins }),
    bundle('headless.ts', 'headless.mjs', {}),
  ]);
  return { script, module, headless, widget };
}

/** The sizes after gzip as lines of text. */
export function sizeReport(files: SdkBuild): string {
  const [client, widget] = [gzipBytes(files.script), gzipBytes(files.widget)];
  const line = (what: string, bytes: number, budget?: number) =>
    `${what.padEnd(24)}${`${bytes}`.padStart(6)} bytes${budget ? ` of ${budget}` : ''}`;
  return [
    line('client (script tag)', client, BUDGET.client),
    line('client (module)', gzipBytes(files.module), BUDGET.client),
    line('client, headless', gzipBytes(files.headless)),
    line('widget', widget, BUDGET.widget),
    line('client and widget', client + widget, BUDGET.together),
  ].join('\n');
}
