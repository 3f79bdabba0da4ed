/** Builds the script of the page of results; the same sources give the same text. */

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Where functions import it from, since their bundles are made without a step before. */
export const SCRIPT_FILE = path('../../functions/results/page-script.ts');

/** The text of that file. */
export async function buildPageScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path('../../shared/report/page/results.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    tsconfigRaw: {},
  });
  const text = JSON.stringify(outputFiles[0]?.text.trim() ?? '');
  return `/** Written by \`npm run build:page\` from shared/report/page. */\nexport const PAGE_SCRIPT =\n  ${text};\n`;
}
