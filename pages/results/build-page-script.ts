/** Bundles the script of the page of results; the same sources give the same text. */

import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

export function buildPageScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('script/results.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    tsconfigRaw: {},
  });
  return outputFiles[0]?.text.trim() ?? '';
}
