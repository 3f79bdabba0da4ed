/** The build is reproducible: the same sources give the same names and bytes. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, transform } from 'esbuild';
import { minifiedCss } from '../../bin/build/minified-css.ts';
import { html, trusted } from '../html.ts';
import { PAGE_STYLE } from '../results/page-style.ts';

export interface ConsoleFile {
  /** Brotli-compressed content in base64. */
  readonly br: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ConsoleNames {
  readonly script: string;
  readonly style: string;
  /** Chunks that the script always loads. */
  readonly parts: readonly string[];
}

const COMMON = {
  absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
  outdir: 'pages/console/dist',
  write: false,
  bundle: true,
  minify: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  tsconfigRaw: {},
} satisfies BuildOptions;

const fileOf = (contents: string | Uint8Array, type: string, headers = {}): ConsoleFile => ({
  br: brotliCompressSync(contents).toString('base64'),
  headers: { 'content-type': type, ...headers },
});

const named = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();

async function minified(...styles: string[]): Promise<string> {
  return (await transform(styles.join('\n'), { loader: 'css', minify: true })).code;
}

const styleFrom = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const policyHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** One inline script with every language, because modules in a frame with an opaque origin would need CORS. */
async function buildPreview(): Promise<readonly [string, ConsoleFile]> {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: ['pages/console/frame/frame.ts'],
    format: 'iife',
    plugins: [minifiedCss],
  });
  const script = (outputFiles[0]?.text ?? '').trim();
  const style = (await minified(styleFrom('frame/frame.css'))).trim();
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Preview</title>
<style>${trusted(style)}</style>
</head>
<body>
<main aria-hidden="true"><header><i></i><i></i><i></i></header><h1></h1><p></p><p></p><p></p></main>
<div id="place"></div>
<main aria-hidden="true"><section><i></i><i></i><i></i></section><p></p><p></p><p></p></main>
<script>${trusted(script)}</script>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `script-src ${policyHash(script)}`,
    `style-src ${policyHash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return [`preview-${named(text)}.html`, fileOf(text, 'text/html', { 'content-security-policy': policy })];
}

function partsOf({ outputs }: Metafile, entry: string): readonly string[] {
  const reached = new Set([entry]);
  for (const path of reached)
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') reached.add(imported);
  return [...reached].filter((path) => path !== entry);
}

export async function buildConsole() {
  const [preview, previewFile] = await buildPreview();
  const { outputFiles, metafile } = await build({
    ...COMMON,
    entryPoints: [{ in: 'pages/console/app/app.tsx', out: 'console' }],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    define: { PREVIEW_FILE: JSON.stringify(preview) },
  });
  const code = await minified(
    PAGE_STYLE,
    ...['console.css', 'screens.css', 'editor.css'].map((name) => styleFrom(`style/${name}`)),
  );
  const style = `console-${named(code)}.css`;
  const files: Record<string, ConsoleFile> = {
    ...Object.fromEntries(
      outputFiles.map(({ path, contents }) => [basename(path), fileOf(contents, 'text/javascript')]),
    ),
    [style]: fileOf(code, 'text/css'),
    [preview]: previewFile,
  };
  const entry = Object.keys(metafile.outputs).find((path) =>
    metafile.outputs[path]?.entryPoint?.endsWith('app/app.tsx'),
  );
  if (entry === undefined) throw new Error('The build has no entry script.');
  const parts = partsOf(metafile, entry).map((path) => basename(path));
  const names: ConsoleNames = { script: basename(entry), style, parts };
  return { names, files, metafile };
}
