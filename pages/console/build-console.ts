/** Builds the files of the console; the same sources give the same names and bytes. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, type Metafile, transform } from 'esbuild';
import { PAGE_STYLE } from '../results/page-style.ts';
import { buildPreview } from './build-preview.ts';
import type { ConsoleFile, ConsoleNames } from './console-file.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUTPUT = 'pages/console/dist';
const SCRIPT = 'console';
/** In the order in which they count. */
const STYLES = ['console.css', 'screens.css', 'editor.css'];

export interface BuiltConsole {
  readonly names: ConsoleNames;
  readonly files: Readonly<Record<string, ConsoleFile>>;
  /** What went into them. */
  readonly metafile: Metafile;
}

const fileOf = (contents: string | Uint8Array, type: string): ConsoleFile => ({
  br: brotliCompressSync(contents).toString('base64'),
  headers: { 'content-type': type },
});

async function buildStyle(): Promise<readonly [string, ConsoleFile]> {
  const own = STYLES.map((name) => readFileSync(new URL(`style/${name}`, import.meta.url), 'utf8'));
  const { code } = await transform([PAGE_STYLE, ...own].join('\n'), { loader: 'css', minify: true });
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 8).toUpperCase();
  return [`${SCRIPT}-${hash}.css`, fileOf(code, 'text/css')];
}

/** The document of the frame, which has a policy of its own. */
async function buildPreviewFile(): Promise<readonly [string, ConsoleFile]> {
  const { document, policy } = await buildPreview();
  const hash = createHash('sha256').update(document).digest('hex').slice(0, 8).toUpperCase();
  const file = fileOf(document, 'text/html');
  return [
    `preview-${hash}.html`,
    { ...file, headers: { ...file.headers, 'content-security-policy': policy } },
  ];
}

/** What the entry imports in any case, directly or not. */
function partsOf({ outputs }: Metafile, entry: string): readonly string[] {
  const reached = new Set([entry]);
  for (const path of reached)
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') reached.add(imported);
  return [...reached].filter((path) => path !== entry);
}

export async function buildConsole(): Promise<BuiltConsole> {
  const [preview, previewFile] = await buildPreviewFile();
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [{ in: 'pages/console/app/main.tsx', out: SCRIPT }],
    outdir: OUTPUT,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    tsconfigRaw: {},
    define: { PREVIEW_FILE: JSON.stringify(preview) },
  });
  const scripts = outputFiles.map(
    ({ path, contents }) => [basename(path), fileOf(contents, 'text/javascript')] as const,
  );
  const [style, styleFile] = await buildStyle();
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith('main.tsx'),
  );
  if (entry === undefined) throw new Error('the console has no script');
  const parts = partsOf(metafile, entry[0]).map((path) => basename(path));
  return {
    names: { script: basename(entry[0]), style, parts },
    files: Object.fromEntries([...scripts, [style, styleFile], [preview, previewFile]]),
    metafile,
  };
}
